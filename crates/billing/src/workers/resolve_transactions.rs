//! `billing.resolve_transactions`: asks the vendors for the outcomes of transactions that have none.

use std::time::Duration;

use pavise_kernel::worker::{JournalFeed, Work, Worker};
use pavise_kernel::{Error, Result, async_trait};

use crate::contract::v1::payment_method_service_client::PaymentMethodServiceClient;
use crate::contract::v1::{ListTransactionsRequest, ResolveTransactionRequest, TransactionStatus};

/// The time between two runs.
const PERIOD: Duration = Duration::from_secs(15);
/// The most pages of transactions in one run; the next run takes the rest.
const MOST_PAGES: usize = 20;

/// The worker.
#[derive(Debug)]
pub(crate) struct ResolveTransactions;

#[async_trait]
impl Worker for ResolveTransactions {
    fn name(&self) -> &'static str {
        "billing.resolve_transactions"
    }

    fn key_name(&self) -> &'static str {
        "billing.resolve"
    }

    fn feed(&self) -> JournalFeed {
        JournalFeed::Every(PERIOD)
    }

    async fn tick(&self, work: &Work) -> Result<()> {
        let mut failure = None;
        for status in [TransactionStatus::Timedout, TransactionStatus::Created] {
            for id in find_unresolved(work, status).await? {
                let request = work
                    .new_request(ResolveTransactionRequest { transaction_id: id.clone(), ..Default::default() }, &id);
                let answer =
                    PaymentMethodServiceClient::new(work.peer_channel("billing")).resolve_transaction(request).await;
                // A transaction that cannot be resolved does not stop the others.
                if let Err(status) = answer {
                    failure = Some(Error::from(status));
                }
            }
        }
        failure.map_or(Ok(()), Err)
    }
}

/// Finds the ids of the transactions with that status.
async fn find_unresolved(work: &Work, status: TransactionStatus) -> Result<Vec<String>> {
    let mut client = PaymentMethodServiceClient::new(work.peer_channel("billing"));
    let (mut ids, mut page_token) = (Vec::new(), String::new());
    for _ in 0..MOST_PAGES {
        let request = ListTransactionsRequest {
            status: status.into(),
            page_size: 500,
            page_token,
            ..ListTransactionsRequest::default()
        };
        let page = client.list_transactions(request).await?.into_inner();
        ids.extend(page.transactions.into_iter().map(|transaction| transaction.id));
        if page.next_page_token.is_empty() {
            break;
        }
        page_token = page.next_page_token;
    }
    Ok(ids)
}
