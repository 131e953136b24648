//! Adding and removing e-mail addresses, usernames and classic numbers.

use pavise_kernel::{Call, Error, Result};

use crate::contract::v1::{
    AddClassicIdRequest, AddEmailRequest, AddUsernameRequest, ClassicIdInput, Identity, RemoveClassicIdRequest,
    RemoveEmailRequest, RemoveUsernameRequest,
};

pub(super) async fn add_email(call: &Call, request: &AddEmailRequest) -> Result<Identity> {
    let now = call.timestamp();
    call.change(&request.identity_id, |identity: &mut Identity| identity.add_email(&request.email, request.primary, now)).await
}

pub(super) async fn remove_email(call: &Call, request: &RemoveEmailRequest) -> Result<Identity> {
    call.change(&request.identity_id, |identity: &mut Identity| identity.remove_email(&request.email)).await
}

pub(super) async fn add_username(call: &Call, request: &AddUsernameRequest) -> Result<Identity> {
    call.change(&request.identity_id, |identity: &mut Identity| identity.add_username(&request.username)).await
}

pub(super) async fn remove_username(call: &Call, request: &RemoveUsernameRequest) -> Result<Identity> {
    call.change(&request.identity_id, |identity: &mut Identity| identity.remove_username(&request.username)).await
}

pub(super) async fn add_classic_id(call: &Call, request: &AddClassicIdRequest) -> Result<Identity> {
    let number = given(request.classic_id.as_ref())?;
    call.change(&request.identity_id, |identity: &mut Identity| identity.add_classic_id(number)).await
}

pub(super) async fn remove_classic_id(call: &Call, request: &RemoveClassicIdRequest) -> Result<Identity> {
    let number = given(request.classic_id.as_ref())?;
    let remove = |identity: &mut Identity| {
        identity.remove_classic_id(number);
        Ok(())
    };
    call.change(&request.identity_id, remove).await
}

fn given(number: Option<&ClassicIdInput>) -> Result<&ClassicIdInput> {
    number.ok_or_else(|| Error::field("classic_id", "is required"))
}
