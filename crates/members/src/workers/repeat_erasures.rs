//! `members.repeat_erasures`: erases people again whom an older backup brought back.
//!
//! The key database knows who was erased, whatever the database knows. Before a process serves, the kernel erases their
//! values again. This worker finishes what that leaves: the profile is REDACTED, the receipt is there, and the erasure goes
//! through all services.

use std::time::Duration;

use pavise_kernel::sealed::person_of;
use pavise_kernel::worker::{JournalFeed, Work, Worker};
use pavise_kernel::{Aggregate as _, Common, Error, Result, async_trait};
use tonic::Request;

use crate::contract::identity::data_key_service_client::DataKeyServiceClient;
use crate::contract::identity::{DataKey, ListDestroyedDataKeysRequest};
use crate::contract::v1::personal_data_service_client::PersonalDataServiceClient;
use crate::contract::v1::{Profile, ProfileStatus, RepeatPersonErasureRequest};

/// The time between two runs. The first one is at the start of a process.
const PERIOD: Duration = Duration::from_secs(600);
/// Destroyed keys that are read at once.
const PAGE: i32 = 1_000;

/// The worker.
#[derive(Debug)]
pub(crate) struct RepeatErasures;

#[async_trait]
impl Worker for RepeatErasures {
    fn name(&self) -> &'static str {
        "members.repeat_erasures"
    }

    fn feed(&self) -> JournalFeed {
        JournalFeed::Every(PERIOD)
    }

    /// One person who cannot be erased now does not keep the others from it.
    async fn tick(&self, work: &Work) -> Result<()> {
        let mut keys = DataKeyServiceClient::new(work.peer_channel("identity"));
        let mut members = PersonalDataServiceClient::new(work.peer_channel("members"));
        let (mut failure, mut after) = (None, String::new());
        loop {
            let request = ListDestroyedDataKeysRequest { after: after.clone(), limit: PAGE };
            let page = match keys.list_destroyed_data_keys(Request::new(request)).await.map_err(Error::from) {
                Ok(page) => page.into_inner().keys,
                // Without a key database nobody's key is destroyed.
                Err(error) if error.is(Common::NotConfigured) => return Ok(()),
                Err(error) => return Err(error),
            };
            let Some(last) = page.last() else { return failure.map_or(Ok(()), Err) };
            after.clone_from(&last.name);
            for identity_id in find_active(work, &page).await? {
                let request = RepeatPersonErasureRequest { identity_id };
                if let Err(status) = members.repeat_person_erasure(Request::new(request)).await {
                    failure = Some(Error::from(status));
                }
            }
        }
    }
}

/// The people of these keys whose profile is there as if they had never been erased.
async fn find_active(work: &Work, keys: &[DataKey]) -> Result<Vec<String>> {
    let people: Vec<String> = keys.iter().filter_map(|key| person_of(&key.name)).map(str::to_owned).collect();
    let rows = work.kernel().store().get_many(Profile::TABLE, &people).await?;
    let active = ProfileStatus::Active.spelling();
    Ok(rows.into_iter().filter(|row| row.status == active).map(|row| row.id).collect())
}
