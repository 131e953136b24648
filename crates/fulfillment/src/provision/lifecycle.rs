//! How a provision moves: a pure function of its status and of what happens to it.

use pavise_kernel::error::Common;
use pavise_kernel::{Error, Result};

use crate::contract::v1::{Provision, ProvisionStatus as Status};
use pavise_kernel::common::v1::ProvisionType;

/// What can happen to a provision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Event {
    /// It is queued.
    Process,
    /// It is taken up for the first time.
    Start,
    /// It is taken up again in the status it failed in.
    Resume(Status),
    /// The checks found nothing.
    Enter,
    /// The buyer had a membership of the same family.
    MatchFound,
    /// The match was checked.
    MatchChecked,
    /// The earlier membership comes back.
    Reinstate,
    /// A new membership is made.
    SubmitAsNew,
    /// Neither.
    Suspend,
    /// An authorized user's address belongs to another identity.
    CollisionFound,
    /// The collisions were decided.
    ProfileChecked,
    /// The colliding identities were merged.
    ProfileMerged,
    /// A plan change is taken up.
    ProcessPlanChange,
    /// Every authorized user has an identity.
    IdentitiesAdded,
    /// The numbers of the classic system are recorded.
    ClassicMapsAdded,
    /// Subscription and entitlements are recorded.
    SubscriptionAndEntitlementAdded,
    /// The business is recorded.
    BusinessAdded,
    /// Nothing is left to do.
    Complete,
    /// A step failed.
    Fail,
    /// It is given up.
    Delete,
}

/// Where `event` leads from `status`; `None` when it cannot happen there.
pub(crate) fn next(status: Status, event: Event) -> Option<Status> {
    match status {
        Status::Created => match event {
            Event::Start => Some(Status::Started),
            Event::Process => Some(Status::Process),
            Event::MatchFound => Some(Status::PotentialReinstatement),
            Event::CollisionFound => Some(Status::PendingProfileReview),
            other => given_up(other),
        },
        Status::Process => match event {
            Event::Start => Some(Status::Started),
            Event::Resume(to) if is_running(to) => Some(to),
            other => given_up(other),
        },
        Status::Started => match event {
            Event::Enter => Some(Status::InProgress),
            Event::MatchFound => Some(Status::PotentialReinstatement),
            Event::CollisionFound => Some(Status::PendingProfileReview),
            other => failed_or_given_up(other),
        },
        Status::PotentialReinstatement => match event {
            Event::MatchChecked => Some(Status::ReinstateChecked),
            other => given_up(other),
        },
        Status::ReinstateChecked => match event {
            Event::Reinstate | Event::SubmitAsNew => Some(Status::InProgress),
            Event::Suspend => Some(Status::Failed),
            other => given_up(other),
        },
        Status::PendingProfileReview => match event {
            Event::ProfileChecked | Event::ProfileMerged => Some(Status::InProgress),
            other => given_up(other),
        },
        Status::PendingPlanChange => match event {
            Event::ProcessPlanChange => Some(Status::InProgress),
            other => given_up(other),
        },
        Status::InProgress => match event {
            Event::IdentitiesAdded => Some(Status::IdentitiesAdded),
            other => failed_or_given_up(other),
        },
        Status::IdentitiesAdded => match event {
            Event::ClassicMapsAdded => Some(Status::ClassicMapsAdded),
            other => failed_or_given_up(other),
        },
        Status::ClassicMapsAdded => match event {
            Event::SubscriptionAndEntitlementAdded => Some(Status::SubscriptionAndEntitlementAdded),
            other => failed_or_given_up(other),
        },
        Status::SubscriptionAndEntitlementAdded => match event {
            Event::BusinessAdded => Some(Status::BusinessAdded),
            Event::Complete => Some(Status::Completed),
            other => failed_or_given_up(other),
        },
        Status::BusinessAdded => match event {
            Event::Complete => Some(Status::Completed),
            other => failed_or_given_up(other),
        },
        Status::Failed => match event {
            Event::Process => Some(Status::Process),
            other => given_up(other),
        },
        // Documented beside the statuses; a migrated provision that has it can only be given up.
        Status::Updated => given_up(event),
        Status::Unspecified | Status::Completed | Status::Deleted => None,
    }
}

/// Whether the platform works on a provision of that status; only then can a step fail.
pub(crate) fn is_running(status: Status) -> bool {
    match status {
        Status::Started
        | Status::InProgress
        | Status::IdentitiesAdded
        | Status::ClassicMapsAdded
        | Status::SubscriptionAndEntitlementAdded
        | Status::BusinessAdded => true,
        Status::Unspecified
        | Status::Created
        | Status::Completed
        | Status::Failed
        | Status::Deleted
        | Status::Process
        | Status::Updated
        | Status::PendingPlanChange
        | Status::PotentialReinstatement
        | Status::ReinstateChecked
        | Status::PendingProfileReview => false,
    }
}

fn given_up(event: Event) -> Option<Status> {
    (event == Event::Delete).then_some(Status::Deleted)
}

fn failed_or_given_up(event: Event) -> Option<Status> {
    if event == Event::Fail { Some(Status::Failed) } else { given_up(event) }
}

/// What a caller who asks for the status `target` says that happened; `None` for a status that has a call of its own.
pub(crate) fn meant(provision: &Provision, target: Status) -> Option<Event> {
    match target {
        Status::Deleted => Some(Event::Delete),
        Status::Failed => Some(Event::Fail),
        // A provision that failed goes on where it failed, and nowhere else.
        _ if provision.status() == Status::Process && provision.failure.is_some() => {
            let failed_in = provision.failure.as_ref().map(|failure| failure.status());
            (failed_in == Some(target)).then_some(Event::Resume(target))
        }
        Status::Started => {
            let waits = provision.status() == Status::Created && provision.provision_type() == ProvisionType::OnFirstUse;
            (!waits).then_some(Event::Start)
        }
        Status::InProgress => (provision.status() == Status::Started).then_some(Event::Enter),
        Status::PotentialReinstatement => Some(Event::MatchFound),
        Status::ReinstateChecked => Some(Event::MatchChecked),
        Status::PendingProfileReview => Some(Event::CollisionFound),
        Status::IdentitiesAdded => Some(Event::IdentitiesAdded),
        Status::ClassicMapsAdded => Some(Event::ClassicMapsAdded),
        Status::SubscriptionAndEntitlementAdded => Some(Event::SubscriptionAndEntitlementAdded),
        Status::BusinessAdded => Some(Event::BusinessAdded),
        Status::Completed => Some(Event::Complete),
        Status::Unspecified | Status::Created | Status::Process | Status::Updated | Status::PendingPlanChange => None,
    }
}

/// Moves the provision.
pub(crate) fn apply(provision: &mut Provision, event: Event) -> Result<()> {
    let from = provision.status();
    let to = next(from, event).ok_or_else(|| refused(provision, "this"))?;
    provision.set_status(to);
    Ok(())
}

/// The refusal of a move that does not follow from the status.
pub(crate) fn refused(provision: &Provision, what: &str) -> Error {
    let status = provision.status().spelling();
    Error::new(Common::StatusNotAllowed, format!("{what} does not follow while the provision is {status}"))
        .with("status", status)
        .precondition("STATUS", format!("provisions/{}", provision.id), format!("it is {status}"))
}

#[cfg(test)]
#[path = "lifecycle_tests.rs"]
mod tests;
