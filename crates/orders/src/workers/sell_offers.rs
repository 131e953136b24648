//! `orders.sell_offers`: takes the payments of an order's offers and records their outcome.

mod invoice;

use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::error::Common;
use pavise_kernel::worker::{JournalFeed, Work, Worker};
use pavise_kernel::{Error, Result, async_trait};
use tonic::Code;

use self::invoice::raise_invoice;
use super::support::entry::read_moved_order;
use crate::contract::billing::payment_method_service_client::PaymentMethodServiceClient;
use crate::contract::billing::{CreateSaleRequest, Transaction, TransactionStatus};
use crate::contract::feeds;
use crate::contract::v1::order_service_client::OrderServiceClient;
use crate::contract::v1::*;
use crate::orders::support::charge::is_charged;

/// The worker.
pub(crate) struct SellOffers;

#[async_trait]
impl Worker for SellOffers {
    fn name(&self) -> &'static str {
        "orders.sell_offers"
    }

    fn key_name(&self) -> &'static str {
        "orders.sale"
    }

    fn feed(&self) -> JournalFeed {
        feeds::ORDERS
    }

    /// Money may have moved. Staff say what became of it, where no vendor does.
    fn gives_up(&self) -> bool {
        false
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        let Some(order) = read_moved_order(entry, &[OrderStatus::Processing])? else { return Ok(()) };
        if !is_current(work, &order).await? {
            return Ok(());
        }
        let mut outcomes = Vec::new();
        for offer in order.offers.iter().filter(|offer| offer.status() == OfferStatusOnOrder::Open) {
            outcomes.push(take_payment(work, &order, offer).await?);
        }
        let invoice_id = raise_invoice(work, &order, &outcomes).await?;
        let request =
            SettleOrderRequest { order_id: order.id.clone(), attempt: order.attempt, offers: outcomes, invoice_id };
        OrderServiceClient::new(work.peer_channel("orders")).settle_order(work.new_request(request, "settle")).await?;
        Ok(())
    }
}

/// Whether the attempt of the entry is still under way. It is over when the entry is replayed later.
async fn is_current(work: &Work, order: &Order) -> Result<bool> {
    let request = GetOrderRequest { order_id: order.id.clone(), ..GetOrderRequest::default() };
    match OrderServiceClient::new(work.peer_channel("orders")).get_order(tonic::Request::new(request)).await {
        Ok(current) => {
            let current = current.into_inner();
            Ok(current.status() == OrderStatus::Processing && current.attempt == order.attempt)
        }
        Err(status) if status.code() == Code::NotFound => Ok(false),
        Err(status) => Err(status.into()),
    }
}

/// Takes the payment of one offer.
///
/// # Errors
/// While the outcome is unknown. The entry is tried again, and the vendor is then asked by our reference.
async fn take_payment(work: &Work, order: &Order, offer: &OfferOnOrder) -> Result<OfferSettlement> {
    if !is_charged(order, offer) {
        return Ok(OfferSettlement { order_offer_id: offer.id.clone(), approved: true, ..OfferSettlement::default() });
    }
    let request = CreateSaleRequest {
        identity_id: order.owner_id.clone(),
        payment_method_id: order.payment_method_id.clone(),
        amount: offer.total,
        order_id: order.id.clone(),
        offer_id: offer.offer_id.clone(),
        invoice_id: String::new(),
        reference: format!("{}/{}/{}", order.id, offer.id, order.attempt),
    };
    let step = format!("sale {}", offer.id);
    match PaymentMethodServiceClient::new(work.peer_channel("billing"))
        .create_sale(work.new_request(request, &step))
        .await
    {
        Ok(transaction) => settlement_from(offer, &transaction.into_inner()),
        Err(status) => settlement_from_error(offer, status.into()),
    }
}

/// The settlement of an offer by its transaction.
///
/// # Errors
/// `UNAVAILABLE` while the vendor has not answered.
fn settlement_from(offer: &OfferOnOrder, transaction: &Transaction) -> Result<OfferSettlement> {
    let failure_reason = match transaction.status() {
        TransactionStatus::Approved => String::new(),
        TransactionStatus::Declined | TransactionStatus::HardDeclined => {
            transaction.decline_reason().spelling().to_owned()
        }
        TransactionStatus::Timedout | TransactionStatus::Created | TransactionStatus::Unspecified => {
            return Err(
                Error::new(Common::Unavailable, "the payment vendor has not answered yet").because(&transaction.id)
            );
        }
    };
    Ok(OfferSettlement {
        order_offer_id: offer.id.clone(),
        approved: transaction.status() == TransactionStatus::Approved,
        transaction_id: transaction.id.clone(),
        failure_reason,
    })
}

/// The settlement of an offer by the error of its sale. A refusal that no repeat changes is a failed payment.
///
/// # Errors
/// The error itself, where a repeat can succeed.
fn settlement_from_error(offer: &OfferOnOrder, error: Error) -> Result<OfferSettlement> {
    let for_good = matches!(error.code(), Code::FailedPrecondition | Code::NotFound | Code::InvalidArgument);
    if !for_good {
        return Err(error);
    }
    Ok(OfferSettlement {
        order_offer_id: offer.id.clone(),
        failure_reason: error.reason().chars().take(120).collect(),
        ..OfferSettlement::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::billing::DeclineReason;
    use crate::shared::amount;
    use pavise_kernel::common::v1::Currency;

    fn offer(amount: i64) -> OfferOnOrder {
        OfferOnOrder {
            id: "a".into(),
            total: Some(amount::from_minor_units(Currency::Usd, amount)),
            ..OfferOnOrder::default()
        }
    }

    fn transaction(status: TransactionStatus) -> Transaction {
        Transaction {
            id: "t".into(),
            status: status.into(),
            decline_reason: DeclineReason::InsufficientFunds.into(),
            ..Transaction::default()
        }
    }

    #[test]
    fn only_a_final_answer_of_the_vendor_settles_an_offer() {
        assert!(settlement_from(&offer(1), &transaction(TransactionStatus::Approved)).unwrap().approved);
        for declined in [TransactionStatus::Declined, TransactionStatus::HardDeclined] {
            let made = settlement_from(&offer(1), &transaction(declined)).unwrap();
            assert_eq!(
                (made.approved, made.transaction_id.as_str(), made.failure_reason.as_str()),
                (false, "t", "INSUFFICIENT_FUNDS")
            );
        }
        for open in [TransactionStatus::Timedout, TransactionStatus::Created] {
            assert!(settlement_from(&offer(1), &transaction(open)).unwrap_err().is_transient());
        }
    }

    #[test]
    fn a_refusal_is_a_failed_payment_and_an_outage_is_not() {
        let refusal = Error::new(ErrorReason::PaymentMethodNotUsable, "the payment method is INACTIVE");
        assert_eq!(settlement_from_error(&offer(1), refusal).unwrap().failure_reason, "PAYMENT_METHOD_NOT_USABLE");
        assert!(settlement_from_error(&offer(1), Error::new(Common::Unavailable, "down")).is_err());
        assert!(settlement_from_error(&offer(1), Error::new(Common::PermissionMissing, "no")).is_err());
    }
}
