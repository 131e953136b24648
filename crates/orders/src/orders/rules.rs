//! Rules of every stored order, and the fields that follow from others.

use std::collections::BTreeSet;

use pavise_kernel::aggregate::Invariants;
use pavise_kernel::words::SearchWords;
use pavise_kernel::{Derive, Error, Result};
use prost_types::Timestamp;

use super::support::charge::is_charged;
use super::support::held::list_buying;
use super::support::totals;
use crate::contract::v1::{OfferOnOrder, OfferStatusOnOrder, Order, OrderStatus};
use crate::shared::amount;

impl Derive for Order {
    /// The lookups `adding` and `buying` hold what is paid for and not set up yet. They are unique, so no other order is
    /// paid for the same.
    fn derive(&mut self, _before: Option<&Self>, _at: &Timestamp) -> Result<()> {
        let under_way =
            matches!(self.status(), OrderStatus::Processing | OrderStatus::Funded | OrderStatus::PartiallyFunded);
        self.adding.clear();
        if under_way && !self.entitlement_id.is_empty() {
            let supplements =
                self.offers.iter().flat_map(|offer| &offer.selections).flat_map(|chosen| &chosen.supplement_ids);
            let adding: BTreeSet<String> = supplements.map(|id| format!("{}/{id}", self.entitlement_id)).collect();
            self.adding = adding.into_iter().collect();
        }
        self.buying = list_buying(self);
        self.search_words = list_words(self);
        Ok(())
    }
}

/// The words by which an order is searched: of all people on it.
fn list_words(order: &Order) -> Vec<String> {
    let mut words = SearchWords::default();
    if let Some(buyer) = &order.personal_info {
        words = words.name(&buyer.first_name).name(&buyer.last_name).address(&buyer.email).phone(&buyer.phone_number);
    }
    if let Some(business) = &order.business_info {
        words = words.name(&business.name).name(&business.first_name).name(&business.last_name);
        words = words.address(&business.email).phone(&business.phone_number);
    }
    for person in &order.authorized_users {
        words = words.name(&person.first_name).name(&person.last_name).address(&person.email);
    }
    words.into_list()
}

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
            if amount::minor_of(self.currency(), offer.total.as_ref())? < 0 {
                return wrong("an offer costs less than nothing");
            }
            if !has_consistent_payment(self, offer) {
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

/// Whether the payment of an offer agrees with its status. A paid offer has the attempt in which it was paid, and a
/// transaction if it is charged. An unpaid offer has no attempt, no provision and no invoice.
fn has_consistent_payment(order: &Order, offer: &OfferOnOrder) -> bool {
    if offer.status() != OfferStatusOnOrder::Funded {
        return offer.funded_attempt == 0 && offer.provision_id.is_empty() && offer.invoice_id.is_empty();
    }
    (1..=order.attempt).contains(&offer.funded_attempt)
        && (!is_charged(order, offer) || !offer.transaction_ids.is_empty())
}
