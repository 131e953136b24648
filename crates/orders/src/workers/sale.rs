//! `orders.sale`: has an order's offers paid, and records what became of it.

use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::error::Common;
use pavise_kernel::worker::{Feed, Work, Worker};
use pavise_kernel::{Error, Result, async_trait};
use tonic::Code;

use super::{ORDERS, invoice, moved_to};
use crate::contract::billing::payment_method_service_client::PaymentMethodServiceClient;
use crate::contract::billing::{CreateSaleRequest, Transaction, TransactionStatus};
use crate::contract::v1::order_service_client::OrderServiceClient;
use crate::contract::v1::*;

/// The worker.
pub(crate) struct Sale;

#[async_trait]
impl Worker for Sale {
    fn name(&self) -> &'static str {
        "orders.sale"
    }

    fn feed(&self) -> Feed {
        ORDERS
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        let Some(order) = moved_to(entry, &[OrderStatus::Processing])? else { return Ok(()) };
        if !is_current(work, &order).await? {
            return Ok(());
        }
        let mut outcomes = Vec::new();
        for offer in order.offers.iter().filter(|offer| offer.status() == OfferStatusOnOrder::Open) {
            outcomes.push(pay(work, &order, offer).await?);
        }
        let invoice_id = invoice::raise(work, &order, &outcomes).await?;
        let request = SettleOrderRequest { order_id: order.id.clone(), attempt: order.attempt, offers: outcomes, invoice_id };
        OrderServiceClient::new(work.peer("orders")).settle_order(work.request(request, "settle")).await?;
        Ok(())
    }
}

/// Whether the attempt is still the one to be settled: not when the entry is replayed after its time.
async fn is_current(work: &Work, order: &Order) -> Result<bool> {
    let request = GetOrderRequest { order_id: order.id.clone(), ..GetOrderRequest::default() };
    match OrderServiceClient::new(work.peer("orders")).get_order(tonic::Request::new(request)).await {
        Ok(current) => {
            let current = current.into_inner();
            Ok(current.status() == OrderStatus::Processing && current.attempt == order.attempt)
        }
        Err(status) if status.code() == Code::NotFound => Ok(false),
        Err(status) => Err(status.into()),
    }
}

/// Has one offer paid.
///
/// # Errors
/// When it is not known yet whether it is paid: the entry is tried again, and the vendor then asked by our reference.
async fn pay(work: &Work, order: &Order, offer: &OfferOnOrder) -> Result<OfferSettlement> {
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
    match PaymentMethodServiceClient::new(work.peer("billing")).create_sale(work.request(request, &step)).await {
        Ok(transaction) => settlement(offer, &transaction.into_inner()),
        Err(status) => refused(offer, status.into()),
    }
}

/// Whether anything is charged for an offer: not for what is free, nor for what the employer group is billed for.
pub(crate) fn is_charged(order: &Order, offer: &OfferOnOrder) -> bool {
    offer.total.is_some_and(|total| total.amount > 0) && order.payment_method() != PaymentMethod::PremiumBilling
}

/// What a transaction means for the offer.
fn settlement(offer: &OfferOnOrder, transaction: &Transaction) -> Result<OfferSettlement> {
    let failure_reason = match transaction.status() {
        TransactionStatus::Approved => String::new(),
        TransactionStatus::Declined | TransactionStatus::HardDeclined => {
            transaction.decline_reason().as_str_name().trim_start_matches("DECLINE_REASON_").to_owned()
        }
        TransactionStatus::Timedout | TransactionStatus::Created | TransactionStatus::Unspecified => {
            return Err(Error::new(Common::Unavailable, "the payment vendor has not answered yet").because(&transaction.id));
        }
    };
    Ok(OfferSettlement {
        order_offer_id: offer.id.clone(),
        approved: transaction.status() == TransactionStatus::Approved,
        transaction_id: transaction.id.clone(),
        failure_reason,
    })
}

/// What a refused sale means for the offer: a refusal that no repeat changes is a failed payment.
fn refused(offer: &OfferOnOrder, error: Error) -> Result<OfferSettlement> {
    match error.code() {
        Code::FailedPrecondition | Code::NotFound | Code::InvalidArgument => Ok(OfferSettlement {
            order_offer_id: offer.id.clone(),
            failure_reason: error.reason().chars().take(120).collect(),
            ..OfferSettlement::default()
        }),
        _ => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::amount;
    use crate::contract::billing::DeclineReason;
    use pavise_kernel::common::v1::Currency;

    fn offer(amount: i64) -> OfferOnOrder {
        OfferOnOrder { id: "a".into(), total: Some(amount::money(Currency::Usd, amount)), ..OfferOnOrder::default() }
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
        assert!(settlement(&offer(1), &transaction(TransactionStatus::Approved)).unwrap().approved);
        for declined in [TransactionStatus::Declined, TransactionStatus::HardDeclined] {
            let made = settlement(&offer(1), &transaction(declined)).unwrap();
            assert_eq!(
                (made.approved, made.transaction_id.as_str(), made.failure_reason.as_str()),
                (false, "t", "INSUFFICIENT_FUNDS")
            );
        }
        for open in [TransactionStatus::Timedout, TransactionStatus::Created] {
            assert!(settlement(&offer(1), &transaction(open)).unwrap_err().is_transient());
        }
    }

    #[test]
    fn a_refusal_is_a_failed_payment_and_an_outage_is_not() {
        let refusal = Error::new(ErrorReason::PaymentMethodNotUsable, "the payment method is INACTIVE");
        assert_eq!(refused(&offer(1), refusal).unwrap().failure_reason, "PAYMENT_METHOD_NOT_USABLE");
        assert!(refused(&offer(1), Error::new(Common::Unavailable, "down")).is_err());
        assert!(refused(&offer(1), Error::new(Common::PermissionMissing, "no")).is_err());
    }

    #[test]
    fn nothing_is_charged_for_what_is_free_or_billed_to_the_group() {
        assert!(is_charged(&Order::default(), &offer(1)));
        assert!(!is_charged(&Order::default(), &offer(0)));
        assert!(!is_charged(&Order { payment_method: PaymentMethod::PremiumBilling.into(), ..Order::default() }, &offer(1)));
    }
}
