//! Rate limits of calls: the rate limits that the contract declares, and the limit of searches.
//!
//! The allowance refills steadily: a caller who types fast never waits, and a caller who reads everything waits most of
//! the time.

use std::borrow::Cow;
use std::time::Duration;

use pavise_contract::table::{Method, RateLimit, RateLimitScope, Realm};
use sha2::{Digest as _, Sha256};

use crate::call::CallState;
use crate::call::caller::Caller;
use crate::entity::aggregate::Recipient;
use crate::error::{Common, Error, Result};
use crate::hex::to_hex;
use crate::kernel::Kernel;
use crate::port::counts::{Counts, Share, networks};
use crate::time::Micros;

/// How many times a person's count a program has.
const PROGRAMS: i64 = 100;

/// A call for which a rate limit counts.
pub(crate) struct LimitedCall<'a> {
    pub(crate) method: &'static Method,
    pub(crate) caller: &'a Caller,
    pub(crate) owner: Option<&'a str>,
    pub(crate) recipient: Recipient<'a>,
    pub(crate) address: &'a str,
}

impl Counts {
    /// Admits a call, or refuses it because it is made too often. A refused call counts for none of the rate limits.
    ///
    /// # Errors
    /// `TOO_MANY_CALLS`.
    pub(crate) fn check_rate_limits(
        &self,
        call: &LimitedCall<'_>,
        rate_limits: &[RateLimit],
        now: Micros,
    ) -> Result<()> {
        let mut shares: Vec<Share> = Vec::with_capacity(rate_limits.len() + 2);
        let mut whose = Vec::with_capacity(rate_limits.len() + 2);
        for rate_limit in rate_limits {
            let window = Micros::from(rate_limit.seconds).saturating_mul(1_000_000);
            let mut add = |who: &str, times: i64| {
                let by = (window / i64::from(rate_limit.count.max(1)).saturating_mul(times)).max(1);
                // A digest, because keys are stored: they name addresses and people.
                let digest = Sha256::digest(format!("{}\n{:?}\n{who}", call.method.path, rate_limit.per));
                let key = format!("pace/{}", to_hex(digest.get(..16).unwrap_or_default()));
                shares.push(Share { key, by, most: window });
                whose.push((*rate_limit, times));
            };
            call.each_counted(rate_limit.per, &mut add);
        }
        self.take_all(&shares, now).map_err(|(at, excess)| match whose.get(at) {
            Some((rate_limit, times)) => refusal(*rate_limit, *times, excess),
            None => Error::internal("a rate limit that there is not"),
        })
    }
}

impl CallState {
    /// The call for its rate limits.
    pub(crate) fn limited_call<'a>(&'a self, recipient: Recipient<'a>) -> LimitedCall<'a> {
        let (caller, address) = (&*self.caller, self.conditions.address.as_str());
        LimitedCall { method: self.method, caller, owner: self.owner.as_deref(), recipient, address }
    }
}

impl Kernel {
    /// Counts calls of a caller from an address that are not made, so that a test need not make thousands. Rate limits per owner
    /// and recipient are left out.
    pub fn count_calls(&self, method: &'static Method, caller: &Caller, address: &str, times: u32) {
        let now = self.machine_clock().now();
        let limited_call = LimitedCall { method, caller, owner: None, recipient: Recipient::Unknown, address };
        for _ in 0..times {
            if self.counts().check_rate_limits(&limited_call, method.rate_limit, now).is_err() {
                return;
            }
        }
    }
}

impl LimitedCall<'_> {
    /// Names the callers, owners, recipients or networks that a rate limit counts the call for, each with the factor of its
    /// count; none if it is not known.
    fn each_counted(&self, per: RateLimitScope, add: &mut impl FnMut(&str, i64)) {
        let is_program = self.caller.realm == Realm::Machine;
        // The platform's own parts have every permission.
        let is_platform = is_program && self.caller.has("");
        match per {
            RateLimitScope::Unspecified => {}
            RateLimitScope::Caller | RateLimitScope::Address if is_platform => {}
            RateLimitScope::Caller if !self.caller.is_anonymous() => {
                let who = format!("{}\n{}", self.caller.identity, self.caller.actor_identity());
                add(&who, if is_program { PROGRAMS } else { 1 });
            }
            RateLimitScope::Address if is_program => {}
            RateLimitScope::Caller | RateLimitScope::Address => {
                networks(self.address).for_each(|(network, times)| add(&network, times))
            }
            RateLimitScope::Owner => {
                if let Some(owner) = self.owner {
                    add(owner, 1);
                }
            }
            RateLimitScope::Recipient => {
                if let Some(who) = self.recipient() {
                    add(&who, 1);
                }
            }
        }
    }

    /// The recipient, as they are counted: an e-mail address without its label, in lower case.
    fn recipient(&self) -> Option<Cow<'_, str>> {
        match self.recipient {
            Recipient::Unknown => None,
            Recipient::Owner(owner) => {
                let caller = Some(self.caller.identity.as_str()).filter(|caller| !caller.is_empty());
                owner.or(caller).map(Cow::Borrowed)
            }
            Recipient::Named(name) => name.map(|name| {
                let name = name.trim().to_lowercase();
                let labelled = name.split_once('@').and_then(|(local, host)| Some((local.split_once('+')?.0, host)));
                Cow::Owned(labelled.map_or(name.clone(), |(local, host)| format!("{local}@{host}")))
            }),
        }
    }
}

fn refusal(rate_limit: RateLimit, times: i64, wait: Micros) -> Error {
    let wait = u64::try_from((wait + 999_999) / 1_000_000).unwrap_or(1).max(1);
    let (count, seconds) = (i64::from(rate_limit.count).saturating_mul(times), rate_limit.seconds);
    let period = match seconds {
        60 => "a minute".to_owned(),
        3_600 => "an hour".to_owned(),
        86_400 => "a day".to_owned(),
        seconds => format!("in {seconds} s"),
    };
    let times = if count == 1 { "once" } else { &format!("{count} times") };
    let message = match rate_limit.per {
        RateLimitScope::Recipient => {
            format!("this call can be made {times} {period} for one recipient; try again in {wait} s")
        }
        RateLimitScope::Owner => format!("this call can be made {times} {period} for one owner; try again in {wait} s"),
        RateLimitScope::Address => {
            format!("this call can be made {times} {period} from one address; try again in {wait} s")
        }
        RateLimitScope::Caller | RateLimitScope::Unspecified => {
            format!("you may make this call {times} {period}; try again in {wait} s")
        }
    };
    Error::new(Common::TooManyCalls, message).retry_after(Duration::from_secs(wait))
}

#[cfg(test)]
mod tests {
    use pavise_contract::table::{Access, Impersonation};

    use crate::port::counts::network_of_address;

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
        fresh_proof: false,
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
        rate_limit: &[],
        event: pavise_contract::table::SecurityEvent::Unspecified,
        sends: false,
        proves: false,
        reveals: false,
    };
    static FIND: Method = SEARCH;
    static OTHER: Method = Method { path: "/other", ..SEARCH };

    fn by(per: RateLimitScope, count: u32) -> RateLimit {
        RateLimit { per, count, seconds: 60 }
    }

    fn try_once(
        counts: &Counts,
        method: &'static Method,
        rate_limit: RateLimit,
        who: (&str, &str, &str),
        now: Micros,
    ) -> Result<()> {
        let caller = Caller { identity: who.0.to_owned(), ..Caller::default() };
        let recipient = Recipient::Named(Some(who.1));
        counts.check_rate_limits(
            &LimitedCall { method, caller: &caller, owner: Some(who.1), recipient, address: who.2 },
            &[rate_limit],
            now,
        )
    }

    fn admitted(counts: &Counts, caller: &str, now: Micros) -> usize {
        (0..1_000)
            .filter(|_| try_once(counts, &FIND, by(RateLimitScope::Caller, 120), (caller, "", ""), now).is_ok())
            .count()
    }

    #[test]
    fn so_many_at_once_and_then_steadily() {
        let counts = Counts::default();
        assert_eq!(admitted(&counts, "ada", NOW), 120);
        assert_eq!(admitted(&counts, "ada", NOW + MINUTE / 120), 1);
        assert_eq!(admitted(&counts, "ada", NOW + MINUTE / 2), 59);
        assert_eq!(admitted(&counts, "ada", NOW + 10 * MINUTE), 120, "who waited has no more than a minute's");
        let error =
            try_once(&counts, &FIND, by(RateLimitScope::Caller, 120), ("ada", "", ""), NOW + 10 * MINUTE).unwrap_err();
        assert_eq!(error.message(), "you may make this call 120 times a minute; try again in 1 s");
    }

    #[test]
    fn each_caller_and_each_call_by_itself() {
        let counts = Counts::default();
        assert_eq!(admitted(&counts, "ada", NOW), 120);
        assert_eq!(admitted(&counts, "bob", NOW), 120);
        let other = || try_once(&counts, &OTHER, by(RateLimitScope::Caller, 1), ("ada", "", ""), NOW);
        assert!(other().is_ok());
        assert!(other().is_err());
    }

    #[test]
    fn a_rate_limit_counts_the_caller_the_owner_or_the_address() {
        let counts = Counts::default();
        let twice = |per: RateLimitScope, one: (&str, &str, &str), other: (&str, &str, &str)| {
            try_once(&counts, &FIND, by(per, 1), one, NOW).unwrap();
            try_once(&counts, &FIND, by(per, 1), other, NOW).is_err()
        };
        assert!(twice(RateLimitScope::Owner, ("ada", "family", "192.0.2.1"), ("bob", "family", "192.0.2.2")));
        assert!(!twice(RateLimitScope::Owner, ("ada", "one", ""), ("ada", "other", "")));
        assert!(twice(RateLimitScope::Address, ("ada", "", "2001:db8:1:2::7"), ("bob", "", "2001:db8:1:2:3::8")));
        assert!(
            !twice(RateLimitScope::Address, ("ada", "", ""), ("ada", "", "")),
            "calls without an address are not counted"
        );
        assert!(
            twice(RateLimitScope::Caller, ("", "", "192.0.2.3"), ("", "", "192.0.2.3")),
            "without a token, by the address"
        );
    }

    #[test]
    fn a_rate_limit_counts_a_recipient_however_they_are_written() {
        let counts = Counts::default();
        let rate_limit = by(RateLimitScope::Recipient, 2);
        let to = |recipient: &str| try_once(&counts, &FIND, rate_limit, ("ada", recipient, ""), NOW);
        to("Eve@example.com").unwrap();
        to("eve+1@example.com ").unwrap();
        let refused = to("eve+2@EXAMPLE.com").unwrap_err();
        assert_eq!(refused.message(), "this call can be made 2 times a minute for one recipient; try again in 30 s");
        to("eva@example.com").unwrap();
    }

    #[test]
    fn wider_networks_have_more_and_an_end() {
        let counts = Counts::default();
        let from =
            |address: String| try_once(&counts, &FIND, by(RateLimitScope::Address, 2), ("", "", &address), NOW).is_ok();
        let of = |net: &dyn Fn(u32) -> String| (0..100).filter(|number| from(net(*number))).count();
        assert_eq!(of(&|host| format!("2001:db8:1:100::{host:x}")), 2, "of a household");
        assert_eq!(of(&|house| format!("2001:db8:1:1{house:02x}::1")), 6, "of 8 for a customer, less the first two");
        assert_eq!(
            of(&|net| format!("2001:db8:1:{:x}::1", net << 8)),
            24,
            "of 32 for an organization, less the first 8"
        );
        assert_eq!(of(&|site| format!("2001:db8:{:x}::1", site + 2)), 100, "others have their own");
    }

    #[test]
    fn a_refused_call_counts_for_no_rate_limit_and_leaves_nothing() {
        fn call<'a>(caller: &'a Caller, owner: &'a str) -> LimitedCall<'a> {
            LimitedCall { method: &FIND, caller, owner: Some(owner), recipient: Recipient::Unknown, address: "" }
        }
        let counts = Counts::default();
        let caller = Caller { identity: "ada".to_owned(), ..Caller::default() };
        let rate_limits = [by(RateLimitScope::Caller, 100), by(RateLimitScope::Owner, 1)];
        counts.check_rate_limits(&call(&caller, "one"), &rate_limits, NOW).unwrap();
        (0..500).for_each(|_| drop(counts.check_rate_limits(&call(&caller, "one"), &rate_limits, NOW).unwrap_err()));
        for owner in 0..99 {
            let owner = format!("other {owner}");
            counts.check_rate_limits(&call(&caller, &owner), &rate_limits, NOW).unwrap();
        }
        let before = counts.len();
        for owner in 0..500 {
            let owner = format!("more {owner}");
            counts.check_rate_limits(&call(&caller, &owner), &rate_limits, NOW).unwrap_err();
        }
        assert_eq!(counts.len(), before);
    }

    #[test]
    fn a_program_has_more_and_the_platform_is_not_counted() {
        let counts = Counts::default();
        let admitted = |caller: &Caller, per: RateLimitScope| {
            let call = || LimitedCall {
                method: &FIND,
                caller,
                owner: None,
                recipient: Recipient::Unknown,
                address: "192.0.2.9",
            };
            (0..500).filter(|_| counts.check_rate_limits(&call(), &[by(per, 2)], NOW).is_ok()).count()
        };
        let program = Caller { identity: "app".to_owned(), realm: Realm::Machine, ..Caller::default() };
        assert_eq!(
            (admitted(&program, RateLimitScope::Caller), admitted(&program, RateLimitScope::Address)),
            (200, 500)
        );
        let platform = Caller::platform("orders");
        assert_eq!(
            (admitted(&platform, RateLimitScope::Caller), admitted(&platform, RateLimitScope::Address)),
            (500, 500)
        );
    }

    #[test]
    fn a_household_has_one_network() {
        assert_eq!(network_of_address("2001:db8:1:2:3:4:5:6"), network_of_address("2001:DB8:1:2::1"));
        assert_ne!(network_of_address("2001:db8:1:2::1"), network_of_address("2001:db8:1:3::1"));
        assert_eq!(network_of_address("::ffff:203.0.113.9"), network_of_address("203.0.113.9"));
    }

    #[test]
    fn a_full_memory_forgets_those_who_have_waited() {
        let counts = Counts::default();
        for number in 0..100_000 {
            counts.take_share(&number.to_string(), MINUTE / 120, MINUTE, NOW).unwrap();
        }
        assert_eq!(admitted(&counts, "ada", NOW + MINUTE), 120);
        assert!(counts.len() < 100_000);
    }
}
