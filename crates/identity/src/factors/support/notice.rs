//! The notice of a change of factors.

use pavise_kernel::{Call, Result, Unit};

use crate::contract::v1::{Identity, NoticeTemplate};
use crate::factors::Factors;
use crate::shared::addresses;

/// Adds a letter to the owner to a commit, if the owner has an e-mail address.
///
/// # Errors
/// When the database does not answer.
pub(crate) async fn add_notice(service: &Factors, call: &Call, unit: &mut Unit<'_>, owner_id: &str) -> Result<()> {
    let identity = call.find_unscoped::<Identity>(owner_id).await?.unwrap_or_default();
    for letter in addresses::build_letters(call, &identity, NoticeTemplate::FactorChanged).await? {
        service.notices.enqueue_letter(call, unit, letter)?;
    }
    Ok(())
}
