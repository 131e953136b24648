//! A device that makes and uses a passkey, as a browser hands it over: ES256, no attestation.

#![expect(clippy::indexing_slicing, reason = "tests")]

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::rand::{SecureRandom as _, SystemRandom};
use ring::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair as _};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

const PRESENT: u8 = 1;
const VERIFIED: u8 = 1 << 2;
const ATTESTED: u8 = 1 << 6;

/// A device with one key.
#[derive(Clone)]
pub(crate) struct Device {
    pub(crate) key: Arc<EcdsaKeyPair>,
    pub(crate) credential_id: Vec<u8>,
    /// The owner, as named by the service.
    pub(crate) user_handle: Vec<u8>,
    /// How often it was used.
    pub(crate) counter: u32,
    /// Whether the device verifies its owner.
    pub(crate) verifies: bool,
    /// The site whose page uses it.
    pub(crate) origin: String,
}

impl Device {
    pub(crate) fn new() -> Self {
        let random = SystemRandom::new();
        let pkcs8 = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, &random).unwrap();
        let key = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, pkcs8.as_ref(), &random).unwrap();
        let mut credential_id = vec![0; 32];
        random.fill(&mut credential_id).unwrap();
        Self {
            key: Arc::new(key),
            credential_id,
            user_handle: Vec::new(),
            counter: 0,
            verifies: true,
            origin: "http://localhost:8080".into(),
        }
    }

    /// The answer of navigator.credentials.create.
    pub(crate) fn create(&mut self, options_json: &str) -> String {
        let options: Value = serde_json::from_str(options_json).unwrap();
        let options = &options["publicKey"];
        self.user_handle = URL_SAFE_NO_PAD.decode(options["user"]["id"].as_str().unwrap()).unwrap();
        let client = self.client_data("webauthn.create", options);
        let mut data = self.authenticator_data(options["rp"]["id"].as_str().unwrap(), ATTESTED);
        data.extend([0; 16]);
        data.extend(u16::try_from(self.credential_id.len()).unwrap().to_be_bytes());
        data.extend(&self.credential_id);
        data.extend(self.public_key());
        let mut object = vec![0xa3];
        object.extend(cbor_text("fmt"));
        object.extend(cbor_text("none"));
        object.extend(cbor_text("attStmt"));
        object.push(0xa0);
        object.extend(cbor_text("authData"));
        object.push(0x59);
        object.extend(u16::try_from(data.len()).unwrap().to_be_bytes());
        object.extend(data);
        self.credential(&json!({
            "attestationObject": URL_SAFE_NO_PAD.encode(object),
            "clientDataJSON": URL_SAFE_NO_PAD.encode(client),
            "transports": ["internal"],
        }))
    }

    /// The answer of navigator.credentials.get.
    pub(crate) fn get(&mut self, options_json: &str) -> String {
        let options: Value = serde_json::from_str(options_json).unwrap();
        let options = &options["publicKey"];
        self.counter += 1;
        let client = self.client_data("webauthn.get", options);
        let data = self.authenticator_data(options["rpId"].as_str().unwrap(), 0);
        let signed = [data.as_slice(), &Sha256::digest(&client)].concat();
        let signature = self.key.sign(&SystemRandom::new(), &signed).unwrap();
        self.credential(&json!({
            "authenticatorData": URL_SAFE_NO_PAD.encode(data),
            "clientDataJSON": URL_SAFE_NO_PAD.encode(client),
            "signature": URL_SAFE_NO_PAD.encode(signature.as_ref()),
            "userHandle": URL_SAFE_NO_PAD.encode(&self.user_handle),
        }))
    }

    fn credential(&self, response: &Value) -> String {
        let id = URL_SAFE_NO_PAD.encode(&self.credential_id);
        json!({"id": id, "rawId": id, "type": "public-key", "response": response, "clientExtensionResults": {}})
            .to_string()
    }

    fn client_data(&self, kind: &str, options: &Value) -> Vec<u8> {
        let challenge = options["challenge"].as_str().unwrap();
        json!({"type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": false})
            .to_string()
            .into_bytes()
    }

    fn authenticator_data(&self, site: &str, further: u8) -> Vec<u8> {
        let flags = PRESENT | further | if self.verifies { VERIFIED } else { 0 };
        let mut data = Sha256::digest(site).to_vec();
        data.push(flags);
        data.extend(self.counter.to_be_bytes());
        data
    }

    /// The public key as COSE writes it: an EC2 key for ES256 on P-256.
    fn public_key(&self) -> Vec<u8> {
        let (x, y) = self.key.public_key().as_ref().split_at(1).1.split_at(32);
        let mut key = vec![0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20];
        key.extend(x);
        key.extend([0x22, 0x58, 0x20]);
        key.extend(y);
        key
    }
}

fn cbor_text(text: &str) -> Vec<u8> {
    [&[0x60 + u8::try_from(text.len()).unwrap()], text.as_bytes()].concat()
}
