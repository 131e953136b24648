//! The workers of requests to reset passwords: one goes on with them, one forgets them.

use std::time::Duration;

use async_trait::async_trait;
use pavise_kernel::Result;
use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::store::Filter;
use pavise_kernel::time::{DAY, Micros};
use pavise_kernel::worker::{Feed, Work, Worker, entity};

use crate::contract::PASSWORD_RESET_TABLE;
use crate::contract::v1::identity_service_client::IdentityServiceClient;
use crate::contract::v1::{ForgetPasswordResetRequest, PasswordReset, PasswordResetStatus, PreparePasswordResetRequest};

/// How long a request is kept.
const KEPT: Micros = DAY;
/// How often old ones are looked for.
const EVERY: Duration = Duration::from_secs(3600);
/// How many are read at once.
const PAGE: u32 = 200;

/// Looks up who asked, and sends the code.
#[derive(Debug)]
pub(crate) struct Preparation;

#[async_trait]
impl Worker for Preparation {
    fn name(&self) -> &'static str {
        "identity.password_resets"
    }

    fn feed(&self) -> Feed {
        Feed::Journal { domain: "identity", service: "identities", path: "/pavise.identity.v1.IdentityService/ReadJournal" }
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        let Some(reset) = entity::<PasswordReset>(entry)? else { return Ok(()) };
        // A request that was forgotten has nothing left to be done.
        if reset.status() == PasswordResetStatus::Requested && entry.action == "PASSWORD_RESET_REQUESTED" {
            let request = work.request(PreparePasswordResetRequest { password_reset_id: reset.id }, "prepare");
            IdentityServiceClient::new(work.peer("identity")).prepare_password_reset(request).await?;
        }
        Ok(())
    }
}

/// Removes requests a day after they were made.
#[derive(Debug)]
pub(crate) struct Forgetting;

#[async_trait]
impl Worker for Forgetting {
    fn name(&self) -> &'static str {
        "identity.password_resets.forget"
    }

    fn feed(&self) -> Feed {
        Feed::Every(EVERY)
    }

    async fn tick(&self, work: &Work) -> Result<()> {
        let mut filter = Filter { limit: PAGE, ..Filter::default() };
        loop {
            let page = work.kernel().store().list(&PASSWORD_RESET_TABLE, &filter).await?;
            let Some(last) = page.last() else { return Ok(()) };
            filter.before = Some(last.id.clone());
            for row in page.into_iter().filter(|row| work.now() >= row.created_at.saturating_add(KEPT)) {
                let request = work.request(ForgetPasswordResetRequest { password_reset_id: row.id.clone() }, &row.id);
                IdentityServiceClient::new(work.peer("identity")).forget_password_reset(request).await?;
            }
        }
    }
}
