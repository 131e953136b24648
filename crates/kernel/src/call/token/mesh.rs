//! The token with which a process calls other parts of the platform.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::call::caller::Caller;
use crate::call::peers::Credential;
use crate::call::token::claims::SECOND;
use crate::call::token::key::{TokenKey, issue_token};
use crate::time::Micros;

/// The lifetime of a mesh token, and the time before its end at which it is renewed.
const MESH_LIFETIME: Duration = Duration::from_secs(600);
const MESH_RENEWAL: Micros = 120 * SECOND;

/// The token with which this process calls other parts of the platform. It is renewed before it expires.
#[derive(Debug)]
pub struct MeshCredential {
    key: TokenKey,
    caller: Caller,
    current: Mutex<(String, Micros)>,
}

impl MeshCredential {
    /// Signs with the key that the platform's parts share. `name` is the platform's name in journals.
    #[must_use]
    pub fn new(key: TokenKey, name: &str) -> Self {
        Self { key, caller: Caller::platform(name), current: Mutex::new((String::new(), Micros::MIN)) }
    }
}

impl Credential for MeshCredential {
    fn token(&self, now: Micros) -> String {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        if now >= current.1 {
            let lifetime = Micros::try_from(MESH_LIFETIME.as_micros()).unwrap_or(0);
            *current =
                (issue_token(&self.caller, MESH_LIFETIME, &self.key, now), now.saturating_add(lifetime - MESH_RENEWAL));
        }
        current.0.clone()
    }
}
