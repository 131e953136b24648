//! What must hold of every order that is stored.

use pavise_kernel::aggregate::Invariants;
use pavise_kernel::{Error, Result};

use super::totals;
use crate::amount;
use crate::contract::v1::{OfferOnOrder, OfferStatusOnOrder, Order, OrderStatus, PaymentMethod};

impl Invariants for Order {
    fn check(&self) -> Result<()> {
        let wrong = |what: &str| Err(Error::internal(format!("order {}: {what}", self.id)));
        if self.totals != Some(totals::add_up(self)?) {
            return wrong("its totals are not the sums of its offers");
        }
        for offer in &self.offers {
            let mut again = offer.clone();
            totals::add_up_offer(self, &mut again)?;
            if again != *offer {
                return wrong("an offer's sums are not those of its lines");
            }
            if amount::minor(self.currency(), offer.total.as_ref())? < 0 {
                return wrong("an offer costs less than nothing");
            }
            if !paid_as_it_says(self, offer) {
                return wrong("an offer's status and its payment disagree");
            }
        }
        let funded = self.offers.iter().filter(|offer| offer.status() == OfferStatusOnOrder::Funded).count();
        let (all, none) = (funded == self.offers.len(), funded == 0);
        let sound = match self.status() {
            OrderStatus::Open | OrderStatus::PaymentFailed => none,
            OrderStatus::Processing => !all && !self.owner_id.is_empty(),
            OrderStatus::PartiallyFunded => !all && !none,
            OrderStatus::Funded | OrderStatus::FullyFunded => all && !none,
            OrderStatus::Provisioned => all && !none && self.offers.iter().all(|offer| !offer.provision_id.is_empty()),
            OrderStatus::Unspecified => false,
        };
        if sound { Ok(()) } else { wrong("its status and those of its offers disagree") }
    }
}

/// A paid offer has the attempt in which it was paid, and a transaction unless there was nothing to charge; one that is
/// not paid has neither an attempt nor a provision.
fn paid_as_it_says(order: &Order, offer: &OfferOnOrder) -> bool {
    if offer.status() != OfferStatusOnOrder::Funded {
        return offer.funded_attempt == 0 && offer.provision_id.is_empty() && offer.invoice_id.is_empty();
    }
    let charged = offer.total.is_some_and(|total| total.amount > 0) && order.payment_method() != PaymentMethod::PremiumBilling;
    (1..=order.attempt).contains(&offer.funded_attempt) && (!charged || !offer.transaction_ids.is_empty())
}
