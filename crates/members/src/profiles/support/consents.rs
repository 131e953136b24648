//! Consents: what a person agreed to, with who recorded it, when, where, and to which words.

use pavise_kernel::EditContext;

use crate::contract::v1::Consent;

/// The consent that a call records.
pub(crate) fn record_consent(
    context: &EditContext,
    given: bool,
    source: &str,
    wording_version: &str,
) -> Option<Consent> {
    Some(Consent {
        given,
        at: Some(context.timestamp()),
        by: context.actor().to_owned(),
        source: source.trim().to_owned(),
        wording_version: wording_version.trim().to_owned(),
    })
}

/// Ends a consent that was given.
pub(crate) fn end_consent(context: &EditContext, consent: &mut Option<Consent>, source: &str) {
    if let Some(consent) = consent.as_mut().filter(|consent| consent.given) {
        consent.given = false;
        consent.at = Some(context.timestamp());
        context.actor().clone_into(&mut consent.by);
        source.clone_into(&mut consent.source);
    }
}
