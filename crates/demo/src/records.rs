//! The records of the demonstration's members: bills, notes, amendments, auto comments, businesses, cohorts,
//! launches, employments and messages, in each status.

mod bills;
mod businesses;
mod cohorts;
mod disputes;
mod employments;
mod launches;
mod member;
mod messages;
mod notes;
mod plans;
mod reconciliations;

use anyhow::Context as _;
use pavise_fulfillment_client::v1::entitlement_service_client::EntitlementServiceClient;
use pavise_fulfillment_client::v1::{Entitlement, ListEntitlementsRequest};
use pavise_identity::demo::by_name;
use pavise_kernel::time::to_micros;
use pavise_kernel::worker::Work;

use self::member::Member;
use super::story::email;

/// Writes the records of the members below `members`.
pub(crate) async fn load(work: &Work, members: u32) -> anyhow::Result<()> {
    for number in 0..members {
        let Some(identity) = by_name(work, &email(number)).await? else { continue };
        let plan = find_plan(work, &identity.id).await?;
        let since = identity.created_at.as_ref().map_or_else(|| work.now(), to_micros);
        let member = Member { number, id: identity.id, since, plan };
        plans::load(work, &member).await.context("what is about a plan")?;
        bills::load(work, &member).await.context("the further bills")?;
        businesses::load(work, &member).await.context("the businesses")?;
        cohorts::load(work, &member).await.context("the cohorts")?;
        launches::load(work, &member).await.context("the launches")?;
        employments::load(work, &member).await.context("the employments")?;
        notes::load(work, &member).await.context("the notes on members")?;
        messages::load(work, &member).await.context("the messages to members")?;
    }
    reconciliations::load(work).await.context("the differences with a vendor")
}

async fn find_plan(work: &Work, identity_id: &str) -> anyhow::Result<Option<Entitlement>> {
    let request = ListEntitlementsRequest { identity_id: identity_id.to_owned(), ..ListEntitlementsRequest::default() };
    let found = EntitlementServiceClient::new(work.peer_channel("fulfillment")).list_entitlements(request).await?;
    Ok(found.into_inner().entitlements.pop())
}
