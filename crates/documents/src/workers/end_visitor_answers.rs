//! `documents.end_visitor_answers`: ends the answers of visitors that stayed unfinished for 30 days.

use std::time::Duration;

use pavise_kernel::worker::{JournalFeed, Work, Worker};
use pavise_kernel::{Result, async_trait};

use crate::contract::lookups::answer as lookups;
use crate::contract::v1::answer_service_client::AnswerServiceClient;
use crate::contract::v1::{Answer, EndVisitorAnswerRequest};

/// The time between two runs.
const PERIOD: Duration = Duration::from_secs(300);

/// The worker.
#[derive(Debug)]
pub(crate) struct EndVisitorAnswers;

#[async_trait]
impl Worker for EndVisitorAnswers {
    fn name(&self) -> &'static str {
        "documents.end_visitor_answers"
    }

    fn feed(&self) -> JournalFeed {
        JournalFeed::Every(PERIOD)
    }

    async fn tick(&self, work: &Work) -> Result<()> {
        let client = AnswerServiceClient::new(work.peer_channel("documents"));
        work.call_for_due::<Answer, _, _, _>(lookups::DUE_TO_END_AT, |id| {
            let mut client = client.clone();
            let request = work.new_request(EndVisitorAnswerRequest { answer_id: id.clone() }, &id);
            async move { client.end_visitor_answer(request).await }
        })
        .await
    }
}
