//! `identity.reseal_secrets`: seals anew what was sealed with the second of two key secrets.
//!
//! It works only while a process has two. The signing key is replaced; the secrets of authenticator apps are sealed again,
//! one by one. Letters, requests for passwords and challenges are over within days by themselves.

use std::time::Duration;

use async_trait::async_trait;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use pavise_kernel::store::{Filter, StoredRow};
use pavise_kernel::worker::{JournalFeed, Work, Worker};
use pavise_kernel::{Common, Error, Result};
use serde::Deserialize;

use crate::config::Config;
use crate::contract::FACTOR_TABLE;
use crate::contract::v1::factor_service_client::FactorServiceClient;
use crate::contract::v1::{ErrorReason, ResealFactorRequest};
use crate::shared::bootstrap::replace_signing_key;
use crate::shared::keys::{KeyRing, Seal};

/// How often it looks.
const EVERY: Duration = Duration::from_secs(60);
/// How many are read at once.
const PAGE: u32 = 200;

/// Seals anew with the first of two key secrets.
#[derive(Debug)]
pub(crate) struct ResealSecrets {
    config: Config,
}

/// The fields that are read of a factor's document.
#[derive(Deserialize)]
struct StoredFactor {
    authenticator: Option<App>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct App {
    #[serde(default)]
    sealed_secret: String,
}

/// The factors of one look.
#[derive(Debug, Default)]
struct ResealCount {
    resealed: u32,
    unreadable: u32,
}

impl ResealSecrets {
    pub(crate) fn new(config: &Config) -> Self {
        Self { config: config.clone() }
    }

    async fn reseal_factors(&self, work: &Work, seal: &Seal) -> Result<ResealCount> {
        let mut filter = Filter { limit: PAGE, ..Filter::default() };
        let mut found = ResealCount::default();
        loop {
            let page = work.kernel().store().list(&FACTOR_TABLE, &filter).await?;
            let Some(last) = page.last() else { return Ok(found) };
            filter.before = Some(last.id.clone());
            for row in page.iter().filter(|row| is_old(row, seal)) {
                let step = format!("reseal {} {}", row.id, row.version);
                let request = work.new_request(ResealFactorRequest { factor_id: row.id.clone() }, &step);
                let answer = FactorServiceClient::new(work.peer_channel("identity")).reseal_factor(request).await;
                match answer.map_err(Error::from) {
                    Ok(_) => found.resealed += 1,
                    Err(error) if error.is(ErrorReason::FactorUnreadable) => found.unreadable += 1,
                    // The factor was removed, or changed at the same moment; the next look sees it.
                    Err(error) if error.is(Common::NotFound) || error.is(Common::Contention) => {}
                    Err(error) => return Err(error),
                }
            }
        }
    }
}

/// Whether its secret is sealed with another secret than the first.
fn is_old(row: &StoredRow, seal: &Seal) -> bool {
    let stored = serde_json::from_str::<StoredFactor>(&row.doc).ok().and_then(|stored| stored.authenticator);
    let sealed = stored.and_then(|app| STANDARD.decode(app.sealed_secret).ok()).unwrap_or_default();
    !sealed.is_empty() && !seal.is_current(&sealed)
}

#[async_trait]
impl Worker for ResealSecrets {
    fn name(&self) -> &'static str {
        "identity.reseal_secrets"
    }

    fn key_name(&self) -> &'static str {
        "identity.reseal"
    }

    fn feed(&self) -> JournalFeed {
        JournalFeed::Every(EVERY)
    }

    async fn tick(&self, work: &Work) -> Result<()> {
        let keys = KeyRing::new(work.kernel().store().clone(), &self.config);
        if !keys.seal().has_two() {
            return Ok(());
        }
        if let Some(active) = keys.load_active().await?
            && !keys.is_current(&active)?
        {
            replace_signing_key(work.kernel(), &active.id).await?;
        }
        let ResealCount { resealed, unreadable } = self.reseal_factors(work, keys.seal()).await?;
        let key = keys.seal().id();
        if unreadable > 0 {
            tracing::warn!(unreadable, key, "factors are sealed with a third key secret");
        }
        tracing::info!(resealed, key, "all factors and the signing key are sealed with the first key secret");
        Ok(())
    }
}
