//! `messaging.escalate_alerts`: raises the priority of alerts that nobody read in time.

use std::time::Duration;

use pavise_kernel::worker::{JournalFeed, Work, Worker};
use pavise_kernel::{Result, async_trait};

use crate::contract::lookups::alert as lookups;
use crate::contract::v1::alert_service_client::AlertServiceClient;
use crate::contract::v1::{Alert, EscalateOverdueAlertRequest};

/// The time between two runs.
const PERIOD: Duration = Duration::from_secs(30);

/// The worker.
#[derive(Debug)]
pub(crate) struct EscalateAlerts;

#[async_trait]
impl Worker for EscalateAlerts {
    fn name(&self) -> &'static str {
        "messaging.escalate_alerts"
    }

    fn feed(&self) -> JournalFeed {
        JournalFeed::Every(PERIOD)
    }

    async fn tick(&self, work: &Work) -> Result<()> {
        let client = AlertServiceClient::new(work.peer_channel("messaging"));
        work.call_for_due::<Alert, _, _, _>(lookups::DUE_TO_ESCALATE_AT, |id| {
            let mut client = client.clone();
            let request = work.new_request(EscalateOverdueAlertRequest { alert_id: id.clone() }, &id);
            async move { client.escalate_overdue_alert(request).await }
        })
        .await
    }
}
