//! Records the outcome of an attempt to pay an order.

use pavise_kernel::{Edit, EditContext, Error, Result};
use prost_types::Timestamp;

use super::support::totals;
use crate::contract::v1::{
    ErrorReason, OfferOnOrder, OfferSettlement, OfferStatusOnOrder, Order, OrderStatus, SettleOrderRequest,
};

impl Edit<SettleOrderRequest> for Order {
    fn edit(&mut self, request: &SettleOrderRequest, context: &EditContext) -> Result<()> {
        if request.attempt != self.attempt {
            let message = format!("the order is at attempt {}; attempt {} is over", self.attempt, request.attempt);
            return Err(Error::new(ErrorReason::AttemptOutdated, message).with("attempt", self.attempt.to_string()));
        }
        for (at, outcome) in request.offers.iter().enumerate() {
            let again = request.offers.iter().take(at).any(|before| before.order_offer_id == outcome.order_offer_id);
            let open = |offer: &&mut OfferOnOrder| {
                offer.id == outcome.order_offer_id && offer.status() == OfferStatusOnOrder::Open
            };
            let offer = self.offers.iter_mut().find(open).filter(|_| !again);
            let offer = offer.ok_or_else(|| {
                Error::field(format!("offers[{at}].order_offer_id"), "is no offer of this attempt, or named twice")
            })?;
            record_outcome(offer, outcome, request, context.timestamp());
        }
        if self.offers.iter().any(|offer| offer.status() == OfferStatusOnOrder::Open) {
            return Err(Error::field("offers", "must say what became of each offer of the attempt"));
        }
        if self.offers.iter().any(|offer| offer.funded_attempt == self.attempt) && !request.invoice_id.is_empty() {
            self.invoice_id.clone_from(&request.invoice_id);
        }
        self.status = choose_status(self).into();
        self.totals = Some(totals::add_up(self)?);
        Ok(())
    }
}

/// Records the outcome of the payment of one offer.
fn record_outcome(offer: &mut OfferOnOrder, outcome: &OfferSettlement, request: &SettleOrderRequest, now: Timestamp) {
    if !outcome.transaction_id.is_empty() && !offer.transaction_ids.contains(&outcome.transaction_id) {
        offer.transaction_ids.push(outcome.transaction_id.clone());
    }
    if outcome.approved {
        offer.status = OfferStatusOnOrder::Funded.into();
        offer.funded_attempt = request.attempt;
        offer.funded_at = Some(now);
        offer.invoice_id.clone_from(&request.invoice_id);
        offer.failure_reason = String::new();
    } else {
        offer.status = OfferStatusOnOrder::PaymentFailed.into();
        offer.failure_reason.clone_from(&outcome.failure_reason);
    }
}

/// The status of an order after the attempt.
fn choose_status(order: &Order) -> OrderStatus {
    let funded = order.offers.iter().filter(|offer| offer.status() == OfferStatusOnOrder::Funded).count();
    match funded {
        0 => OrderStatus::PaymentFailed,
        count if count == order.offers.len() => OrderStatus::Funded,
        _ => OrderStatus::PartiallyFunded,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::amount;
    use pavise_kernel::common::v1::Currency;

    fn settle(order: &mut Order, request: &SettleOrderRequest) -> Result<()> {
        order.edit(request, &EditContext::at(1_000_000))
    }

    fn order(statuses: &[OfferStatusOnOrder]) -> Order {
        let offer = |(at, status): (usize, &OfferStatusOnOrder)| OfferOnOrder {
            id: at.to_string(),
            status: (*status).into(),
            total: Some(amount::from_minor_units(Currency::Usd, 100)),
            attempts: 2,
            ..OfferOnOrder::default()
        };
        let offers = statuses.iter().enumerate().map(offer).collect();
        Order {
            offers,
            attempt: 2,
            status: OrderStatus::Processing.into(),
            currency: Currency::Usd.into(),
            ..Order::default()
        }
    }

    fn request(outcomes: &[(&str, bool)]) -> SettleOrderRequest {
        let outcome = |(id, approved): &(&str, bool)| OfferSettlement {
            order_offer_id: (*id).to_owned(),
            approved: *approved,
            transaction_id: format!("t{id}"),
            failure_reason: if *approved { String::new() } else { "INSUFFICIENT_FUNDS".to_owned() },
        };
        SettleOrderRequest {
            order_id: "o".into(),
            attempt: 2,
            offers: outcomes.iter().map(outcome).collect(),
            invoice_id: "i".into(),
        }
    }

    #[test]
    fn the_outcomes_of_the_offers_decide_the_order() {
        use OfferStatusOnOrder::{Funded, Open};
        let cases = [
            (vec![Open, Open], vec![("0", true), ("1", true)], OrderStatus::Funded, 0),
            (vec![Open, Open], vec![("0", true), ("1", false)], OrderStatus::PartiallyFunded, 100),
            (vec![Open, Open], vec![("0", false), ("1", false)], OrderStatus::PaymentFailed, 200),
            (vec![Funded, Open], vec![("1", false)], OrderStatus::PartiallyFunded, 100),
            (vec![Funded, Open], vec![("1", true)], OrderStatus::Funded, 0),
        ];
        for (before, outcomes, expected, due) in cases {
            let mut order = order(&before);
            settle(&mut order, &request(&outcomes)).unwrap();
            assert_eq!(order.status(), expected, "{outcomes:?}");
            assert_eq!(order.totals.unwrap().due.unwrap().amount, due);
            assert_eq!(order.invoice_id.is_empty(), outcomes.iter().all(|(_, approved)| !approved));
        }
    }

    #[test]
    fn a_decline_keeps_its_transaction_and_reason() {
        let mut order = order(&[OfferStatusOnOrder::Open]);
        settle(&mut order, &request(&[("0", false)])).unwrap();
        let offer = &order.offers[0];
        assert_eq!(
            (offer.transaction_ids.as_slice(), offer.failure_reason.as_str()),
            (["t0".to_owned()].as_slice(), "INSUFFICIENT_FUNDS")
        );
        assert_eq!((offer.funded_attempt, offer.invoice_id.as_str()), (0, ""));
    }

    #[test]
    fn a_settlement_speaks_of_each_open_offer_once_and_of_no_other() {
        use OfferStatusOnOrder::{Funded, Open};
        for outcomes in [vec![("0", true)], vec![("0", true), ("0", true)], vec![("0", true), ("1", true), ("2", true)]]
        {
            assert!(settle(&mut order(&[Open, Open]), &request(&outcomes)).is_err(), "{outcomes:?}");
        }
        assert!(settle(&mut order(&[Funded, Open]), &request(&[("0", false), ("1", true)])).is_err());
    }

    #[test]
    fn an_attempt_that_is_over_cannot_be_settled() {
        let mut order = order(&[OfferStatusOnOrder::Open]);
        let late = SettleOrderRequest { attempt: 1, ..request(&[("0", true)]) };
        assert!(settle(&mut order, &late).unwrap_err().is(ErrorReason::AttemptOutdated));
    }
}
