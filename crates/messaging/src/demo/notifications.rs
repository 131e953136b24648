//! Notifications on each channel, some of them scheduled or taken back, and suppressed addresses.

use pavise_kernel::Result;
use pavise_kernel::common::v1::Locale;
use pavise_kernel::peers::PeerChannel;
use pavise_kernel::time::{DAY, to_timestamp};
use pavise_kernel::worker::Work;

use crate::contract::v1::notification_service_client::NotificationServiceClient;
use crate::contract::v1::*;

/// How many notifications there are.
const COUNT: usize = 60;
/// How many addresses get nothing.
const SUPPRESSED: usize = 15;

/// Makes what is not there yet.
pub(super) async fn load_notifications(work: &Work, member: &str) -> Result<()> {
    let mut client = NotificationServiceClient::new(work.peer_channel("messaging"));
    for number in 0..SUPPRESSED {
        let step = format!("suppression {number}");
        if number % 3 == 0 {
            let phone_number = format!("+151255501{number:02}");
            let request = AddSmsFailureRequest { phone_number, note: "The carrier knows no such number.".to_owned() };
            work.skip_refused(client.add_sms_failure(work.new_request(request, &step)).await, &step)?;
        } else {
            let email = format!("gone{number}@example.com");
            let note = "Asked by telephone.".to_owned();
            let request = CreateSuppressionRequest { email, note };
            work.skip_refused(client.create_suppression(work.new_request(request, &step)).await, &step)?;
        }
    }
    load_lifted(work, &mut client).await?;
    for number in 0..COUNT {
        let step = format!("notification {number}");
        let request =
            CreateNotificationRequest { identity_id: member.to_owned(), notification: Some(build_draft(work, number)) };
        let made = client.create_notification(work.new_request(request, &step)).await;
        let Some(made) = work.skip_refused(made, &step)? else { continue };
        if number % 10 == 3 {
            let step = format!("cancel notification {number}");
            let request = CancelScheduledNotificationRequest { notification_id: made.into_inner().id };
            work.skip_refused(client.cancel_scheduled_notification(work.new_request(request, &step)).await, &step)?;
        }
    }
    Ok(())
}

/// An address that got nothing for a while, and gets messages again.
async fn load_lifted(work: &Work, client: &mut NotificationServiceClient<PeerChannel>) -> Result<()> {
    let request =
        CreateSuppressionRequest { email: "back@example.com".to_owned(), note: "On leave until May.".to_owned() };
    let made = client.create_suppression(work.new_request(request, "a suppression that ends")).await;
    let Some(made) = work.skip_refused(made, "a suppression that ends")? else { return Ok(()) };
    let request = LiftSuppressionRequest { suppression_id: made.into_inner().id };
    let lifted = client.lift_suppression(work.new_request(request, "the end of a suppression")).await;
    work.skip_refused(lifted, "the end of a suppression")?;
    Ok(())
}

fn build_draft(work: &Work, number: usize) -> NotificationDraft {
    let value = |name: &str, text: String| TextValue { name: name.to_owned(), text };
    let day = value("day", format!("2026-03-{:02}", number % 28 + 1));
    let locale = [Locale::EnUs, Locale::EsUs, Locale::EnCa, Locale::FrCa].get(number % 4).copied().unwrap_or_default();
    // Some wait for months, so that there are some in any demonstration.
    let waits = matches!(number % 10, 3 | 4);
    let deliver_on = waits.then(|| to_timestamp(work.now().saturating_add(90 * DAY)));
    let draft = NotificationDraft { locale: locale.into(), deliver_on, ..NotificationDraft::default() };
    match number % 5 {
        0 => NotificationDraft {
            template_key: "billing.payment-failed".to_owned(),
            types: vec![NotificationType::Pulse.into()],
            values: vec![day],
            ..draft
        },
        1 => NotificationDraft {
            template_key: "billing.payment-failed".to_owned(),
            types: vec![NotificationType::Sms.into()],
            phone_number: format!("+151255501{:02}", number % 20),
            values: vec![day],
            ..draft
        },
        2 => NotificationDraft {
            template_key: "billing.payment-received".to_owned(),
            email: format!("gone{}@example.com", number % 30),
            values: receipt_values(number),
            ..draft
        },
        _ => NotificationDraft {
            template_key: "billing.payment-received".to_owned(),
            email: "ada@example.com".to_owned(),
            values: receipt_values(number),
            ..draft
        },
    }
}

fn receipt_values(number: usize) -> Vec<TextValue> {
    let value = |name: &str, text: String| TextValue { name: name.to_owned(), text };
    vec![value("name", "Ada Example".to_owned()), value("amount", format!("{}.95 USD", 20 + number))]
}
