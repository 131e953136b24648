//! The security events of calls: refusals, and successes that operators watch.

use std::sync::PoisonError;

use pavise_contract::table::{Method, Realm, SecurityEvent};

use crate::call::Call;
use crate::call::caller::Caller;
use crate::call::metadata::Conditions;
use crate::call::security::SecurityNote;
use crate::error::Error;
use crate::kernel::Kernel;

impl Kernel {
    /// Notes the refusal of a call. `owner` is the one that its request names.
    pub(crate) fn note_refused(&self, method: &Method, error: &Error, seen: &Seen) {
        let event = error.event();
        if matches!(event, SecurityEvent::Unspecified | SecurityEvent::None) {
            return;
        }
        let (caller, owner, conditions) = seen.parts();
        let about = seen.call.as_ref().map(Call::about).unwrap_or_default();
        let named = if about.is_empty() { owner } else { about.as_str() };
        self.note(event, method, error.reason(), (caller, named), conditions);
    }

    /// Notes the success of a call that operators watch.
    pub(crate) fn note_answered(&self, call: &Call) {
        let (method, parts) = (call.method(), call.parts());
        let wrote = !method.reads && parts.caller.actor.is_some();
        let event = match method.event {
            SecurityEvent::Unspecified if wrote => SecurityEvent::ImpersonationWrote,
            // The platform's own programs read journals all day.
            SecurityEvent::Searched | SecurityEvent::Exported if parts.caller.realm == Realm::Machine => return,
            event => event,
        };
        if matches!(event, SecurityEvent::Unspecified | SecurityEvent::None) || parts.conditions.validate_only {
            return;
        }
        let owner = parts.owner.as_deref().unwrap_or_default();
        self.note(event, method, "", (Some(&*parts.caller), owner), &parts.conditions);
    }

    fn note(
        &self,
        event: SecurityEvent,
        method: &Method,
        reason: &str,
        (caller, named): (Option<&Caller>, &str),
        conditions: &Conditions,
    ) {
        let identity = match caller {
            Some(caller) if named.is_empty() => &caller.identity,
            _ => named,
        };
        let noted = SecurityNote {
            actor: caller.map(Caller::actor_identity).unwrap_or_default(),
            identity,
            address: &conditions.address,
            reason,
            service: method.service,
            rpc: method.rpc,
            request_id: &conditions.request_id,
            trace_id: &conditions.trace_id,
        };
        self.security().note_event(event, &noted);
    }
}

impl Call {
    /// Names the identity that the call proves to be, for the security event of its refusal. The caller does not learn it.
    pub fn note_identity(&self, identity: &str) {
        identity.clone_into(&mut self.parts().about.lock().unwrap_or_else(PoisonError::into_inner));
    }

    fn about(&self) -> String {
        self.parts().about.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// The parts of a call that are known so far, for its log lines and security events.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// The conditions, until the call is admitted.
    pub(crate) conditions: Conditions,
    /// The caller, once the token is checked.
    pub(crate) caller: Option<std::sync::Arc<Caller>>,
    /// The owner that a refused request names.
    pub(crate) owner: Option<String>,
    /// The call, once it is admitted.
    pub(crate) call: Option<Call>,
}

impl Seen {
    /// The W3C trace; empty if not even the conditions could be read.
    pub(crate) fn trace_id(&self) -> &str {
        &self.parts().2.trace_id
    }

    fn parts(&self) -> (Option<&Caller>, &str, &Conditions) {
        match &self.call {
            Some(call) => {
                let parts = call.parts();
                (Some(&*parts.caller), parts.owner.as_deref().unwrap_or_default(), &parts.conditions)
            }
            None => (self.caller.as_deref(), self.owner.as_deref().unwrap_or_default(), &self.conditions),
        }
    }
}
