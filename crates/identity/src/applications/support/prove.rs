//! The application and the permissions of a key.

use std::collections::BTreeMap;

use pavise_kernel::{Call, Result};

use super::key::digest_key;
use super::owner::may_have_applications;
use crate::contract::lookups;
use crate::contract::v1::{Application, ApplicationKey, Identity};
use crate::shared::grants;

/// An application that proved itself with a good key.
pub(crate) struct ProvenApplication {
    pub(crate) application: Application,
    pub(crate) key: ApplicationKey,
    pub(crate) owner: Identity,
    /// The permissions that both the application and its owner have now.
    pub(crate) permissions: BTreeMap<String, Vec<String>>,
}

/// Looks for the application of a key. The lookup is by digest, so its time shows nothing of the key.
pub(crate) async fn prove_key(call: &Call, key: &str) -> Result<Option<ProvenApplication>> {
    let digest = digest_key(key);
    let Some(application) = call.find_unscoped_by::<Application>(lookups::application::KEYS_HASH, &digest).await?
    else {
        return Ok(None);
    };
    let known = application.keys.iter().find(|known| known.is(&digest) && known.is_good(call.machine_now()));
    let Some(key) = known.cloned() else { return Ok(None) };
    let owner = call.find_unscoped::<Identity>(&application.owner_id).await?.filter(may_have_applications);
    let Some(owner) = owner else { return Ok(None) };
    let given = grants::by_application(&application.permissions);
    let permissions = grants::intersect_permissions(&given, &grants::by_application(&owner.permissions));
    Ok(Some(ProvenApplication { application, key, owner, permissions }))
}
