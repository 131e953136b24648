//! Records the provisions, subscriptions and entitlements of paid offers.

use pavise_kernel::{Call, Error, Result};

use crate::contract::actions::order_audit as actions;
use crate::contract::v1::{
    OfferOnOrder, OfferStatusOnOrder, Order, OrderStatus, ProvisionOrderRequest, ProvisionedOffer,
};

pub(crate) async fn provision_order(call: &Call, request: ProvisionOrderRequest) -> Result<Order> {
    let mut before: Order = call.get(&request.order_id).await?;
    let mut steps = build_steps(&before, &request.offers)?;
    let Some((last_action, last)) = steps.pop() else { return call.answer_unchanged(before).await };
    call.check_transition(&before)?;
    // Each step is a journal entry of its own: the specification has an action for each.
    for (action, after) in steps {
        let mut unit = call.unit();
        let after = unit.update_as(&before, after, action)?;
        unit.commit().await?;
        before = after;
    }
    let mut unit = call.unit();
    let after = unit.update_as(&before, last, last_action)?;
    unit.commit_answer(after).await
}

/// The changes that a request makes, each with its action and the state after it. Recorded results make no change.
///
/// # Errors
/// `INVALID_FIELD` for an offer that is not on the order, is not paid, or was set up by another provision.
fn build_steps(order: &Order, offers: &[ProvisionedOffer]) -> Result<Vec<(&'static str, Order)>> {
    let mut subscribed = order.clone();
    for (at, made) in offers.iter().enumerate() {
        let offer = subscribed.offers.iter_mut().find(|offer| offer.id == made.order_offer_id);
        let offer = offer.ok_or_else(|| Error::field(format!("offers[{at}].order_offer_id"), "is not on the order"))?;
        if offer.status() != OfferStatusOnOrder::Funded {
            return Err(Error::field(format!("offers[{at}].order_offer_id"), "is not paid"));
        }
        if !offer.provision_id.is_empty() && offer.provision_id != made.provision_id {
            return Err(Error::field(format!("offers[{at}].provision_id"), "is another than the one that set it up"));
        }
        if !made.subscription_id.is_empty() {
            offer.provision_id.clone_from(&made.provision_id);
            offer.subscription_id.clone_from(&made.subscription_id);
        }
    }
    let mut entitled = subscribed.clone();
    for made in offers {
        for offer in entitled.offers.iter_mut().filter(|offer| offer.id == made.order_offer_id) {
            offer.provision_id.clone_from(&made.provision_id);
            offer.entitlement_ids.clone_from(&made.entitlement_ids);
        }
    }
    let mut complete = entitled.clone();
    if !complete.offers.is_empty() && complete.offers.iter().all(is_set_up) {
        complete.status = OrderStatus::Provisioned.into();
    }
    let states = [
        (actions::SUBSCRIPTIONS_CREATED, subscribed),
        (actions::ENTITLEMENTS_CREATED, entitled),
        (actions::STATUS_CHANGED, complete),
    ];
    let mut made: Vec<(&'static str, Order)> = Vec::new();
    for (action, state) in states {
        if state != *made.last().map_or(order, |(_, last)| last) {
            made.push((action, state));
        }
    }
    Ok(made)
}

fn is_set_up(offer: &OfferOnOrder) -> bool {
    offer.status() == OfferStatusOnOrder::Funded && !offer.entitlement_ids.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(statuses: &[OfferStatusOnOrder]) -> Order {
        let offer = |(at, status): (usize, &OfferStatusOnOrder)| OfferOnOrder {
            id: at.to_string(),
            status: (*status).into(),
            ..OfferOnOrder::default()
        };
        let offers = statuses.iter().enumerate().map(offer).collect();
        Order { offers, status: OrderStatus::Funded.into(), ..Order::default() }
    }

    fn made(id: &str, subscription: &str) -> ProvisionedOffer {
        ProvisionedOffer {
            order_offer_id: id.into(),
            provision_id: format!("p{id}"),
            subscription_id: subscription.into(),
            entitlement_ids: vec![format!("e{id}")],
        }
    }

    fn list_actions(order: &Order, offers: &[ProvisionedOffer]) -> Vec<&'static str> {
        build_steps(order, offers).unwrap().into_iter().map(|(action, _)| action).collect()
    }

    #[test]
    fn the_last_offer_to_be_set_up_completes_the_order() {
        use OfferStatusOnOrder::Funded;
        let first = order(&[Funded, Funded]);
        assert_eq!(list_actions(&first, &[made("0", "s")]), ["SUBSCRIPTIONS_CREATED", "ENTITLEMENTS_CREATED"]);
        let (_, second) = build_steps(&first, &[made("0", "s")]).unwrap().pop().unwrap();
        assert_eq!(second.status(), OrderStatus::Funded);
        // An offer that is paid once has no subscription.
        assert_eq!(list_actions(&second, &[made("1", "")]), ["ENTITLEMENTS_CREATED", "STATUS_CHANGED"]);
        let (_, done) = build_steps(&second, &[made("1", "")]).unwrap().pop().unwrap();
        assert_eq!(done.status(), OrderStatus::Provisioned);
        assert_eq!(list_actions(&done, &[made("1", "")]), [""; 0]);
    }

    #[test]
    fn an_offer_that_is_not_paid_keeps_the_order_open() {
        use OfferStatusOnOrder::{Funded, PaymentFailed};
        let partial = order(&[Funded, PaymentFailed]);
        assert_eq!(list_actions(&partial, &[made("0", "s")]), ["SUBSCRIPTIONS_CREATED", "ENTITLEMENTS_CREATED"]);
        assert!(build_steps(&partial, &[made("1", "s")]).is_err());
        assert!(build_steps(&partial, &[made("2", "s")]).is_err());
    }

    #[test]
    fn an_offer_is_set_up_by_one_provision() {
        let (_, done) = build_steps(&order(&[OfferStatusOnOrder::Funded]), &[made("0", "s")]).unwrap().pop().unwrap();
        let other = ProvisionedOffer { provision_id: "other".into(), ..made("0", "s") };
        assert!(build_steps(&done, &[other]).is_err());
    }
}
