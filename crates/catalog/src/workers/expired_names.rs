//! `catalog.expired_names`: frees names whose reservation ran out.

use std::time::Duration;

use pavise_kernel::due::Due;
use pavise_kernel::worker::{Feed, Work, Worker};
use pavise_kernel::{Error, Result, async_trait};

use crate::contract::lookups::reserved_name as lookups;
use crate::contract::v1::reserved_name_service_client::ReservedNameServiceClient;
use crate::contract::v1::{ExpireNameRequest, ReservedName};

/// The time between two runs.
const PERIOD: Duration = Duration::from_secs(60);

/// The worker.
#[derive(Debug)]
pub(crate) struct ExpiredNames;

#[async_trait]
impl Worker for ExpiredNames {
    fn name(&self) -> &'static str {
        "catalog.expired_names"
    }

    fn feed(&self) -> Feed {
        Feed::Every(PERIOD)
    }

    async fn tick(&self, work: &Work) -> Result<()> {
        let mut client = ReservedNameServiceClient::new(work.peer("catalog"));
        let (mut failure, mut after) = (None, None);
        loop {
            let page = work.due::<ReservedName>(lookups::DUE_TO_RELEASE_AT, after.as_ref()).await?;
            let Some(last) = page.last().cloned() else { return failure.map_or(Ok(()), Err) };
            for Due { id, .. } in page {
                let request = work.request(ExpireNameRequest { id: id.clone() }, &id);
                // A name that stays does not stop the others.
                if let Err(status) = client.expire_name(request).await {
                    failure = Some(Error::from(status));
                }
            }
            after = Some(last);
        }
    }
}
