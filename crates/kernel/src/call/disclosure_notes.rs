//! Notes whose personal data the answer of a call has.

use pavise_contract::table::Realm;

use crate::call::Call;
use crate::call::caller::Caller;
use crate::call::disclosures::Disclosure;
use crate::entity::aggregate::Redact;
use crate::entity::disclosed_owners::DisclosedOwners;
use crate::error::Result;

/// Whether the caller may be somebody who reads the data of others. Programs are not: they read for their users.
fn is_watched(caller: &Caller) -> bool {
    caller.actor.is_some() || matches!(caller.realm, Realm::Internal | Realm::Partner | Realm::GroupAdmin)
}

/// Notes whose personal data an answer has, if its caller is watched.
///
/// # Errors
/// `UNAVAILABLE` when too many notes wait.
pub(crate) fn note<S: Redact>(call: &Call, answer: &S) -> Result<()> {
    if !is_watched(call.caller()) {
        return Ok(());
    }
    let mut disclosed = DisclosedOwners::default();
    answer.disclose(&mut disclosed);
    if disclosed.owners.is_empty() && disclosed.named.is_none() {
        return Ok(());
    }
    let reads = reads_of(call, disclosed);
    call.kernel().disclosures().add(reads, call.kernel().ids())
}

/// The reads of others' data by an answer. Their ids are filled in when they are noted.
fn reads_of(call: &Call, disclosed: DisclosedOwners) -> impl Iterator<Item = Disclosure> {
    let (caller, parts, method) = (call.caller(), call.parts(), call.method());
    let mut owners = disclosed.owners;
    if let Some(kind) = disclosed.named
        && let Some(owner) = call.owner_of_parent().or_else(|| parts.owner.clone())
        && !owners.iter().any(|(_, of)| *of == owner)
    {
        owners.push((kind, owner));
    }
    let among = owners.len() + disclosed.others.len();
    let (reader, impersonated) = (caller.actor_identity(), caller.actor.is_some());
    owners.into_iter().filter(move |(_, owner)| owner != reader).map(move |(kind, owner)| Disclosure {
        id: String::new(),
        reader: reader.to_owned(),
        realm: caller.realm,
        impersonated,
        owner,
        kind,
        service: method.service,
        rpc: method.rpc,
        request_id: parts.conditions.request_id.clone(),
        at: parts.now,
        among,
        reason: parts.reason.clone(),
    })
}
