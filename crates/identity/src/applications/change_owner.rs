//! ChangeApplicationOwner: another identity that an application acts for.

use pavise_kernel::{Call, Result};

use super::principal;
use crate::contract::v1::{Application, ChangeApplicationOwnerRequest};
use crate::grants;

pub(super) async fn change_application_owner(call: &Call, request: &ChangeApplicationOwnerRequest) -> Result<Application> {
    let owner = principal(call, &request.new_owner_id).await?;
    call.change(&request.application_id, |application: &mut Application| {
        // It may do from now on what it was given and the new owner may: more than before, perhaps.
        grants::may_pass_on(call.caller(), &grants::by_application(&application.permissions))?;
        application.owner_id.clone_from(&owner.id);
        Ok(())
    })
    .await
}
