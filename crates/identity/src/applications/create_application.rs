//! Creates an application with its first key.

use pavise_kernel::{Call, Error, Result};

use super::support::key::NewKey;
use super::support::owner::load_owner;
use crate::contract::v1::{Application, CreateApplicationRequest, ErrorReason, IssuedApplicationKey};
use crate::shared::grants;
use crate::shared::grants::GrantedRights;

pub(crate) async fn create_application(call: &Call, request: CreateApplicationRequest) -> Result<IssuedApplicationKey> {
    let owner = load_owner(call, &request.identity_id).await?;
    let permissions = grants::by_application(&request.permissions);
    GrantedRights::permissions(&permissions).check(call.caller(), false)?;
    if let Some((application, permission)) =
        grants::find_beyond(&grants::by_application(&owner.permissions), &permissions)
    {
        let refused = Error::new(ErrorReason::OwnerLacksPermission, format!("the owner does not have {permission}"));
        return Err(refused.with("permission", permission).with("application", application));
    }
    let key = NewKey::new(call);
    let mut unit = call.unit();
    let application = unit.create(Application {
        owner_id: owner.id,
        name: request.name,
        external_reference: request.external_reference,
        permissions: grants::as_messages(&permissions),
        keys: vec![key.record.clone()],
        ..Application::default()
    })?;
    key.show_key(call, unit, application).await
}
