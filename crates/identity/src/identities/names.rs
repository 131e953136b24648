//! UpdateEmail and UpdateUsername: one name in the place of another. Its owner is told at the address from before, so
//! that nobody takes an account over in silence.

use pavise_kernel::{Call, Error, Result};

use super::Identities;
use crate::contract::v1::{Identity, UpdateEmailRequest, UpdateUsernameRequest};
use crate::notices::{Letter, Template};

pub(super) async fn update_email(service: &Identities, call: &Call, request: &UpdateEmailRequest) -> Result<Identity> {
    let new = request.update.as_ref().ok_or_else(|| Error::field("update", "is required"))?;
    let before: Identity = call.get(&request.identity_id).await?;
    let mut after = before.clone();
    after.replace_email(&request.email, &new.email)?;
    // The address that goes is told, primary or not: whoever reads it knows the owner.
    let gone = before.emails.iter().find(|email| after.emails.iter().all(|kept| kept.address != email.address));
    let gone = gone.map(|email| email.address.clone());
    store(service, call, &before, after, gone).await
}

pub(super) async fn update_username(service: &Identities, call: &Call, request: &UpdateUsernameRequest) -> Result<Identity> {
    let new = request.update.as_ref().ok_or_else(|| Error::field("update", "is required"))?;
    let before: Identity = call.get(&request.identity_id).await?;
    let mut after = before.clone();
    after.replace_username(&request.username, &new.username)?;
    store(service, call, &before, after, None).await
}

async fn store(service: &Identities, call: &Call, before: &Identity, after: Identity, gone: Option<String>) -> Result<Identity> {
    call.permit(before)?;
    if after == *before {
        return Ok(after);
    }
    let mut unit = call.unit();
    if let Some(letter) = Letter::to(before, Template::NamesChanged) {
        let address = gone.unwrap_or_else(|| letter.address.clone());
        service.notices.enqueue(call, &mut unit, Letter { address, ..letter })?;
    }
    let after = unit.update(before, after)?;
    unit.answer(after).await
}
