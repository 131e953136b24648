//! Checks of calls about proofs: of those that need a fresh one, and of those that prove something.

use std::error::Error;

use pavise_contract::options::v1::{Impersonation, Realm};
use pavise_contract::{Behavior, Method};

use crate::floor::fields::{Known, has_secret};

/// Checks what a call says of proofs, and of the notice that its impersonation owes.
pub(crate) fn check(method: &Method, secrets: &mut Known) -> Result<(), Box<dyn Error>> {
    let (place, access) = (method.descriptor.full_name(), &method.access);
    if access.fresh_proof && access.public {
        return Err(format!("{place}: access.fresh_proof is not for a public call: leave one of them out").into());
    }
    if access.fresh_proof && access.impersonation() != Impersonation::Deny {
        return Err(format!(
            "{place}: access.fresh_proof needs IMPERSONATION_DENY, because nobody proves anything as another identity"
        )
        .into());
    }
    if access.impersonation() == Impersonation::Notify && (method.reads() || method.actions().is_empty()) {
        return Err(format!(
            "{place}: IMPERSONATION_NOTIFY needs a call that writes an entry, and this one {}",
            if method.reads() { "reads" } else { "has no action" }
        )
        .into());
    }
    if let Behavior::Custom(custom) = &method.behavior {
        let people = access.public || access.realms().any(|realm| realm != Realm::Machine);
        let is_export = custom.reads && method.answers_stream(custom) && people;
        if is_export && !access.fresh_proof && custom.unproved.trim().is_empty() {
            return Err(format!(
                "{place}: people who take a stream prove themselves first: give it `fresh_proof`, or say in `unproved` why not"
            )
            .into());
        }
        if !custom.unproved.is_empty() && (!is_export || access.fresh_proof) {
            return Err(format!("{place}: `unproved` is for a stream that people take without a fresh proof").into());
        }
    }
    let is_custom = matches!(method.behavior, Behavior::Custom(_));
    let in_rust = is_custom || method.edits() || method.checks();
    if method.proves && !in_rust {
        return Err(format!(
            "{place}: `proves` needs Rust that checks the proof: set `edit` or `checks`, or leave it out"
        )
        .into());
    }
    let takes_secret = (is_custom || !method.reads()) && has_secret(&method.descriptor.input(), secrets);
    match (takes_secret, method.proves, method.proves_nothing.is_empty()) {
        (true, false, true) => Err(format!(
            "{place}: its request has a secret: set `proves`, or write in `proves_nothing` why it proves nothing"
        )
        .into()),
        (_, true, false) => Err(format!("{place}: it has `proves` and `proves_nothing`: keep one of them").into()),
        (false, false, false) => {
            Err(format!("{place}: `proves_nothing` is for a request with a secret: leave it out").into())
        }
        _ => Ok(()),
    }
}
