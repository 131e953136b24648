//! Messaging: what people are told, and what they have to look at.
//!
//! `alerts` keeps alerts and their templates, `notifications` sends messages and keeps what became of them,
//! `scheduled_communications` sends some at a later time.

mod alerts;
mod config;
mod demo;
mod notifications;
mod scheduled_communications;
mod shared;
mod workers;

/// The contract of this domain as Rust.
#[allow(
    missing_docs,
    unused_imports,
    clippy::all,
    clippy::pedantic,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "generated: which of these apply depends on what the contract declares"
)]
pub mod contract {
    include!(concat!(env!("OUT_DIR"), "/contract.rs"));
}

use std::sync::Arc;

use pavise_kernel::domain::{DomainContract, Settings};
use pavise_kernel::worker::{Work, Worker};
use pavise_kernel::{Common, Domain, Error, Kernel, Result, async_trait};

use crate::contract::NOTIFICATION_TEMPLATE_TABLE;
use crate::contract::v1::notification_service_client::NotificationServiceClient;
use crate::contract::v1::scheduled_communication_service_client::ScheduledCommunicationServiceClient;
use crate::contract::v1::{SeedCommunicationWorkerRequest, SeedNotificationTemplateRequest};
use crate::notifications::support::built_in::BUILT_IN;
use crate::scheduled_communications::support::WORKER;

pub use config::Config;
pub use shared::channels::{Channels, HandOverError, OutgoingMessage};

/// The domain.
pub const DOMAIN: &dyn Domain = &MessagingDomain;

#[derive(Debug)]
struct MessagingDomain;

#[async_trait]
impl Domain for MessagingDomain {
    fn declared(&self) -> &'static DomainContract {
        &contract::DECLARED
    }

    fn provide(&self, kernel: &Kernel, settings: &Settings) -> Result<()> {
        kernel.provide(settings.get::<Config>().unwrap_or_default());
        Ok(())
    }

    fn workers(&self, _: &Settings) -> Result<Vec<Arc<dyn Worker>>> {
        Ok(workers::list_workers())
    }

    async fn bootstrap(&self, kernel: &Kernel, _: &Settings) -> Result<()> {
        let work = Work::new(kernel, "messaging.bootstrap", WORKER.to_owned(), "");
        seed_templates(&work).await?;
        let request = work.new_request(SeedCommunicationWorkerRequest { id: WORKER.to_owned() }, WORKER);
        ScheduledCommunicationServiceClient::new(work.peer_channel("messaging"))
            .seed_communication_worker(request)
            .await?;
        Ok(())
    }

    async fn demo(&self, work: &Work, _: &Settings) -> Result<()> {
        demo::load_messages(work).await
    }
}

/// Makes the built-in templates that are missing.
async fn seed_templates(work: &Work) -> Result<()> {
    let keys: Vec<String> = BUILT_IN.iter().map(|one| one.key.to_owned()).collect();
    let known = work.kernel().store().get_many(&NOTIFICATION_TEMPLATE_TABLE, &keys).await?;
    let client = NotificationServiceClient::new(work.peer_channel("messaging"));
    for key in keys.into_iter().filter(|key| !known.iter().any(|row| row.id == *key)) {
        let request = work.new_request(SeedNotificationTemplateRequest { template_key: key.clone() }, &key);
        match client.clone().seed_notification_template(request).await.map_err(Error::from) {
            // Another process was faster.
            Err(error) if error.is(Common::AlreadyExists) => {}
            other => drop(other?),
        }
    }
    Ok(())
}
