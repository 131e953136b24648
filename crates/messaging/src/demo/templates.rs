//! Templates of notifications: published ones in four locales, and a draft.

use pavise_kernel::Result;
use pavise_kernel::common::v1::Locale;
use pavise_kernel::worker::Work;

use crate::contract::v1::notification_service_client::NotificationServiceClient;
use crate::contract::v1::*;

/// The key of the template that is not published.
const DRAFT: &str = "marketing.new-plan";

/// Makes what is not there yet.
pub(super) async fn load_templates(work: &Work) -> Result<()> {
    let mut notifications = NotificationServiceClient::new(work.peer_channel("messaging"));
    for template in build_templates() {
        let key = template.key.clone();
        let step = format!("template {key}");
        work.skip_refused(notifications.create_notification_template(work.new_request(template, &step)).await, &step)?;
        if key == DRAFT {
            continue;
        }
        let step = format!("publish {key}");
        let publish = PublishNotificationTemplateRequest { template_key: key };
        work.skip_refused(notifications.publish_notification_template(work.new_request(publish, &step)).await, &step)?;
    }
    Ok(())
}

fn build_templates() -> [CreateNotificationTemplateRequest; 4] {
    let variable = |name: &str, kind: TemplateValueKind, sample: &str| TemplateVariable {
        name: name.to_owned(),
        kind: kind.into(),
        sample: sample.to_owned(),
    };
    let name = variable("name", TemplateValueKind::Text, "Ada Example");
    let receipt = CreateNotificationTemplateRequest {
        key: "billing.payment-received".to_owned(),
        category: NotificationCategory::Billing.into(),
        types: vec![NotificationType::Email.into(), NotificationType::Sms.into()],
        variables: vec![name.clone(), variable("amount", TemplateValueKind::Money, "29.95 USD")],
        contents: vec![
            mail(Locale::EnUs, "Your receipt", "Hello {{ name }},\n\nwe received {{ amount }}. Thank you."),
            mail(Locale::EnCa, "Your receipt", "Hello {{ name }},\n\nwe received {{ amount }}. Thank you."),
            mail(Locale::EsUs, "Su recibo", "Hola {{ name }}:\n\nRecibimos {{ amount }}. Gracias."),
            mail(Locale::FrCa, "Votre reçu", "Bonjour {{ name }},\n\nnous avons reçu {{ amount }}. Merci."),
            text(NotificationType::Sms, "", "Pavise: we received {{ amount }}. Thank you, {{ name }}."),
        ],
    };
    let failed = CreateNotificationTemplateRequest {
        key: "billing.payment-failed".to_owned(),
        category: NotificationCategory::Billing.into(),
        types: vec![NotificationType::Pulse.into(), NotificationType::Sms.into()],
        variables: vec![variable("day", TemplateValueKind::Date, "2026-03-31")],
        contents: vec![
            text(NotificationType::Pulse, "A payment failed", "We try again on {{ day }}. Check your card before."),
            text(NotificationType::Sms, "", "Pavise: a payment failed. We try again on {{ day }}."),
        ],
    };
    let appointment = CreateNotificationTemplateRequest {
        key: "case.appointment".to_owned(),
        category: NotificationCategory::Case.into(),
        types: vec![NotificationType::Email.into()],
        variables: vec![
            name.clone(),
            variable("day", TemplateValueKind::Date, "2026-03-31"),
            variable("time", TemplateValueKind::Time, "18:30"),
        ],
        contents: vec![mail(Locale::EnUs, "Your call on {{ day }}", "Hello {{ name }},\n\nwe call you at {{ time }}.")],
    };
    let plan = CreateNotificationTemplateRequest {
        key: DRAFT.to_owned(),
        category: NotificationCategory::Marketing.into(),
        types: vec![NotificationType::Email.into()],
        variables: vec![name],
        contents: vec![mail(Locale::EnUs, "", "Hello {{ name }}, there is a new plan.")],
    };
    [receipt, failed, appointment, plan]
}

fn mail(locale: Locale, subject: &str, body: &str) -> TemplateContent {
    TemplateContent {
        r#type: NotificationType::Email.into(),
        locale: locale.into(),
        subject: subject.to_owned(),
        text: body.to_owned(),
        html: String::new(),
    }
}

fn text(channel: NotificationType, subject: &str, body: &str) -> TemplateContent {
    TemplateContent { r#type: channel.into(), ..mail(Locale::EnUs, subject, body) }
}
