//! The reservation of a name: whose it is, which writes reserved it, and its end.

use pavise_kernel::time::Micros;
use pavise_kernel::{Call, Consequences, Result, Step};

use crate::contract::v1::ReservedName;

/// Writes of a holder that reserve a name at once, at most. The oldest are left out: they have failed, or the worker
/// reserves the name again.
const CLAIMS: usize = 20;

impl Consequences for ReservedName {
    async fn follow(call: &Call, step: &mut Step<'_, Self>) -> Result<()> {
        let Some(after) = &mut step.after else { return Ok(()) };
        reserve(step.before.as_ref(), after, call.now())
    }
}

fn reserve(before: Option<&ReservedName>, after: &mut ReservedName, now: Micros) -> Result<()> {
    if let Some(before) = before {
        if before.is_of(&after.holder_service, &after.holder_aggregate, &after.holder_id) {
            let known = |id: &str| after.claims.iter().any(|claim| claim.id == id);
            let earlier: Vec<_> = before.claims.iter().filter(|claim| !known(&claim.id)).cloned().collect();
            after.claims.splice(0..0, earlier);
            let most = after.claims.len().saturating_sub(CLAIMS);
            after.claims.drain(..most);
        } else if before.is_expired(now) {
            (after.holder_created_at, after.holder_version) = (None, 0);
        } else {
            return Err(before.taken_error());
        }
    }
    after.extend_reservation(now);
    Ok(())
}

#[cfg(test)]
mod tests {
    use pavise_kernel::Common;
    use pavise_kernel::time::{to_micros, to_timestamp};

    use super::*;
    use crate::contract::v1::{NameClaim, ReservedNameStatus};
    use crate::reserved_names::support::holder::RESERVATION;

    fn name(holder: &str, claims: &[&str]) -> ReservedName {
        let claim = |id: &&str| NameClaim { id: (*id).to_owned(), version: 1, ..NameClaim::default() };
        let mut name = ReservedName { holder_id: holder.to_owned(), ..ReservedName::default() };
        name.claims = claims.iter().map(claim).collect();
        name.set_status(ReservedNameStatus::Reserved);
        name.held_until = Some(to_timestamp(100));
        name
    }

    fn ids(name: &ReservedName) -> Vec<&str> {
        name.claims.iter().map(|claim| claim.id.as_str()).collect()
    }

    #[test]
    fn each_write_of_the_holder_adds_to_the_reservation() {
        let (before, mut after) = (name("offer", &["a", "b"]), name("offer", &["c"]));
        reserve(Some(&before), &mut after, 50).unwrap();
        assert_eq!(ids(&after), ["a", "b", "c"]);
        assert_eq!(after.held_until.as_ref().map(to_micros), Some(50 + RESERVATION));
        let again = after.clone();
        let mut repeated = name("offer", &["b"]);
        reserve(Some(&again), &mut repeated, 50).unwrap();
        assert_eq!(ids(&repeated), ["a", "c", "b"], "a repeat adds nothing");
    }

    #[test]
    fn another_holder_gets_the_name_when_the_reservation_ran_out() {
        let (before, mut after) = (name("offer", &["a"]), name("product", &["b"]));
        let refused = reserve(Some(&before), &mut after, 99).unwrap_err();
        assert!(refused.is(Common::NameTaken));
        assert_eq!(refused.violations()[0].field, "name");
        reserve(Some(&before), &mut after, 100).unwrap();
        assert_eq!(ids(&after), ["b"]);
        let mut held = before;
        held.set_status(ReservedNameStatus::Held);
        assert!(reserve(Some(&held), &mut after, 1_000).unwrap_err().is(Common::NameTaken), "what is held stays");
    }

    #[test]
    fn the_oldest_of_too_many_writes_is_left_out() {
        let many: Vec<String> = (0..CLAIMS).map(|at| at.to_string()).collect();
        let before = name("offer", &many.iter().map(String::as_str).collect::<Vec<_>>());
        let mut after = name("offer", &["new"]);
        reserve(Some(&before), &mut after, 1).unwrap();
        assert_eq!((after.claims.len(), ids(&after)[0], ids(&after)[CLAIMS - 1]), (CLAIMS, "1", "new"));
    }
}
