//! The two identities of a merge.

use pavise_kernel::{Aggregate, Call, Error, Result};

use crate::contract::v1::{ErrorReason, Identity, IdentityMerge, IdentityStatus};
use crate::contract::{lookups, roles};
use crate::shared::grants::GrantedRights;

/// Refuses two identities that cannot be merged, or not by this caller.
///
/// # Errors
/// `INVALID_FIELD`, `NOT_FOUND`, `IDENTITY_MERGED`, `IDENTITIES_NOT_MERGEABLE`, `PERMISSION_NOT_HELD`.
pub(crate) async fn check_mergeable(call: &Call, survivor: &str, merged: &str) -> Result<()> {
    if survivor == merged {
        return Err(Error::field("merged_identity_id", "is the same identity"));
    }
    let survivor = load_standing(call, survivor).await?;
    let merged = load_standing(call, merged).await?;
    if survivor.realm() != merged.realm() {
        let (one, other) = (survivor.realm().spelling(), merged.realm().spelling());
        let message = format!("an identity of realm {one} and one of realm {other} cannot become one");
        return Err(Error::new(ErrorReason::IdentitiesNotMergeable, message));
    }
    if survivor.realm().has_permissions() && !call.has_role(roles::STAFF) {
        let message = format!("identities of realm {} are merged by staff only", survivor.realm().spelling());
        return Err(Error::new(ErrorReason::IdentitiesNotMergeable, message));
    }
    // The caller needs all their rights: a merge takes over the names.
    for identity in [&survivor, &merged] {
        GrantedRights::sign_in(identity).check(call.caller(), call.has_role(roles::GRANTER))?;
    }
    Ok(())
}

/// Refuses identities that are in another open merge than `but`.
///
/// # Errors
/// `IDENTITY_IN_MERGE`.
pub(crate) async fn check_free(call: &Call, identities: &[String], but: &str) -> Result<()> {
    for id in identities {
        if let Some(other) = find_open_merge(call, id).await?.filter(|other| other.id != but) {
            let message = format!("the identity {id} is in another merge that is not done");
            return Err(Error::new(ErrorReason::IdentityInMerge, message).with("merge_id", other.id));
        }
    }
    Ok(())
}

/// The open merge of an identity.
pub(crate) async fn find_open_merge(call: &Call, identity: &str) -> Result<Option<IdentityMerge>> {
    call.find_unscoped_by(lookups::identity_merge::HELD_IDENTITY_IDS, identity).await
}

/// The identity, unless it was merged into another one.
pub(crate) async fn load_standing(call: &Call, id: &str) -> Result<Identity> {
    // The ownership check is skipped: the call names one identity and reads two.
    let identity: Identity =
        call.find_unscoped(id).await?.ok_or_else(|| Error::not_found(Identity::TABLE.noun, &id.replace('\0', "")))?;
    if identity.status() != IdentityStatus::Merged {
        return Ok(identity);
    }
    let into = identity.merged.unwrap_or_default().identity_id;
    let message = format!("the identity {id} was merged into {into}");
    Err(Error::new(ErrorReason::IdentityMerged, message).with("identity_id", into))
}
