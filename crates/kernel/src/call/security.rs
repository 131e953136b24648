//! Security events: one line of the log's target `pavise::security` each, and a count by kind.
//!
//! An event names its actor, the identity that it is about, the caller's network, the reason and the call. It has no value
//! of a request but a well-formed id, so that nobody writes lines and no personal data gets into the log. A caller who
//! causes many events writes few lines: the next second's first line says how many were left out.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use pavise_contract::table::SecurityEvent;

/// The lines of one kind and one actor or network in a second.
const LINES_EACH: u32 = 5;
/// The lines of all in a second.
const LINES: u32 = 200;
/// The time that the lines are counted for.
const WINDOW: Duration = Duration::from_secs(1);

/// A security event.
#[derive(Debug, Clone, Copy, Default)]
pub struct SecurityNote<'a> {
    /// The identity that acts; empty without a token.
    pub actor: &'a str,
    /// The identity that the event is about; empty if it is not known.
    pub identity: &'a str,
    /// The caller's address.
    pub address: &'a str,
    /// The reason of the refusal; empty for a success.
    pub reason: &'a str,
    /// The service.
    pub service: &'a str,
    /// The call.
    pub rpc: &'a str,
    /// The id of the request in journals.
    pub request_id: &'a str,
    /// The W3C trace.
    pub trace_id: &'a str,
}

/// Writes security events, as many as a log can take.
#[derive(Default)]
pub struct SecurityEvents(Mutex<Window>);

impl fmt::Debug for SecurityEvents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecurityEvents")
    }
}

/// The lines of the present second.
#[derive(Default)]
struct Window {
    began: Option<Instant>,
    lines: u32,
    each: HashMap<(SecurityEvent, String), u32>,
    left_out: u64,
}

impl Window {
    /// Whether a line may be written now, and how many were left out before it.
    fn admit(&mut self, event: SecurityEvent, whose: &str, now: Instant) -> Option<u64> {
        if self.began.is_none_or(|began| now.saturating_duration_since(began) >= WINDOW) {
            self.began = Some(now);
            self.lines = 0;
            self.each.clear();
        }
        let each = self.each.get(&(event, whose.to_owned())).copied().unwrap_or_default();
        if self.lines >= LINES || each >= LINES_EACH {
            self.left_out += 1;
            return None;
        }
        self.lines += 1;
        self.each.insert((event, whose.to_owned()), each + 1);
        Some(std::mem::take(&mut self.left_out))
    }
}

impl SecurityEvents {
    /// Counts an event, and writes its line unless there are too many.
    pub fn note_event(&self, event: SecurityEvent, noted: &SecurityNote<'_>) {
        if matches!(event, SecurityEvent::Unspecified | SecurityEvent::None) {
            return;
        }
        let kind = name_of(event);
        metrics::counter!("pavise_security_events_total", "event" => kind).increment(1);
        let network = mask_address(noted.address);
        let whose = if noted.actor.is_empty() { network.as_ref() } else { noted.actor };
        let admitted = self.0.lock().unwrap_or_else(PoisonError::into_inner).admit(event, whose, Instant::now());
        let Some(left_out) = admitted else { return };
        let SecurityNote { actor, reason, service, rpc, request_id, trace_id, .. } = *noted;
        let identity = if is_id(noted.identity) { noted.identity } else { "" };
        tracing::info!(
            target: "pavise::security",
            event = kind, actor, identity, network = %network, reason, service, rpc, request_id, trace_id, left_out, "security"
        );
    }
}

/// `PROOF_FAILED`.
fn name_of(event: SecurityEvent) -> &'static str {
    let name = event.as_str_name();
    name.strip_prefix("SECURITY_EVENT_").unwrap_or(name)
}

/// Whether a text has the form of an id: letters, digits and hyphens, with as many digits as an id has.
fn is_id(text: &str) -> bool {
    let groups: Vec<&str> = text.split('-').collect();
    groups.iter().map(|group| group.len()).eq([8, 4, 4, 4, 12])
        && groups.iter().all(|group| group.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// The network of an address: the first 24 bits of IPv4, the first 48 of IPv6.
#[must_use]
pub fn mask_address(address: &str) -> Cow<'static, str> {
    match address.parse::<IpAddr>().map(|ip| ip.to_canonical()) {
        Ok(IpAddr::V4(ip)) => {
            let [a, b, c, _] = ip.octets();
            Cow::Owned(format!("{a}.{b}.{c}.0/24"))
        }
        Ok(IpAddr::V6(ip)) => {
            let [a, b, c, ..] = ip.segments();
            Cow::Owned(format!("{a:x}:{b:x}:{c:x}::/48"))
        }
        Err(_) => Cow::Borrowed(""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_shown_as_its_network() {
        assert_eq!(mask_address("203.0.113.77"), "203.0.113.0/24");
        assert_eq!(mask_address("::ffff:203.0.113.77"), "203.0.113.0/24");
        assert_eq!(mask_address("2001:db8:1:2:3:4:5:6"), "2001:db8:1::/48");
        assert_eq!(mask_address("a text\nof the caller"), "");
    }

    #[test]
    fn only_an_id_of_ours_is_shown() {
        assert!(is_id("0190b5a0-7b1e-7c3d-8f00-0123456789ab"));
        for other in
            ["", "ada@example.com", "0190b5a0-7b1e-7c3d-8f00-0123456789ag", "0190b5a0-7b1e-7c3d-8f00-0123456789ab\n"]
        {
            assert!(!is_id(other), "{other}");
        }
    }

    #[test]
    fn a_caller_who_tries_often_writes_few_lines() {
        let (mut window, now) = (Window::default(), Instant::now());
        let mut lines = |event, whose: &str, count: u32, now| {
            (0..count).filter(|_| window.admit(event, whose, now).is_some()).count()
        };
        assert_eq!(lines(SecurityEvent::ProofFailed, "203.0.113.0/24", 1_000, now), 5);
        assert_eq!(lines(SecurityEvent::ProofFailed, "198.51.100.0/24", 1_000, now), 5, "others are seen still");
        assert_eq!(lines(SecurityEvent::AccessRefused, "203.0.113.0/24", 1_000, now), 5);
        let all: usize = (0..1_000).map(|from| lines(SecurityEvent::Throttled, &from.to_string(), 1, now)).sum();
        assert_eq!(all, 185, "two hundred in all");
        let later = now + WINDOW;
        assert_eq!(window.admit(SecurityEvent::ProofFailed, "203.0.113.0/24", later), Some(815));
        assert_eq!(window.admit(SecurityEvent::ProofFailed, "203.0.113.0/24", later), Some(0));
    }
}
