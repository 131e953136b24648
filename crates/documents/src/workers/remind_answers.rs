//! `documents.remind_answers`: reminds the owners of open answers, by day.

use std::time::Duration;

use pavise_kernel::worker::{JournalFeed, Work, Worker};
use pavise_kernel::{Result, async_trait};

use crate::contract::lookups::answer as lookups;
use crate::contract::v1::answer_service_client::AnswerServiceClient;
use crate::contract::v1::{Answer, RemindAnswerRequest};

/// The time between two runs.
const PERIOD: Duration = Duration::from_secs(60);

/// The worker.
#[derive(Debug)]
pub(crate) struct RemindAnswers;

#[async_trait]
impl Worker for RemindAnswers {
    fn name(&self) -> &'static str {
        "documents.remind_answers"
    }

    fn feed(&self) -> JournalFeed {
        JournalFeed::Every(PERIOD)
    }

    async fn tick(&self, work: &Work) -> Result<()> {
        let client = AnswerServiceClient::new(work.peer_channel("documents"));
        work.call_for_due::<Answer, _, _, _>(lookups::DUE_TO_REMIND_AT, |id| {
            let mut client = client.clone();
            let request = work.new_request(RemindAnswerRequest { answer_id: id.clone() }, &id);
            async move { client.remind_answer(request).await }
        })
        .await
    }
}
