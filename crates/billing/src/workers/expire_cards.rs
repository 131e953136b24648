//! `billing.expire_cards`: makes payment methods INACTIVE on the day after the last month of their card.

use std::time::Duration;

use pavise_kernel::worker::{JournalFeed, Work, Worker};
use pavise_kernel::{Result, async_trait};

use crate::contract::lookups::payment_method as lookups;
use crate::contract::v1::payment_method_service_client::PaymentMethodServiceClient;
use crate::contract::v1::{ExpirePaymentMethodRequest, PaymentMethod};

/// The time between two runs.
const PERIOD: Duration = Duration::from_secs(600);

/// The worker.
#[derive(Debug)]
pub(crate) struct ExpireCards;

#[async_trait]
impl Worker for ExpireCards {
    fn name(&self) -> &'static str {
        "billing.expire_cards"
    }

    fn key_name(&self) -> &'static str {
        "billing.expired_cards"
    }

    fn feed(&self) -> JournalFeed {
        JournalFeed::Every(PERIOD)
    }

    async fn tick(&self, work: &Work) -> Result<()> {
        let client = PaymentMethodServiceClient::new(work.peer_channel("billing"));
        work.call_for_due::<PaymentMethod, _, _, _>(lookups::DUE_TO_EXPIRE_ON, |id| {
            let mut client = client.clone();
            let request = work.new_request(ExpirePaymentMethodRequest { payment_method_id: id.clone() }, &id);
            async move { client.expire_payment_method(request).await }
        })
        .await
    }
}
