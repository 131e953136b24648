//! `identity.forget_email_addresses`: ends claims that were not proved in seven days, and former addresses after three.

use std::time::Duration;

use pavise_kernel::worker::{JournalFeed, Work, Worker};
use pavise_kernel::{Result, async_trait};

use crate::contract::lookups::email_address as lookups;
use crate::contract::v1::identity_service_client::IdentityServiceClient;
use crate::contract::v1::{EmailAddress, ForgetEmailAddressRequest};

/// The time between two runs.
const PERIOD: Duration = Duration::from_secs(60);

/// The worker.
#[derive(Debug)]
pub(crate) struct ForgetEmailAddresses;

#[async_trait]
impl Worker for ForgetEmailAddresses {
    fn name(&self) -> &'static str {
        "identity.forget_email_addresses"
    }

    fn key_name(&self) -> &'static str {
        "identity.email_addresses"
    }

    fn feed(&self) -> JournalFeed {
        JournalFeed::Every(PERIOD)
    }

    async fn tick(&self, work: &Work) -> Result<()> {
        let client = IdentityServiceClient::new(work.peer_channel("identity"));
        work.call_for_due::<EmailAddress, _, _, _>(lookups::DUE_AT, |id| {
            let mut client = client.clone();
            let request = work.new_request(ForgetEmailAddressRequest { email_address_id: id.clone() }, &id);
            async move { client.forget_email_address(request).await }
        })
        .await
    }
}
