//! The lifecycle of a provision: a pure function of its status and of an event.

use pavise_kernel::error::Common;
use pavise_kernel::{Error, Result};

use crate::contract::v1::{Provision, ProvisionStatus as Status};
use pavise_kernel::common::v1::ProvisionType;

/// An event in the life of a provision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Event {
    /// It is queued.
    Process,
    /// The platform begins to work on it.
    Start,
    /// The platform goes on in the status in which it failed.
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
    /// Neither is done: it ends.
    Suspend,
    /// An authorized user's address belongs to another identity.
    CollisionFound,
    /// The collisions are decided.
    ProfileChecked,
    /// The colliding identities were merged.
    ProfileMerged,
    /// The platform begins a plan change.
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

/// The status that `event` leads to from `status`; `None` when it cannot happen there.
pub(crate) fn next_status(status: Status, event: Event) -> Option<Status> {
    match status {
        Status::Created => match event {
            Event::Start => Some(Status::Started),
            Event::Process => Some(Status::Process),
            Event::MatchFound => Some(Status::PotentialReinstatement),
            Event::CollisionFound => Some(Status::PendingProfileReview),
            other => status_if_deleted(other),
        },
        Status::Process => match event {
            Event::Start => Some(Status::Started),
            Event::Resume(to) if is_running(to) => Some(to),
            other => status_if_deleted(other),
        },
        Status::Started => match event {
            Event::Enter => Some(Status::InProgress),
            Event::MatchFound => Some(Status::PotentialReinstatement),
            Event::CollisionFound => Some(Status::PendingProfileReview),
            other => status_if_failed_or_deleted(other),
        },
        Status::PotentialReinstatement => match event {
            Event::MatchChecked => Some(Status::ReinstateChecked),
            other => status_if_deleted(other),
        },
        Status::ReinstateChecked => match event {
            Event::Reinstate | Event::SubmitAsNew => Some(Status::InProgress),
            Event::Suspend => Some(Status::Failed),
            other => status_if_deleted(other),
        },
        Status::PendingProfileReview => match event {
            Event::ProfileChecked | Event::ProfileMerged => Some(Status::InProgress),
            other => status_if_deleted(other),
        },
        Status::PendingPlanChange => match event {
            Event::ProcessPlanChange => Some(Status::InProgress),
            other => status_if_deleted(other),
        },
        Status::InProgress => match event {
            Event::IdentitiesAdded => Some(Status::IdentitiesAdded),
            other => status_if_failed_or_deleted(other),
        },
        Status::IdentitiesAdded => match event {
            Event::ClassicMapsAdded => Some(Status::ClassicMapsAdded),
            other => status_if_failed_or_deleted(other),
        },
        Status::ClassicMapsAdded => match event {
            Event::SubscriptionAndEntitlementAdded => Some(Status::SubscriptionAndEntitlementAdded),
            other => status_if_failed_or_deleted(other),
        },
        Status::SubscriptionAndEntitlementAdded => match event {
            Event::BusinessAdded => Some(Status::BusinessAdded),
            Event::Complete => Some(Status::Completed),
            other => status_if_failed_or_deleted(other),
        },
        Status::BusinessAdded => match event {
            Event::Complete => Some(Status::Completed),
            other => status_if_failed_or_deleted(other),
        },
        Status::Failed => match event {
            Event::Process => Some(Status::Process),
            other => status_if_deleted(other),
        },
        // Only a migrated provision has this status.
        Status::Updated => status_if_deleted(event),
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

fn status_if_deleted(event: Event) -> Option<Status> {
    (event == Event::Delete).then_some(Status::Deleted)
}

fn status_if_failed_or_deleted(event: Event) -> Option<Status> {
    if event == Event::Fail { Some(Status::Failed) } else { status_if_deleted(event) }
}

/// The event that leads a provision to the status `target`; `None` for a status that has a call of its own.
pub(crate) fn event_for(provision: &Provision, target: Status) -> Option<Event> {
    match target {
        Status::Deleted => Some(Event::Delete),
        Status::Failed => Some(Event::Fail),
        // A failed provision goes on in the status in which it failed.
        _ if provision.status() == Status::Process && provision.failure.is_some() => {
            let failed_in = provision.failure.as_ref().map(|failure| failure.status());
            (failed_in == Some(target)).then_some(Event::Resume(target))
        }
        Status::Started => {
            let waits =
                provision.status() == Status::Created && provision.provision_type() == ProvisionType::OnFirstUse;
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
///
/// # Errors
/// `STATUS_NOT_ALLOWED`.
pub(crate) fn apply_event(provision: &mut Provision, event: Event) -> Result<()> {
    let from = provision.status();
    let to = next_status(from, event).ok_or_else(|| not_allowed_error(provision, "this"))?;
    provision.set_status(to);
    Ok(())
}

/// The error of a move that does not follow from the status.
pub(crate) fn not_allowed_error(provision: &Provision, what: &str) -> Error {
    let status = provision.status().spelling();
    Error::new(Common::StatusNotAllowed, format!("{what} does not follow while the provision is {status}"))
        .with("status", status)
        .precondition("STATUS", format!("provisions/{}", provision.id), format!("it is {status}"))
}

#[cfg(test)]
mod tests;
