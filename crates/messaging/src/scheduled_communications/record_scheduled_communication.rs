//! Records a try to make a notification of a scheduled communication.

use pavise_kernel::time::to_timestamp;
use pavise_kernel::{Edit, EditContext, Result};

use crate::contract::v1::{RecordScheduledCommunicationRequest, ScheduledCommunication, ScheduledCommunicationStatus};
use crate::shared::retries::next_try;

impl Edit<RecordScheduledCommunicationRequest> for ScheduledCommunication {
    fn edit(&mut self, request: &RecordScheduledCommunicationRequest, context: &EditContext) -> Result<()> {
        self.tries = self.tries.saturating_add(1);
        self.failure.clone_from(&request.failure);
        self.next_try_at = None;
        if !request.notification_id.is_empty() {
            self.notification_id.clone_from(&request.notification_id);
            self.set_status(ScheduledCommunicationStatus::Successful);
            return Ok(());
        }
        let tries = usize::try_from(self.tries).unwrap_or(usize::MAX);
        // The id is random enough for a jitter, and an edit is pure.
        let jitter = self.id.bytes().fold(0_u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte)));
        match next_try(context.now(), tries, jitter).filter(|_| !request.is_final) {
            Some(at) => {
                self.next_try_at = Some(to_timestamp(at));
                self.set_status(ScheduledCommunicationStatus::Retrying);
            }
            None => self.set_status(ScheduledCommunicationStatus::Failed),
        }
        Ok(())
    }
}
