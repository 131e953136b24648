//! The service `tokens`: what the contract leaves to Rust.

mod create_jwt;
mod rotate_key;
mod verify_jwt;

pub(crate) use create_jwt::create_jwt;
pub(crate) use rotate_key::rotate_key;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use pavise_kernel::time::Ids;
use pavise_kernel::token::KeySource;
use pavise_kernel::{Call, Kernel, Result};

use crate::contract::v1;
use crate::issue::Issuer;
use crate::keys::KeyRing;

/// The handler of the service.
#[derive(Debug)]
pub(crate) struct Tokens {
    keys: Arc<KeyRing>,
    issuer: Issuer,
    public: Arc<dyn KeySource>,
    ids: Ids,
}

impl Tokens {
    pub(crate) fn new(kernel: &Kernel, keys: Arc<KeyRing>) -> Self {
        let public = Arc::new(keys.public());
        Self { issuer: Issuer(keys.clone()), keys, public, ids: kernel.ids().clone() }
    }
}

pub(crate) async fn verify_jwt(call: &Call, request: v1::VerifyJwtRequest) -> Result<v1::VerifyJwtResponse> {
    let service = call.provided::<Tokens>()?;
    verify_jwt::verify_jwt(&*service.public, call, &request).await
}

impl From<&v1::SigningKey> for v1::PublicKey {
    fn from(key: &v1::SigningKey) -> Self {
        Self {
            kid: key.id.clone(),
            kty: "OKP".to_owned(),
            crv: "Ed25519".to_owned(),
            x: URL_SAFE_NO_PAD.encode(&key.public_key),
            r#use: "sig".to_owned(),
            alg: "EdDSA".to_owned(),
        }
    }
}
