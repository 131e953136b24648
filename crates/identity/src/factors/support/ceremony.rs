//! The state of a passkey ceremony between its beginning and its end, sealed into its challenge.

use pavise_kernel::{Call, Error, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::challenge::challenge_over_error;
use crate::contract::v1::Challenge;
use crate::factors::Factors;

impl Factors {
    /// Seals the state that a device's answer is checked against. The seal belongs to one challenge.
    pub(crate) fn seal_ceremony(&self, call: &Call, challenge_id: &str, state: &impl Serialize) -> Result<Vec<u8>> {
        let text = serde_json::to_vec(state).map_err(Error::internal)?;
        let sealed = self.seal.close(&bound(challenge_id), &text, call.kernel().ids());
        sealed.ok_or_else(|| Error::internal("a ceremony could not be sealed"))
    }

    /// Opens the sealed state.
    ///
    /// # Errors
    /// `CHALLENGE_OVER` when it was not begun, or under another key-encryption secret.
    pub(crate) fn open_ceremony<S: DeserializeOwned>(&self, challenge: &Challenge) -> Result<S> {
        let opened = self.seal.open(&bound(&challenge.id), &challenge.sealed_ceremony);
        let state = opened.and_then(|opened| serde_json::from_slice(&opened).ok());
        state.ok_or_else(challenge_over_error)
    }
}

/// The id that the seal of a ceremony is bound to.
fn bound(challenge_id: &str) -> String {
    format!("challenge {challenge_id}")
}
