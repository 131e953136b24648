//! `billing.endings`: ends subscriptions on their day.

use std::time::Duration;

use pavise_kernel::store::{Filter, Range};
use pavise_kernel::time::date;
use pavise_kernel::worker::{Feed, Work, Worker};
use pavise_kernel::{Error, Result, async_trait};

use crate::contract::SUBSCRIPTION_TABLE;
use crate::contract::v1::EndSubscriptionRequest;
use crate::contract::v1::subscription_service_client::SubscriptionServiceClient;
use crate::subscriptions::days::format_day;

/// The time between two runs.
const PERIOD: Duration = Duration::from_secs(60);
/// The number of subscriptions that are read at once.
const PAGE: u32 = 200;

/// The worker.
#[derive(Debug)]
pub(crate) struct Endings;

#[async_trait]
impl Worker for Endings {
    fn name(&self) -> &'static str {
        "billing.endings"
    }

    fn feed(&self) -> Feed {
        Feed::Every(PERIOD)
    }

    async fn tick(&self, work: &Work) -> Result<()> {
        let mut client = SubscriptionServiceClient::new(work.peer("billing"));
        let (mut failure, mut after) = (None, None);
        loop {
            let page = find_due(work, after).await?;
            let Some(last) = page.last().cloned() else { return failure.map_or(Ok(()), Err) };
            for (_, id) in page {
                let request = work.request(EndSubscriptionRequest { subscription_id: id.clone() }, &id);
                // A subscription that cannot be ended does not stop the others.
                if let Err(status) = client.end_subscription(request).await {
                    failure = Some(Error::from(status));
                }
            }
            after = Some(last);
        }
    }
}

/// Finds a page of subscriptions whose day has come, the earliest first: days and ids.
async fn find_due(work: &Work, after: Option<(String, String)>) -> Result<Vec<(String, String)>> {
    let lookup = SUBSCRIPTION_TABLE
        .lookup("due_to_end_on")
        .ok_or_else(|| Error::internal("subscriptions have no day to end"))?;
    let range = Range { lookup: Some(lookup), prefix: String::new(), after, filter: Filter::default(), limit: PAGE };
    let today = format_day(date(work.now()));
    let found = work.kernel().store().range(&SUBSCRIPTION_TABLE, &range).await?;
    Ok(found.into_iter().map(|one| (one.value, one.id)).take_while(|(day, _)| *day <= today).collect())
}
