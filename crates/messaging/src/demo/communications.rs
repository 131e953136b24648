//! Communications that wait, and some that were taken back.

use pavise_kernel::Result;
use pavise_kernel::time::{DAY, to_timestamp};
use pavise_kernel::worker::Work;

use crate::contract::v1::scheduled_communication_service_client::ScheduledCommunicationServiceClient;
use crate::contract::v1::*;

/// How many there are.
const COUNT: i64 = 25;

/// Makes what is not there yet.
pub(super) async fn load_communications(work: &Work, member: &str) -> Result<()> {
    let mut client = ScheduledCommunicationServiceClient::new(work.peer_channel("messaging"));
    for number in 0..COUNT {
        let step = format!("communication {number}");
        let value = |name: &str, text: String| TextValue { name: name.to_owned(), text };
        let request = CreateScheduledCommunicationRequest {
            template_key: "case.appointment".to_owned(),
            identity_id: member.to_owned(),
            email: "ada@example.com".to_owned(),
            values: vec![
                value("name", "Ada Example".to_owned()),
                value("day", format!("2026-04-{:02}", number + 1)),
                value("time", format!("{:02}:30", 9 + number % 8)),
            ],
            deliver_on: Some(to_timestamp(work.now().saturating_add((10 + number) * DAY))),
            unique_key: format!("demo/{number}"),
            ..CreateScheduledCommunicationRequest::default()
        };
        let made = client.create_scheduled_communication(work.new_request(request, &step)).await;
        let Some(made) = work.skip_refused(made, &step)? else { continue };
        let scheduled_communication_id = made.into_inner().id;
        let step = format!("move communication {number}");
        if number % 5 == 1 {
            let request = CancelScheduledCommunicationRequest { scheduled_communication_id };
            work.skip_refused(client.cancel_scheduled_communication(work.new_request(request, &step)).await, &step)?;
        } else if number % 5 == 2 {
            let request = ProcessScheduledCommunicationRequest { scheduled_communication_id };
            work.skip_refused(client.process_scheduled_communication(work.new_request(request, &step)).await, &step)?;
        }
    }
    Ok(())
}
