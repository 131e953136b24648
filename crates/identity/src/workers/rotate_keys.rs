//! `identity.rotate_keys`: replaces signing keys in time, and withdraws those whose tokens have all expired.

use std::time::Duration;

use async_trait::async_trait;
use pavise_kernel::Result;
use pavise_kernel::store::Filter;
use pavise_kernel::time::{Micros, to_micros};
use pavise_kernel::worker::{JournalFeed, Work, Worker};

use crate::config::Config;
use crate::contract::SIGNING_KEY_TABLE;
use crate::contract::v1::token_service_client::TokenServiceClient;
use crate::contract::v1::{RetireKeyRequest, SigningKey, SigningKeyStatus};
use crate::shared::bootstrap::{KEY_NAME, ensure_signing_key, replace_signing_key};
use crate::shared::keys::KeyRing;

/// How often the keys are looked at.
const EVERY: Duration = Duration::from_secs(600);

/// Looks after the signing keys.
#[derive(Debug)]
pub(crate) struct RotateKeys {
    config: Config,
}

impl RotateKeys {
    pub(crate) fn new(config: &Config) -> Self {
        Self { config: config.clone() }
    }
}

#[async_trait]
impl Worker for RotateKeys {
    fn name(&self) -> &'static str {
        "identity.rotate_keys"
    }

    fn key_name(&self) -> &'static str {
        KEY_NAME
    }

    fn feed(&self) -> JournalFeed {
        JournalFeed::Every(EVERY)
    }

    async fn tick(&self, work: &Work) -> Result<()> {
        let keys = KeyRing::new(work.kernel().store().clone(), &self.config);
        ensure_signing_key(work.kernel(), &keys).await?;
        // The row is dated in business time. A replacement that comes early by it ends no token.
        if let Some(active) = keys.load_active().await?
            && is_over(active.created_at, self.config.key_rotation, work.now())
        {
            replace_signing_key(work.kernel(), &active.id).await?;
        }
        let filter = Filter {
            statuses: vec![SigningKeyStatus::Retiring.spelling().to_owned()],
            limit: 100,
            ..Filter::default()
        };
        for key in work.kernel().store().list(&SIGNING_KEY_TABLE, &filter).await? {
            let replaced_at = work.read_row::<SigningKey>(&key)?.replaced_at.as_ref().map_or(key.updated_at, to_micros);
            if is_over(replaced_at, self.config.key_overlap, work.machine_now()) {
                let request =
                    work.new_request(RetireKeyRequest { key_id: key.id.clone() }, &format!("retire {}", key.id));
                TokenServiceClient::new(work.peer_channel("identity")).retire_key(request).await?;
            }
        }
        Ok(())
    }
}

fn is_over(since: Micros, lifetime: Duration, now: Micros) -> bool {
    let lifetime = Micros::try_from(lifetime.as_micros()).unwrap_or(Micros::MAX);
    now >= since.saturating_add(lifetime)
}
