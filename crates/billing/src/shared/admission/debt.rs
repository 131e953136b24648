//! Whether an amount is owed: by an invoice with a payment in progress, or by an order that is being paid.

use pavise_kernel::common::v1::{BillingProvider, Money};
use pavise_kernel::{Aggregate, Call, Error, Result, Unit};
use tonic::Code;

use super::method::{check_currency, check_kind, check_pays_for, check_standing, load_owned};
use crate::contract::lookups::transaction as lookups;
use crate::contract::orders::order_service_client::OrderServiceClient;
use crate::contract::orders::{GetOrderRequest, OfferStatusOnOrder, Order, OrderStatus};
use crate::contract::v1::{
    ErrorReason, Invoice, PaymentMethod, Subscription, Transaction, TransactionStatus, TransactionType,
};
use crate::invoices::support::charge::reference_of;
use crate::invoices::support::sums::is_pending;
use crate::shared::money;
use crate::shared::tools::Tools as _;
use crate::shared::transactions::plan::Plan;

/// Checks that the order or the invoice of a plan owes its amount to be paid with `method`.
pub(super) async fn check_debt(
    call: &Call,
    unit: &mut Unit<'_>,
    payer: &str,
    plan: &Plan,
    method: &PaymentMethod,
    except: &str,
) -> Result<()> {
    let amount = money::check_positive("amount", plan.amount)?;
    check_currency(method, amount.currency)?;
    if !plan.invoice_id.is_empty() {
        return check_invoice_debt(call, payer, plan, method, &amount).await;
    }
    if plan.order_id.is_empty() {
        return Err(Error::field("order_id", "name the order or the invoice that owes the amount"));
    }
    let order = load_order(call, payer, &plan.order_id).await?;
    check_pays_for(method, &order.group_id)?;
    check_is_being_paid(&order, method)?;
    money::check_currency("order", order.currency, &amount)?;
    let sales: Vec<Transaction> = unit.expects_by(lookups::ORDER_ID, &order.id).await?;
    let open = open_amount(&order, &sales, except);
    if amount.amount <= open {
        return Ok(());
    }
    let most = money::format_amount(&money::in_same_currency(&amount, open.max(0)));
    let message = format!("at most {most} is open on the order");
    Err(Error::new(ErrorReason::PaymentExceedsOpenAmount, message).with("open", open.max(0).to_string()))
}

/// Checks that the member may pay an invoice with a method, before an amount is reserved on it.
///
/// # Errors
/// As [`super::admit_use`], but for the amount.
pub(crate) async fn check_invoice(call: &Call, invoice: &Invoice, method_id: &str) -> Result<()> {
    let method = load_owned(call, &invoice.owner_id, method_id).await?;
    check_kind(&method)?;
    check_currency(&method, invoice.currency)?;
    check_pays_for_invoice(call, &method, invoice).await?;
    check_standing(call, &method)?;
    call.vendors()?.get(method.vendor()).map(|_| ())
}

/// An invoice owes what one of its payments in progress has reserved.
async fn check_invoice_debt(
    call: &Call,
    payer: &str,
    plan: &Plan,
    method: &PaymentMethod,
    amount: &Money,
) -> Result<()> {
    let found: Option<Invoice> = call.find_unscoped(&plan.invoice_id).await?;
    let invoice = found.filter(|invoice| invoice.owner_id == payer);
    let invoice = invoice.ok_or_else(|| Error::not_found(Invoice::TABLE.noun, &plan.invoice_id))?;
    check_pays_for_invoice(call, method, &invoice).await?;
    let payment = invoice.payments.iter().find(|payment| reference_of(&payment.id) == plan.reference);
    let reserved = payment.is_some_and(|payment| {
        is_pending(payment.status())
            && payment.payment_method_id == method.id
            && payment.amount.as_ref() == Some(amount)
    });
    let other_order = !plan.order_id.is_empty() && plan.order_id != invoice.order_id;
    if reserved && !other_order {
        return Ok(());
    }
    Err(Error::new(ErrorReason::NotOwed, "no payment of the invoice in progress is this one: pay the invoice"))
}

/// Refuses a method of one group for an invoice outside that group.
pub(super) async fn check_pays_for_invoice(call: &Call, method: &PaymentMethod, invoice: &Invoice) -> Result<()> {
    if method.group_id.is_empty() {
        return Ok(());
    }
    let group = find_group(call, &invoice.owner_id, &invoice.subscription_id, &invoice.order_id).await?;
    check_pays_for(method, &group)
}

/// The group of what an invoice is for; empty for none.
pub(crate) async fn find_group(call: &Call, payer: &str, subscription_id: &str, order_id: &str) -> Result<String> {
    if !subscription_id.is_empty() {
        let found: Option<Subscription> = call.find_unscoped(subscription_id).await?;
        let own = found.filter(|subscription| subscription.owner_id == payer);
        return Ok(own.map(|subscription| subscription.group_id).unwrap_or_default());
    }
    if order_id.is_empty() {
        return Ok(String::new());
    }
    match load_order(call, payer, order_id).await {
        Ok(order) => Ok(order.group_id),
        Err(error) if error.code() == Code::NotFound => Ok(String::new()),
        Err(error) => Err(error),
    }
}

/// Loads an order of the payer.
///
/// # Errors
/// `NOT_FOUND` for one of somebody else; when orders does not answer.
pub(crate) async fn load_order(call: &Call, payer: &str, id: &str) -> Result<Order> {
    let request = GetOrderRequest { order_id: id.to_owned(), identity_id: payer.to_owned(), ..Default::default() };
    match OrderServiceClient::new(call.peer_channel("orders")).get_order(request).await {
        Ok(order) => Ok(order.into_inner()),
        Err(status) if status.code() == Code::NotFound => Err(Error::not_found("order", id)),
        Err(status) => Err(status.into()),
    }
}

/// Refuses an order that is not being paid with this method.
fn check_is_being_paid(order: &Order, method: &PaymentMethod) -> Result<()> {
    let why = if order.status() != OrderStatus::Processing {
        format!("the order is {}: nothing is being paid on it", order.status().spelling())
    } else if order.payment_method_id != method.id {
        "the order is being paid with another payment method".to_owned()
    } else if order.billing_provider() == BillingProvider::SystemI {
        "the order is billed by SYSTEM I".to_owned()
    } else {
        return Ok(());
    };
    Err(Error::new(ErrorReason::NotOwed, why))
}

/// The total of the unpaid offers less the payments for them that were approved or may be, in minor units.
fn open_amount(order: &Order, transactions: &[Transaction], except: &str) -> i64 {
    let (funded, unpaid): (Vec<_>, Vec<_>) =
        order.offers.iter().partition(|offer| offer.status() == OfferStatusOnOrder::Funded);
    let total = unpaid.iter().fold(0_i64, |sum, offer| sum.saturating_add(money::to_minor_units(offer.total.as_ref())));
    let settled = |one: &Transaction| funded.iter().any(|offer| offer.transaction_ids.contains(&one.id));
    let paid = transactions.iter().filter(|one| one.id != except && is_payment(one) && !settled(one));
    paid.fold(total, |open, one| open.saturating_sub(money::to_minor_units(one.amount.as_ref())))
}

/// Whether a transaction pays, or may still pay. A charge of an authorization is part of it.
fn is_payment(transaction: &Transaction) -> bool {
    let draws = match transaction.r#type() {
        TransactionType::Authorize | TransactionType::Sale => true,
        TransactionType::Charge => transaction.parent_transaction_id.is_empty(),
        TransactionType::Verify | TransactionType::Refund | TransactionType::Unspecified => false,
    };
    draws
        && matches!(
            transaction.status(),
            TransactionStatus::Approved | TransactionStatus::Created | TransactionStatus::Timedout
        )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::orders::OfferOnOrder;

    fn usd(amount: i64) -> Option<Money> {
        Some(Money { currency: 1, amount })
    }

    fn paid(id: &str, kind: TransactionType, status: TransactionStatus, amount: i64) -> Transaction {
        Transaction {
            id: id.to_owned(),
            r#type: kind.into(),
            status: status.into(),
            amount: usd(amount),
            ..Transaction::default()
        }
    }

    #[test]
    fn paid_and_pending_amounts_are_not_open() {
        use TransactionStatus::{Approved, Created, Declined, Timedout};
        use TransactionType::{Authorize, Charge, Refund, Sale, Verify};
        let offer = |amount| OfferOnOrder { total: usd(amount), ..OfferOnOrder::default() };
        let settled = OfferOnOrder {
            status: OfferStatusOnOrder::Funded.into(),
            transaction_ids: vec!["z".into()],
            ..offer(4000)
        };
        let order = Order { offers: vec![offer(2000), offer(1000), settled], ..Order::default() };
        assert_eq!(open_amount(&order, &[], ""), 3000);
        let sales = [
            paid("a", Sale, Approved, 500),
            paid("b", Authorize, Timedout, 300),
            paid("c", Charge, Created, 200),
            Transaction { parent_transaction_id: "b".into(), ..paid("d", Charge, Approved, 300) },
            paid("e", Sale, Declined, 700),
            paid("f", Refund, Approved, 500),
            paid("g", Verify, Approved, 0),
            paid("z", Sale, Approved, 4000),
        ];
        assert_eq!(open_amount(&order, &sales, ""), 2000);
        assert_eq!(open_amount(&order, &sales, "a"), 2500, "itself is not counted");
    }

    #[test]
    fn an_order_is_paid_while_it_is_processing_with_the_method_of_its_purchase() {
        let method = PaymentMethod { id: "card".into(), ..PaymentMethod::default() };
        let order = Order {
            status: OrderStatus::Processing.into(),
            payment_method_id: "card".into(),
            billing_provider: BillingProvider::Psx.into(),
            ..Order::default()
        };
        check_is_being_paid(&order, &method).unwrap();
        for wrong in [
            Order { status: OrderStatus::Open.into(), ..order.clone() },
            Order { status: OrderStatus::Provisioned.into(), ..order.clone() },
            Order { payment_method_id: "other".into(), ..order.clone() },
            Order { billing_provider: BillingProvider::SystemI.into(), ..order.clone() },
        ] {
            assert!(check_is_being_paid(&wrong, &method).unwrap_err().is(ErrorReason::NotOwed));
        }
    }
}
