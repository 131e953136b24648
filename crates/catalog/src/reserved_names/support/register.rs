//! The next state of a holder's names, when a write of the holder is known to have ended.

use pavise_kernel::{Call, Common, Page, Result};
use prost_types::Timestamp;

use super::holder::Place;
use crate::contract::actions::reserved_name as actions;
use crate::contract::lookups::reserved_name as lookups;
use crate::contract::v1::{ReservedName, ReservedNameStatus};

/// Tries of a call whose names other calls change at the same time.
const ATTEMPTS: usize = 10;

/// A holder as a write left it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Holder<'a> {
    pub(crate) service: &'a str,
    pub(crate) aggregate: &'a str,
    pub(crate) id: &'a str,
    pub(crate) created_at: Option<&'a Timestamp>,
    pub(crate) version: i64,
}

impl Holder<'_> {
    fn place(&self) -> Place {
        Place::new(self.created_at, self.version)
    }
}

/// The next state of a name.
#[derive(Debug, Clone, PartialEq)]
enum Next {
    Same,
    Changed(Box<ReservedName>, &'static str),
    Free,
}

/// Settles all names of a holder in a space: it has the name `kept`, or none, since that write. Names that later writes
/// reserved stay reserved. Answers whether the holder has the name.
pub(crate) async fn register_name(call: &Call, space: i32, kept: Option<&str>, holder: Holder<'_>) -> Result<bool> {
    for _ in 0..ATTEMPTS {
        match attempt(call, space, kept, holder).await {
            Err(error) if error.is(Common::Contention) => tokio::task::yield_now().await,
            other => return other,
        }
    }
    attempt(call, space, kept, holder).await
}

async fn attempt(call: &Call, space: i32, kept: Option<&str>, holder: Holder<'_>) -> Result<bool> {
    let filters = vec![(lookups::HOLDER_ID, holder.id.to_owned())];
    let (names, _) = call.list_page::<ReservedName>(Page { size: 500, token: "", filters }).await?;
    let own = |name: &&ReservedName| name.space == space && name.is_of(holder.service, holder.aggregate, holder.id);
    if let Some(kept) = kept
        && !names.iter().filter(own).any(|name| name.id == *kept)
        && let Some(other) = call.find_unscoped::<ReservedName>(kept).await?
        && !other.is_of(holder.service, holder.aggregate, holder.id)
        && !other.is_expired(call.now())
    {
        return Err(other.taken_error());
    }
    let mut unit = call.unit();
    let (mut is_held, mut writes) = (false, false);
    for name in names.iter().filter(own) {
        let is_kept = kept == Some(name.id.as_str());
        let next = settled(name, is_kept, holder);
        writes |= next != Next::Same;
        let after = match next {
            Next::Same => name.clone(),
            Next::Changed(after, action) => unit.update_as(name, *after, action)?,
            Next::Free => unit.remove_as(name.clone(), actions::RELEASED)?,
        };
        is_held |= is_kept && after.status() == ReservedNameStatus::Held;
    }
    if writes {
        unit.commit().await?;
    }
    Ok(is_held)
}

/// A name of the holder after a write of the holder. The writes up to that one have ended.
fn settled(name: &ReservedName, is_kept: bool, holder: Holder<'_>) -> Next {
    let at = holder.place();
    let mut after = name.clone();
    after.claims.retain(|claim| Place::of(claim) > at);
    let ended = after.claims.len() < name.claims.len();
    let is_held = name.status() == ReservedNameStatus::Held;
    let action = if is_kept && ended {
        after.set_status(ReservedNameStatus::Held);
        if name.held_at() < at {
            (after.holder_created_at, after.holder_version) = (holder.created_at.copied(), holder.version);
        }
        actions::HELD
    } else if is_kept || is_held && name.held_at() > at {
        // A late repeat neither confirms nor frees what a later write did.
        actions::LOOSENED
    } else if after.claims.is_empty() {
        return Next::Free;
    } else {
        after.set_status(ReservedNameStatus::Reserved);
        actions::LOOSENED
    };
    if after == *name { Next::Same } else { Next::Changed(Box::new(after), action) }
}

#[cfg(test)]
mod tests {
    use pavise_kernel::time::to_timestamp;

    use super::*;
    use crate::contract::v1::NameClaim;
    use ReservedNameStatus::{Held, Reserved};

    /// A name with the versions of its claims, which the holder had last at a version.
    fn name(status: ReservedNameStatus, held: i64, claims: &[i64]) -> ReservedName {
        let claim =
            |version: &i64| NameClaim { id: version.to_string(), created_at: Some(to_timestamp(1)), version: *version };
        let mut name = ReservedName { claims: claims.iter().map(claim).collect(), ..ReservedName::default() };
        name.set_status(status);
        if held > 0 {
            (name.holder_created_at, name.holder_version) = (Some(to_timestamp(1)), held);
        }
        name
    }

    fn after(name: &ReservedName, is_kept: bool, version: i64) -> Option<(ReservedNameStatus, i64, usize)> {
        let made = to_timestamp(1);
        let holder = Holder { service: "offers", aggregate: "Offer", id: "1", created_at: Some(&made), version };
        let shown = |name: &ReservedName| (name.status(), name.holder_version, name.claims.len());
        match settled(name, is_kept, holder) {
            Next::Same => Some(shown(name)),
            Next::Changed(after, _) => Some(shown(&after)),
            Next::Free => None,
        }
    }

    #[test]
    fn a_write_confirms_its_name_and_frees_the_others() {
        assert_eq!(after(&name(Reserved, 0, &[2]), true, 2), Some((Held, 2, 0)));
        assert_eq!(after(&name(Reserved, 0, &[2, 2, 3]), true, 2), Some((Held, 2, 1)), "a later write goes on");
        assert_eq!(after(&name(Held, 1, &[]), false, 2), None);
        assert_eq!(after(&name(Reserved, 0, &[1, 2]), false, 2), None, "writes that failed");
    }

    #[test]
    fn a_name_that_a_later_write_reserved_stays_reserved() {
        assert_eq!(after(&name(Held, 1, &[3]), false, 2), Some((Reserved, 1, 1)));
        assert_eq!(after(&name(Reserved, 0, &[3]), false, 2), Some((Reserved, 0, 1)));
        assert_eq!(after(&name(Reserved, 1, &[3]), true, 3), Some((Held, 3, 0)));
    }

    #[test]
    fn a_late_step_undoes_nothing() {
        assert_eq!(after(&name(Held, 3, &[]), false, 2), Some((Held, 3, 0)), "a late release");
        assert_eq!(after(&name(Reserved, 1, &[3]), true, 1), Some((Reserved, 1, 1)), "a late confirmation");
        assert_eq!(after(&name(Held, 3, &[]), true, 1), Some((Held, 3, 0)));
        assert_eq!(after(&name(Held, 1, &[]), true, 5), Some((Held, 1, 0)), "an unrelated change of the holder");
    }

    #[test]
    fn a_new_entity_with_the_id_of_a_deleted_one_has_its_own_writes() {
        let mut new = name(Held, 7, &[]);
        new.claims = vec![NameClaim { id: "new".to_owned(), created_at: Some(to_timestamp(2)), version: 1 }];
        assert_eq!(after(&new, false, 8), Some((Reserved, 7, 1)), "the deletion frees nothing of the new entity");
    }
}
