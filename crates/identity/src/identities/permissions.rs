//! UpdatePermissions and UpdateGroups.

use pavise_kernel::{Call, Result};

use crate::contract::v1::{Identity, IdentityRealm, UpdateGroupsRequest, UpdatePermissionsRequest};
use crate::grants;

pub(super) async fn update_permissions(call: &Call, request: &UpdatePermissionsRequest) -> Result<Identity> {
    let wanted = grants::by_application(&request.permissions);
    call.change(&request.identity_id, |identity: &mut Identity| {
        if !identity.realm().has_permissions() {
            return Err(identity.realm().lacks("permissions"));
        }
        // What it has already is not granted anew, and can be left to it by somebody who has less.
        let has = grants::by_application(&identity.permissions);
        let mut added = wanted.clone();
        for (application, names) in &mut added {
            let had = has.get(application);
            names.retain(|name| !had.is_some_and(|had| had.contains(name)));
        }
        grants::may_pass_on(call.caller(), &added)?;
        identity.permissions = grants::as_messages(&wanted);
        Ok(())
    })
    .await
}

pub(super) async fn update_groups(call: &Call, request: UpdateGroupsRequest) -> Result<Identity> {
    call.change(&request.identity_id, |identity: &mut Identity| {
        if identity.realm() != IdentityRealm::GroupAdmin {
            return Err(identity.realm().lacks("administered groups"));
        }
        identity.group_ids.clone_from(&request.group_ids);
        Ok(())
    })
    .await
}
