//! `billing.reprice`: goes through the subscriptions of a repricing, and through its rows when it is withdrawn. It goes on where
//! a process was killed: each page is recorded, and each row is written once.

use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::peers::PeerChannel;
use pavise_kernel::store::StoredRow;
use pavise_kernel::worker::{self, JournalFeed, Work, Worker};
use pavise_kernel::{Result, async_trait};
use tonic::Request;

use crate::contract::actions::repricing as actions;
use crate::contract::feeds;
use crate::contract::v1::repricing_service_client::RepricingServiceClient;
use crate::contract::v1::{
    AdvanceRepricingRequest, GetRepricingRequest, RepriceSubscriptionRequest, Repricing, RepricingRow,
    RepricingRowStatus, RepricingStatus, RestoreSubscriptionPriceRequest, Subscription,
};
use crate::repricings::support::cohort::{CohortResult, judge_subscription};
use crate::repricings::support::pages::{list_rows, list_subscriptions};

/// The worker.
#[derive(Debug)]
pub(crate) struct Reprice;

#[async_trait]
impl Worker for Reprice {
    fn name(&self) -> &'static str {
        "billing.reprice"
    }

    fn feed(&self) -> JournalFeed {
        feeds::REPRICINGS
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        let Some(ordered) = worker::decode_entity::<Repricing>(entry)? else { return Ok(()) };
        let is_order = entry.action == actions::REPRICING_REQUESTED || entry.action == actions::REPRICING_WITHDRAWN;
        if entry.removed || !is_order {
            return Ok(());
        }
        let mut client = RepricingServiceClient::new(work.peer_channel("billing"));
        loop {
            let get = GetRepricingRequest { repricing_id: ordered.id.clone() };
            let stands = client.get_repricing(Request::new(get)).await?.into_inner();
            let page = match stands.status() {
                RepricingStatus::Requested => announce_page(work, &mut client, &stands).await?,
                RepricingStatus::Withdrawing => withdraw_page(work, &mut client, &stands).await?,
                RepricingStatus::Announced | RepricingStatus::Withdrawn | RepricingStatus::Unspecified => return Ok(()),
            };
            client.advance_repricing(Request::new(page)).await?;
        }
    }
}

/// The page that begins where the repricing stands.
fn begin_page(repricing: &Repricing, rows: &[StoredRow]) -> AdvanceRepricingRequest {
    AdvanceRepricingRequest {
        repricing_id: repricing.id.clone(),
        walked_from: repricing.walked_to.clone(),
        walked_to: rows.last().map_or_else(|| repricing.walked_to.clone(), |row| row.id.clone()),
        withdrawing: repricing.status() == RepricingStatus::Withdrawing,
        finished: rows.is_empty(),
        ..AdvanceRepricingRequest::default()
    }
}

/// Reprices the next subscriptions. One that cannot be written does not stop the others.
async fn announce_page(
    work: &Work,
    client: &mut RepricingServiceClient<PeerChannel>,
    repricing: &Repricing,
) -> Result<AdvanceRepricingRequest> {
    let rows = list_subscriptions(work.kernel(), repricing, &repricing.walked_to).await?;
    let mut page = begin_page(repricing, &rows);
    for row in &rows {
        let subscription: Subscription = work.read_row(row)?;
        if judge_subscription(&subscription, repricing) == CohortResult::Outside {
            continue;
        }
        let ask = RepriceSubscriptionRequest { repricing_id: repricing.id.clone(), subscription_id: subscription.id };
        let answered = client.reprice_subscription(Request::new(ask)).await;
        let Some(answer) = work.skip_refused(answered, "reprice")? else { continue };
        match answer.get_ref().status() {
            RepricingRowStatus::Repriced => page.repriced += 1,
            RepricingRowStatus::Skipped => page.skipped += 1,
            RepricingRowStatus::Withdrawn | RepricingRowStatus::Unspecified => {}
        }
    }
    Ok(page)
}

/// Drops the next waiting prices.
async fn withdraw_page(
    work: &Work,
    client: &mut RepricingServiceClient<PeerChannel>,
    repricing: &Repricing,
) -> Result<AdvanceRepricingRequest> {
    let rows = list_rows(work.kernel(), repricing, &repricing.walked_to).await?;
    let mut page = begin_page(repricing, &rows);
    for row in &rows {
        let row: RepricingRow = work.read_row(row)?;
        let status = match row.status() {
            RepricingRowStatus::Repriced => {
                let ask = RestoreSubscriptionPriceRequest { repricing_row_id: row.id };
                let answered = client.restore_subscription_price(Request::new(ask)).await;
                let Some(answer) = work.skip_refused(answered, "restore")? else { continue };
                answer.get_ref().status()
            }
            known => known,
        };
        page.withdrawn += i32::from(status == RepricingRowStatus::Withdrawn);
    }
    Ok(page)
}
