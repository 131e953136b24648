//! Telling owners that their factors changed.

use std::collections::BTreeMap;

use pavise_kernel::{Call, Result, Unit};

use super::Factors;
use crate::contract::v1::{Identity, NoticeChannel, NoticeTemplate};
use crate::notices::Letter;

/// Adds a letter to the owner's primary address, if he has one, to a commit.
///
/// # Errors
/// When the database does not answer.
pub(super) async fn changed(service: &Factors, call: &Call, unit: &mut Unit<'_>, owner_id: &str) -> Result<()> {
    let identity = call.find::<Identity>(owner_id).await?.unwrap_or_default();
    let Some(email) = identity.emails.iter().find(|email| email.primary) else { return Ok(()) };
    let letter = Letter {
        owner_id: owner_id.to_owned(),
        channel: NoticeChannel::Email,
        address: email.address.clone(),
        template: NoticeTemplate::FactorChanged,
        locale: String::new(),
        values: BTreeMap::new(),
        code: None,
    };
    service.notices.enqueue(call, unit, letter)
}
