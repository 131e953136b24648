//! `identity.forget_password_resets`: removes old requests for password resets.

use std::time::Duration;

use async_trait::async_trait;
use pavise_kernel::Result;
use pavise_kernel::store::Filter;
use pavise_kernel::time::{DAY, Micros, to_micros};
use pavise_kernel::worker::{JournalFeed, Work, Worker};

use crate::contract::PASSWORD_RESET_TABLE;
use crate::contract::v1::identity_service_client::IdentityServiceClient;
use crate::contract::v1::{ForgetPasswordResetRequest, PasswordReset};

/// How long a request is kept.
const KEPT: Micros = DAY;
/// How often old ones are looked for.
const EVERY: Duration = Duration::from_secs(3600);
/// How many are read at once.
const PAGE: u32 = 200;

/// Removes requests a day after they were made.
#[derive(Debug)]
pub(crate) struct ForgetPasswordResets;

#[async_trait]
impl Worker for ForgetPasswordResets {
    fn name(&self) -> &'static str {
        "identity.forget_password_resets"
    }

    fn key_name(&self) -> &'static str {
        "identity.password_resets.forget"
    }

    fn feed(&self) -> JournalFeed {
        JournalFeed::Every(EVERY)
    }

    async fn tick(&self, work: &Work) -> Result<()> {
        let mut filter = Filter { limit: PAGE, ..Filter::default() };
        loop {
            let page = work.kernel().store().list(&PASSWORD_RESET_TABLE, &filter).await?;
            let Some(last) = page.last() else { return Ok(()) };
            filter.before = Some(last.id.clone());
            for row in page.into_iter().filter(|row| work.now() >= row.created_at.saturating_add(KEPT)) {
                // A code is good in machine time, whatever the test clock does.
                let until = work.read_row::<PasswordReset>(&row)?.expires_at.as_ref().map_or(Micros::MIN, to_micros);
                if work.machine_now() < until {
                    continue;
                }
                let request =
                    work.new_request(ForgetPasswordResetRequest { password_reset_id: row.id.clone() }, &row.id);
                IdentityServiceClient::new(work.peer_channel("identity")).forget_password_reset(request).await?;
            }
        }
    }
}
