//! Refusals for reasons that the contract does not declare.
//!
//! The contract lists the reasons of each call, and the documents list nothing else. So another reason is an error of
//! the contract. Tests fail for it; a server logs it once.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use pavise_contract::table::Method;

use crate::error::{Common, Error};

/// Pairs that are kept at most. Peers may send any text as a reason.
const BOUND: usize = 1_000;

/// The calls that refused for an undeclared reason, each with the reason.
#[derive(Debug, Default)]
pub(crate) struct Undeclared(Mutex<BTreeSet<(&'static str, String)>>);

/// Whether the contract declares a reason for a call, or for every service.
fn is_declared(reasons: &[&str], reason: &str) -> bool {
    reasons.contains(&reason) || Common::from_str_name(&format!("ERROR_REASON_{reason}")).is_some()
}

impl Undeclared {
    /// Notes the reason of a refusal unless the contract declares it for the call.
    pub(crate) fn note(&self, method: &'static Method, error: &Error) {
        let reason = error.reason();
        if is_declared(method.reasons, reason) {
            return;
        }
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.len() < BOUND && seen.insert((method.path, reason.to_owned())) {
            tracing::warn!(
                service = method.service,
                rpc = method.rpc,
                reason,
                "the contract does not declare this reason"
            );
        }
    }

    /// The calls that refused for an undeclared reason, each with the reason.
    pub(crate) fn all(&self) -> BTreeSet<(&'static str, String)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_of_the_call_or_of_every_service() {
        let declared = |reason: &str| is_declared(&["CARD_DECLINED"], reason);
        assert!(declared("CARD_DECLINED") && declared("NOT_FOUND") && declared("TOO_MANY_CALLS"));
        assert!(!declared("CARD_LOST") && !declared(""));
    }
}
