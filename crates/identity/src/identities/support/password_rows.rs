//! Passwords of another system, one by one.

use pavise_kernel::{Call, Error, Result};

use super::passwords::put_hash;
use super::state::Identities;
use crate::contract::v1::{Credential, CredentialStatus, Identity, PasswordRow, PasswordRowOutcome};
use crate::shared::grants;
use crate::shared::password::{formats, policy};

/// Adds one password; answers whether it was added or one was there.
pub(crate) async fn add_password(
    service: &Identities,
    call: &Call,
    id: &str,
    row: PasswordRow,
) -> Result<PasswordRowOutcome> {
    if id == "-" {
        return Err(Error::field("user_id", "name the identity"));
    }
    let identity: Identity = call.get(id).await?;
    let before = call.find_unscoped::<Credential>(id).await?;
    if before.as_ref().is_some_and(|before| before.status() == CredentialStatus::Active) {
        return Ok(PasswordRowOutcome::Kept);
    }
    grants::check_sign_in_change(call, &identity)?;
    let (hash, set_at) = match (row.password.is_empty(), row.password_hash.is_empty()) {
        (false, true) => {
            policy::check_password("password", &row.password, identity.names())?;
            (service.passwords.hash_chosen("password", row.password).await?, Some(call.timestamp()))
        }
        (true, false) => {
            formats::check_hash("password_hash", &row.password_hash)?;
            (row.password_hash, None)
        }
        _ => return Err(Error::field("password", "give the password or its hash")),
    };
    let mut unit = call.unit();
    put_hash(call, &mut unit, before, id, hash, set_at)?;
    unit.commit().await?;
    Ok(PasswordRowOutcome::Added)
}
