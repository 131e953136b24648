//! The reasons why calls can be refused.

use prost_reflect::DescriptorPool;

use crate::option::{comment, option};
use crate::options::v1 as options;
use crate::spelling;

/// A reason why a call can be refused.
#[derive(Debug)]
pub struct Reason {
    /// The domain, or `common`.
    pub domain: String,
    /// The name for callers: `OFFER_NOT_FOR_SALE`.
    pub name: String,
    /// The canonical code's name.
    pub code: String,
    /// An example message.
    pub example: String,
    /// The security event of a refusal for it.
    pub event: options::SecurityEvent,
    /// Its meaning: the value's comment.
    pub comment: String,
}

/// The reasons of the pool, by package and number.
pub(crate) fn reasons(pool: &DescriptorPool) -> Vec<Reason> {
    let mut found = Vec::new();
    for descriptor in pool.all_enums().filter(|descriptor| descriptor.name() == "ErrorReason") {
        for value in descriptor.values() {
            let Some(reason) = option::<options::Reason>(&value.options(), pool, "pavise.contract.v1.reason") else {
                continue;
            };
            let comment = comment(&descriptor.parent_file(), value.path());
            found.push(Reason {
                domain: domain_of(descriptor.package_name()),
                name: spelling::of(&value).unwrap_or_default(),
                event: event_of(&reason),
                code: reason.code,
                example: reason.example,
                comment,
            });
        }
    }
    found
}

/// The canonical code and the security event of a value of an `ErrorReason` enumeration.
#[must_use]
pub fn reason_code(
    value: &prost_reflect::EnumValueDescriptor,
    pool: &DescriptorPool,
) -> Option<(String, options::SecurityEvent)> {
    let reason = option::<options::Reason>(&value.options(), pool, "pavise.contract.v1.reason")?;
    let event = event_of(&reason);
    Some((reason.code, event))
}

/// The security event of a refusal: the declared one, or else that of the code.
fn event_of(reason: &options::Reason) -> options::SecurityEvent {
    match (reason.event(), reason.code.as_str()) {
        (options::SecurityEvent::Unspecified, "UNAUTHENTICATED") => options::SecurityEvent::ProofFailed,
        (options::SecurityEvent::Unspecified, "PERMISSION_DENIED") => options::SecurityEvent::AccessRefused,
        (options::SecurityEvent::Unspecified, "RESOURCE_EXHAUSTED") => options::SecurityEvent::Throttled,
        (options::SecurityEvent::Unspecified, _) => options::SecurityEvent::None,
        (event, _) => event,
    }
}

/// The domain of a proto package: `pavise.billing.v1` → `billing`.
#[must_use]
pub fn domain_of(package: &str) -> String {
    package.split('.').nth(1).unwrap_or(package).to_owned()
}
