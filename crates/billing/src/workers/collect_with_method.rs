//! `billing.collect_with_method`: charges what is FAILED or DELINQUENT to a payment method that is new, became the default,
//! or got other details: at once, and once.

use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::worker::{self, JournalFeed, Work, Worker};
use pavise_kernel::{Result, async_trait};

use super::collecting::{charge_invoice, is_cause_for, is_recent, list_refused};
use crate::contract::actions::payment_method as actions;
use crate::contract::feeds;
use crate::contract::v1::{Collection, Invoice, PaymentMethod, PaymentMethodStatus};
use crate::payment_methods::support::kind::is_chargeable;

/// The worker that reads payment methods.
#[derive(Debug)]
pub(crate) struct CollectWithMethod;

#[async_trait]
impl Worker for CollectWithMethod {
    fn name(&self) -> &'static str {
        "billing.collect_with_method"
    }

    fn feed(&self) -> JournalFeed {
        feeds::PAYMENT_METHODS
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        let Some(method) = worker::decode_entity::<PaymentMethod>(entry)? else { return Ok(()) };
        let Some(asks) = find_cause(&entry.action, &method) else { return Ok(()) };
        if entry.removed || !is_recent(work, entry) {
            return Ok(());
        }
        for invoice in list_refused(work, &method.owner_id).await? {
            let is_meant = invoice.collection() == Collection::Charge && asks(&invoice, &method.id);
            if is_meant && is_cause_for(entry, &invoice, &method.id) {
                charge_invoice(work, &invoice, &method.id).await?;
            }
        }
        Ok(())
    }
}

/// Whether an invoice is charged, if the change of the method is a cause to charge any.
type Asks = fn(&Invoice, &str) -> bool;

fn find_cause(action: &str, method: &PaymentMethod) -> Option<Asks> {
    let is_usable = method.status() == PaymentMethodStatus::Active
        && !method.owner_id.is_empty()
        && is_chargeable(method.r#type())
        && !method.refused_for_good;
    match action {
        actions::CREATED | actions::OWNER_ASSIGNED | actions::DETAILS_UPDATED if is_usable => Some(|_, _| true),
        // It may have been the default before, and got another address now: it was asked then.
        actions::UPDATED if is_usable && method.is_default => Some(was_not_asked),
        _ => None,
    }
}

/// Whether the method was never charged for the invoice.
pub(super) fn was_not_asked(invoice: &Invoice, method_id: &str) -> bool {
    invoice.payments.iter().all(|payment| payment.payment_method_id != method_id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::{InvoicePayment, PaymentMethodType};

    #[test]
    fn a_method_collects_when_it_is_new_changed_or_the_default_that_was_not_asked() {
        let card = PaymentMethod {
            id: "card".into(),
            owner_id: "alice".into(),
            status: PaymentMethodStatus::Active.into(),
            r#type: PaymentMethodType::CreditCard.into(),
            ..PaymentMethod::default()
        };
        let payment = InvoicePayment { payment_method_id: "card".into(), ..InvoicePayment::default() };
        let (asked, fresh) = (Invoice { payments: vec![payment], ..Invoice::default() }, Invoice::default());
        let collects = |action: &str, method: &PaymentMethod| {
            find_cause(action, method).map(|asks| [&fresh, &asked].map(|invoice| asks(invoice, &method.id)))
        };
        let default = PaymentMethod { is_default: true, ..card.clone() };
        for action in [actions::CREATED, actions::OWNER_ASSIGNED, actions::DETAILS_UPDATED] {
            assert_eq!(collects(action, &card), Some([true, true]), "{action}");
        }
        assert_eq!(collects(actions::UPDATED, &default), Some([true, false]));
        assert_eq!(collects(actions::UPDATED, &card), None);
        assert_eq!(collects(actions::COOLDOWN_STARTED, &default), None);
        let cheque = PaymentMethod { r#type: PaymentMethodType::Check.into(), ..card.clone() };
        let stolen = PaymentMethod { refused_for_good: true, ..card.clone() };
        let unclaimed = PaymentMethod { owner_id: String::new(), ..card };
        for unusable in [cheque, stolen, unclaimed] {
            assert_eq!(collects(actions::CREATED, &unusable), None);
        }
    }
}
