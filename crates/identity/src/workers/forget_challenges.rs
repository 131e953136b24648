//! `identity.forget_challenges`: removes challenges which were not answered in time.

use std::time::Duration;

use async_trait::async_trait;
use pavise_kernel::store::Filter;
use pavise_kernel::time::{MINUTE, Micros, to_micros};
use pavise_kernel::worker::{JournalFeed, Work, Worker};
use pavise_kernel::{Common, Error, Result};

use crate::contract::CHALLENGE_TABLE;
use crate::contract::v1::factor_service_client::FactorServiceClient;
use crate::contract::v1::{Challenge, ForgetChallengeRequest};

/// How long a challenge is kept after its end, in machine time, so that a late answer does not conflict with the removal.
const KEPT: Micros = MINUTE;
/// How often old ones are looked for.
const EVERY: Duration = Duration::from_secs(60);
/// How many are read at once.
const PAGE: u32 = 200;

/// Removes challenges a minute after they were over.
#[derive(Debug)]
pub(crate) struct ForgetChallenges;

#[async_trait]
impl Worker for ForgetChallenges {
    fn name(&self) -> &'static str {
        "identity.forget_challenges"
    }

    fn key_name(&self) -> &'static str {
        "identity.challenges.forget"
    }

    fn feed(&self) -> JournalFeed {
        JournalFeed::Every(EVERY)
    }

    async fn tick(&self, work: &Work) -> Result<()> {
        let mut filter = Filter { limit: PAGE, ..Filter::default() };
        loop {
            let page = work.kernel().store().list(&CHALLENGE_TABLE, &filter).await?;
            let Some(last) = page.last() else { return Ok(()) };
            filter.before = Some(last.id.clone());
            for row in page {
                let end = work.read_row::<Challenge>(&row)?.expires_at.as_ref().map_or(0, to_micros);
                if work.machine_now() < end.saturating_add(KEPT) {
                    continue;
                }
                let request = work.new_request(ForgetChallengeRequest { challenge_id: row.id.clone() }, &row.id);
                match FactorServiceClient::new(work.peer_channel("identity"))
                    .forget_challenge(request)
                    .await
                    .map_err(Error::from)
                {
                    // The challenge was removed with its identity.
                    Err(error) if error.is(Common::NotFound) => {}
                    done => drop(done?),
                }
            }
        }
    }
}
