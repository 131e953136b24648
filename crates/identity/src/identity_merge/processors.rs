//! Processors: what one service keeps for an identity, and how it is handed to another.
//!
//! Second factors and settings are not among them: they are the identity's own, and stay with it. Neither are invitations,
//! which were sent in the name of the identity that sent them.

mod account;
mod billing;
mod fulfillment;
mod orders;

use std::fmt;

use async_trait::async_trait;
use pavise_kernel::worker::Work;
use pavise_kernel::{Common, Error, Result};
use tonic::Status;

use super::report::MOST_THINGS;
use crate::contract::v1::MergeAction;

/// Items a page of the lists that are read.
const PAGE: i32 = 200;

/// What one service keeps for an identity.
#[async_trait]
pub(super) trait Processor: fmt::Debug + Send + Sync {
    /// The service, as in the specification, or the part of it.
    fn name(&self) -> &'static str;

    /// What belongs to an identity, by id.
    ///
    /// # Errors
    /// When the service does not answer, or refuses.
    async fn owned(&self, work: &Work, identity: &str) -> Result<Vec<String>>;

    /// Hands one thing over. A repeat with the same work has the effect of one.
    ///
    /// # Errors
    /// When the service does not answer, or refuses.
    async fn hand_over(&self, work: &Work, thing: &Handover<'_>) -> Result<()>;
}

/// One thing that goes from one identity to another.
#[derive(Debug, Clone, Copy)]
pub(super) struct Handover<'a> {
    /// The merge.
    pub(super) merge: &'a str,
    /// Which way it goes.
    pub(super) action: MergeAction,
    /// The thing.
    pub(super) id: &'a str,
    /// Whose it is.
    pub(super) from: &'a str,
    /// Whose it will be.
    pub(super) to: &'a str,
}

/// All processors, in the order in which they are worked through: what is being set up first, so that what comes of it is
/// found by those after it.
pub(super) static ALL: &[&dyn Processor] = &[
    &fulfillment::Provisions,
    &orders::Orders,
    &billing::PaymentMethods,
    &billing::Subscriptions,
    &billing::Invoices,
    &fulfillment::Entitlements,
    &fulfillment::Coverages,
    &account::UserStates,
    &account::Applications,
];

/// The processor of that name.
pub(super) fn named(name: &str) -> Option<&'static dyn Processor> {
    ALL.iter().copied().find(|processor| processor.name() == name)
}

/// Whether what was refused now may be taken later, without anybody's doing: the service does not answer or does not run
/// here yet, or something is under way that comes to an end.
pub(super) fn may_pass(error: &Error) -> bool {
    error.is_transient() || error.is(Common::Unimplemented) || error.reason() == "PAYMENT_IN_PROGRESS"
}

/// Refuses for now: `what` is under way.
fn under_way(what: impl fmt::Display) -> Error {
    Error::new(Common::Unavailable, format!("{what}; it is moved when that is done"))
}

/// Every id of a list, page by page.
async fn every<Page>(mut page: impl FnMut(String) -> Page + Send) -> Result<Vec<String>>
where
    Page: Future<Output = Result<(Vec<String>, String), Status>> + Send,
{
    let (mut ids, mut token) = (Vec::new(), String::new());
    loop {
        let (more, next) = page(token).await?;
        ids.extend(more);
        if ids.len() > MOST_THINGS {
            let message = format!("there are more than {MOST_THINGS} things; move some of them first");
            return Err(Error::new(Common::InvalidField, message));
        }
        if next.is_empty() {
            return Ok(ids);
        }
        token = next;
    }
}
