//! The public half of a signing key.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::contract::v1::{PublicKey, SigningKey};

impl From<&SigningKey> for PublicKey {
    fn from(key: &SigningKey) -> Self {
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
