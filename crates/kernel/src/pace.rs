//! Rate limits of calls: the paces that the contract declares, and the limit of searches.
//!
//! The allowance refills steadily: a caller who types fast never waits, and a caller who reads everything waits most of
//! the time.

use std::time::Duration;

use pavise_contract::table::{Method, Pace, Per};
use sha2::{Digest as _, Sha256};

use crate::call::hex;
use crate::caller::Caller;
use crate::counts::{Counts, network};
use crate::error::{Common, Error, Result};
use crate::time::Micros;

/// A call for which a pace counts.
pub(crate) struct Paced<'a> {
    pub(crate) method: &'static Method,
    pub(crate) caller: &'a Caller,
    pub(crate) owner: Option<&'a str>,
    pub(crate) address: &'a str,
}

impl Counts {
    /// Admits a call, or refuses it because it is made too often.
    ///
    /// # Errors
    /// `TOO_MANY_CALLS`.
    pub(crate) fn admit(&self, call: &Paced<'_>, pace: Pace, now: Micros) -> Result<()> {
        let Some(who) = who(call, pace.per) else { return Ok(()) };
        let window = Micros::from(pace.seconds).saturating_mul(1_000_000);
        let each = (window / Micros::from(pace.count.max(1))).max(1);
        // A digest, because keys are stored: they name addresses and people.
        let digest = Sha256::digest(format!("{}\n{:?}\n{who}", call.method.path, pace.per));
        let key = format!("pace/{}", hex(digest.get(..16).unwrap_or_default()));
        self.take(&key, each, window, now).map_err(|excess| refusal(pace, excess))
    }
}

/// The caller, owner or address of the count; `None` if it is not known.
fn who(call: &Paced<'_>, per: Per) -> Option<String> {
    let address = || Some(network(call.address)).filter(|address| !address.is_empty());
    match per {
        Per::Unspecified => None,
        Per::Caller if call.caller.is_anonymous() => address(),
        Per::Caller => Some(format!("{}\n{}", call.caller.identity, call.caller.acting())),
        Per::Owner => call.owner.map(str::to_owned),
        Per::Address => address(),
    }
}

fn refusal(pace: Pace, wait: Micros) -> Error {
    let wait = u64::try_from((wait + 999_999) / 1_000_000).unwrap_or(1).max(1);
    let (count, seconds) = (pace.count, pace.seconds);
    let period = match seconds {
        60 => "a minute".to_owned(),
        3_600 => "an hour".to_owned(),
        86_400 => "a day".to_owned(),
        seconds => format!("in {seconds} s"),
    };
    let times = if count == 1 { "once" } else { &format!("{count} times") };
    let message = match pace.per {
        Per::Owner => format!("this call can be made {times} {period} for one owner; try again in {wait} s"),
        Per::Address => format!("this call can be made {times} {period} from one address; try again in {wait} s"),
        Per::Caller | Per::Unspecified => format!("you may make this call {times} {period}; try again in {wait} s"),
    };
    Error::new(Common::TooManyCalls, message).retry_after(Duration::from_secs(wait))
}

#[cfg(test)]
mod tests {
    use pavise_contract::table::{Access, Impersonation};

    use super::*;
    use crate::time::MINUTE;

    const NOW: Micros = 1_800_000_000_000_000;
    const OPEN: Access = Access {
        public: true,
        realms: &[],
        permission: "",
        owner: false,
        owner_only: false,
        owner_admitted: false,
        scopes: &[],
        impersonation: Impersonation::Unspecified,
        roles: &[],
    };
    const SEARCH: Method = Method {
        service: "things",
        journal: "things",
        domain: "tests",
        rpc: "FindThings",
        path: "/search",
        response: "",
        access: OPEN,
        reads: true,
        action: "",
        actions: &[],
        aggregate: None,
        from: &[],
        to: &[],
        steps: &[],
        reasons: &[],
        pace: &[],
        event: pavise_contract::table::SecurityEvent::Unspecified,
    };
    static FIND: Method = SEARCH;
    static OTHER: Method = Method { path: "/other", ..SEARCH };

    fn by(per: Per, count: u32) -> Pace {
        Pace { per, count, seconds: 60 }
    }

    fn try_once(
        counts: &Counts,
        method: &'static Method,
        pace: Pace,
        who: (&str, &str, &str),
        now: Micros,
    ) -> Result<()> {
        let caller = Caller { identity: who.0.to_owned(), ..Caller::default() };
        counts.admit(&Paced { method, caller: &caller, owner: Some(who.1), address: who.2 }, pace, now)
    }

    fn admitted(counts: &Counts, caller: &str, now: Micros) -> usize {
        (0..1_000).filter(|_| try_once(counts, &FIND, by(Per::Caller, 120), (caller, "", ""), now).is_ok()).count()
    }

    #[test]
    fn so_many_at_once_and_then_steadily() {
        let counts = Counts::default();
        assert_eq!(admitted(&counts, "ada", NOW), 120);
        assert_eq!(admitted(&counts, "ada", NOW + MINUTE / 120), 1);
        assert_eq!(admitted(&counts, "ada", NOW + MINUTE / 2), 59);
        assert_eq!(admitted(&counts, "ada", NOW + 10 * MINUTE), 120, "who waited has no more than a minute's");
        let error = try_once(&counts, &FIND, by(Per::Caller, 120), ("ada", "", ""), NOW + 10 * MINUTE).unwrap_err();
        assert_eq!(error.message(), "you may make this call 120 times a minute; try again in 1 s");
    }

    #[test]
    fn each_caller_and_each_call_by_itself() {
        let counts = Counts::default();
        assert_eq!(admitted(&counts, "ada", NOW), 120);
        assert_eq!(admitted(&counts, "bob", NOW), 120);
        let other = || try_once(&counts, &OTHER, by(Per::Caller, 1), ("ada", "", ""), NOW);
        assert!(other().is_ok());
        assert!(other().is_err());
    }

    #[test]
    fn a_pace_counts_the_caller_the_owner_or_the_address() {
        let counts = Counts::default();
        let twice = |per: Per, one: (&str, &str, &str), other: (&str, &str, &str)| {
            try_once(&counts, &FIND, by(per, 1), one, NOW).unwrap();
            try_once(&counts, &FIND, by(per, 1), other, NOW).is_err()
        };
        assert!(twice(Per::Owner, ("ada", "family", "192.0.2.1"), ("bob", "family", "192.0.2.2")));
        assert!(!twice(Per::Owner, ("ada", "one", ""), ("ada", "other", "")));
        assert!(twice(Per::Address, ("ada", "", "2001:db8:1:2::7"), ("bob", "", "2001:db8:1:2:3::8")));
        assert!(!twice(Per::Address, ("ada", "", ""), ("ada", "", "")), "calls without an address are not counted");
        assert!(twice(Per::Caller, ("", "", "192.0.2.3"), ("", "", "192.0.2.3")), "without a token, by the address");
    }

    #[test]
    fn a_household_has_one_network() {
        assert_eq!(network("2001:db8:1:2:3:4:5:6"), network("2001:DB8:1:2::1"));
        assert_ne!(network("2001:db8:1:2::1"), network("2001:db8:1:3::1"));
        assert_eq!(network("::ffff:203.0.113.9"), network("203.0.113.9"));
    }

    #[test]
    fn a_full_memory_forgets_those_who_have_waited() {
        let counts = Counts::default();
        for number in 0..100_000 {
            counts.take(&number.to_string(), MINUTE / 120, MINUTE, NOW).unwrap();
        }
        assert_eq!(admitted(&counts, "ada", NOW + MINUTE), 120);
        assert!(counts.len() < 100_000);
    }
}
