//! Puts a new signing key in place of the active one.

use pavise_kernel::token::TokenKey;
use pavise_kernel::{Call, Error, Page, Result};

use crate::contract::v1::{RotateKeyRequest, SigningKey, SigningKeyStatus};
use crate::contract::{actions, lookups};
use crate::shared::tools::Tools as _;

pub(crate) async fn rotate_key(call: &Call, request: RotateKeyRequest) -> Result<SigningKey> {
    let service = &*call.tokens()?;
    let filters = vec![(lookups::signing_key::STATUS, SigningKeyStatus::Active.spelling().to_owned())];
    let (active, _) = call.list_page::<SigningKey>(Page { size: 1, filters, ..Page::default() }).await?;
    let current = active.first().map_or("", |active| active.id.as_str());
    if !request.replaces.is_empty() && request.replaces != current {
        // An unknown key is refused instead of answered as if it had been replaced.
        call.get::<SigningKey>(&request.replaces).await?;
    }
    let mut unit = call.unit();
    match active.into_iter().next() {
        // Another process has replaced the key already.
        Some(active) if active.id != request.replaces => return call.answer_unchanged(active).await,
        Some(active) => {
            let retiring = SigningKey {
                status: SigningKeyStatus::Retiring.into(),
                sealed_private_key: Vec::new(),
                replaced_at: Some(call.machine_timestamp()),
                ..active.clone()
            };
            unit.update_as(&active, retiring, actions::token_audit::KEY_REPLACED)?;
        }
        None => {}
    }
    let id = call.new_id();
    let key = TokenKey::random(&id, &service.ids);
    let sealed = service.keys.seal().close(&id, &key.private(), &service.ids);
    let sealed_private_key = sealed.ok_or_else(|| Error::internal("a signing key could not be sealed"))?;
    let public_key = key.public().to_bytes().to_vec();
    let key = unit.create(SigningKey { id, public_key, sealed_private_key, ..SigningKey::default() })?;
    let key = unit.commit_answer(key).await?;
    // A leaked key is retired right after the rotation: this process must not sign with it any more.
    service.keys.forget_opened();
    Ok(key)
}
