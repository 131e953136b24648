//! Alerts in each status and of each priority, and their templates.

use pavise_kernel::Result;
use pavise_kernel::common::v1::{Locale, LocalizedText};
use pavise_kernel::worker::Work;

use crate::contract::v1::alert_service_client::AlertServiceClient;
use crate::contract::v1::*;

/// The permissions of teams that get alerts.
const TEAMS: [&str; 4] = [
    "billing.transactions.resolve",
    "identity.identities.write",
    "fulfillment.provision.write",
    "orders.orders.settle",
];
/// How many alerts there are.
const COUNT: usize = 40;

/// Makes what is not there yet.
pub(super) async fn load_alerts(work: &Work, member: &str) -> Result<()> {
    let mut alerts = AlertServiceClient::new(work.peer_channel("messaging"));
    for template in build_templates() {
        let step = format!("alert template {}", template.key);
        work.skip_refused(alerts.create_alert_template(work.new_request(template, &step)).await, &step)?;
    }
    for number in 0..COUNT {
        let step = format!("alert {number}");
        let made = if number % 2 == 0 {
            alerts.create_alert(work.new_request(build_team_alert(number), &step)).await
        } else {
            alerts.create_identity_alert(work.new_request(build_member_alert(number, member), &step)).await
        };
        let Some(made) = work.skip_refused(made, &step)? else { continue };
        move_alert(work, &mut alerts, number, &made.into_inner()).await?;
    }
    Ok(())
}

/// Leads some of the alerts to another status.
async fn move_alert(
    work: &Work,
    alerts: &mut AlertServiceClient<pavise_kernel::peers::PeerChannel>,
    number: usize,
    alert: &Alert,
) -> Result<()> {
    let (alert_id, identity_id) = (alert.id.clone(), alert.owner_id.clone());
    let step = format!("move alert {number}");
    match number % 10 {
        1 => {
            let request = work.new_request(AcknowledgeAlertRequest { identity_id, alert_id }, &step);
            work.skip_refused(alerts.acknowledge_alert(request).await, &step)?;
        }
        2 => {
            let request = work.new_request(ResolveAlertRequest { alert_id }, &step);
            work.skip_refused(alerts.resolve_alert(request).await, &step)?;
        }
        3 => {
            let request = work.new_request(DismissAlertRequest { identity_id, alert_id }, &step);
            work.skip_refused(alerts.dismiss_alert(request).await, &step)?;
        }
        4 => {
            let request = work.new_request(EscalateAlertRequest { alert_id }, &step);
            work.skip_refused(alerts.escalate_alert(request).await, &step)?;
        }
        6 => {
            let request = work.new_request(DeleteAlertRequest { alert_id }, &step);
            work.skip_refused(alerts.delete_alert(request).await, &step)?;
        }
        _ => {}
    }
    Ok(())
}

fn build_templates() -> [CreateAlertTemplateRequest; 2] {
    let text = |locale: Locale, text: &str| LocalizedText { locale: locale.into(), text: text.to_owned() };
    let payment = CreateAlertTemplateRequest {
        key: "billing.unclear-payment".to_owned(),
        titles: vec![
            text(Locale::EnUs, "A payment of {{ amount }} is unclear"),
            text(Locale::EsUs, "Un pago de {{ amount }} no está claro"),
            text(Locale::FrCa, "Un paiement de {{ amount }} est incertain"),
        ],
        texts: vec![text(Locale::EnUs, "The vendor did not say what became of it. Ask the vendor, then resolve it.")],
        priority: AlertPriority::High.into(),
        scope: ApplicationScope::People.into(),
        notification_types: vec![AlertNotificationType::Email.into()],
        escalation_minutes: 60,
    };
    let breach = CreateAlertTemplateRequest {
        key: "idshield.data-found".to_owned(),
        titles: vec![
            text(Locale::EnUs, "{{ what }} was found where it should not be"),
            text(Locale::EsUs, "Encontramos {{ what }} donde no debería estar"),
            text(Locale::FrCa, "Nous avons trouvé {{ what }} là où cela ne devrait pas être"),
        ],
        texts: vec![text(Locale::EnUs, "It was seen on {{ day }}. Open the report to see what to do.")],
        priority: AlertPriority::Medium.into(),
        scope: ApplicationScope::Idshield.into(),
        notification_types: vec![AlertNotificationType::Pulse.into(), AlertNotificationType::Email.into()],
        escalation_minutes: 0,
    };
    [payment, breach]
}

fn value(name: &str, text: String) -> TextValue {
    TextValue { name: name.to_owned(), text }
}

fn build_team_alert(number: usize) -> CreateAlertRequest {
    let team = TEAMS.get(number / 2 % TEAMS.len()).copied().unwrap_or_default();
    CreateAlertRequest {
        template_key: "billing.unclear-payment".to_owned(),
        values: vec![value("amount", format!("${}.95", 20 + number))],
        priority: [AlertPriority::Low, AlertPriority::Medium, AlertPriority::High]
            .get(number / 2 % 3)
            .copied()
            .unwrap_or_default()
            .into(),
        audience_permission: team.to_owned(),
        ..CreateAlertRequest::default()
    }
}

fn build_member_alert(number: usize, member: &str) -> CreateIdentityAlertRequest {
    let what = if number % 4 == 1 { "a•••@example.com" } else { "(•••) •••-0177" };
    CreateIdentityAlertRequest {
        identity_id: member.to_owned(),
        template_key: "idshield.data-found".to_owned(),
        values: vec![value("what", what.to_owned()), value("day", format!("2026-01-{:02}", number % 28 + 1))],
        ..CreateIdentityAlertRequest::default()
    }
}
