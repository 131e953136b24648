//! The prices that the catalog has for a subscription in another billing period.

use pavise_kernel::common::v1::BillingPeriod;
use pavise_kernel::{Call, Error, Result};
use tonic::Code;

use super::change_plan::currency_of;
use crate::contract::catalog::offer_service_client::OfferServiceClient;
use crate::contract::catalog::{PricedLine, SalesChannelKind, Selection, ValidateSelectionsRequest};
use crate::contract::orders::{OfferOnOrder, Order, OrderChannel};
use crate::contract::v1::{OfferItemType, Subscription, SubscriptionItem};
use crate::shared::admission::load_order;

/// The items of a change: those that the caller names; else, in another billing period, those of the subscription at the
/// prices that the catalog has today for the offer; else none. Without an offer it is that of the subscription.
///
/// # Errors
/// `INVALID_FIELD` where the catalog does not sell the same items in that period; when a peer does not answer.
pub(crate) async fn price_items(
    call: &Call,
    subscription: &Subscription,
    offer_id: &str,
    named: &[SubscriptionItem],
    period: BillingPeriod,
) -> Result<Vec<SubscriptionItem>> {
    let stays = [BillingPeriod::Unspecified, subscription.billing_period()].contains(&period);
    let is_of_payroll = [subscription.billing_period(), period].contains(&BillingPeriod::PayPeriod);
    if !named.is_empty() || stays || is_of_payroll {
        return Ok(named.to_vec());
    }
    if subscription.order_id.is_empty() {
        return Err(refuse("it came from no order, so that the catalog does not know it"));
    }
    let order = match load_order(call, &subscription.owner_id, &subscription.order_id).await {
        Err(error) if error.code() == Code::NotFound => return Err(refuse("its order does not exist any more")),
        order => order?,
    };
    let Some(brand) = find_brand(&order, subscription) else {
        return Err(refuse("its order does not have its offer"));
    };
    let channel = find_channel(subscription, &order);
    let offer_id = if offer_id.is_empty() { &subscription.offer_id } else { offer_id };
    let request = ValidateSelectionsRequest {
        offer_id: offer_id.to_owned(),
        channel: channel.into(),
        ..build_request(subscription, brand, period)
    };
    let mut offers = OfferServiceClient::new(call.peer_channel("catalog"));
    let answer = match offers.validate_selections(tonic::Request::new(request)).await {
        Ok(answer) => answer.into_inner(),
        Err(status) if status.code() == Code::NotFound => return Err(refuse("the catalog has no such offer")),
        Err(status) => return Err(status.into()),
    };
    if let Some(problem) = answer.problems.first() {
        return Err(refuse(&format!("the catalog does not sell it so: {}", problem.description)));
    }
    put_prices(&subscription.items, &answer.lines)
}

fn refuse(why: &str) -> Error {
    Error::field("items", format!("name the items with the prices of the new period: {why}"))
}

/// The brand of the subscription's offer. A plan may have another offer than it was ordered with, of the same brand.
fn find_brand<'o>(order: &'o Order, subscription: &Subscription) -> Option<&'o str> {
    let is_its = |offer: &&OfferOnOrder| {
        offer.offer_id == subscription.offer_id
            || (offer.id == subscription.order_offer_id && !subscription.order_offer_id.is_empty())
    };
    order.offers.iter().find(is_its).map(|offer| offer.brand.as_str())
}

/// The channel through which the plan was bought.
fn find_channel(subscription: &Subscription, order: &Order) -> SalesChannelKind {
    if !subscription.group_id.is_empty() {
        return SalesChannelKind::Group;
    }
    match order.channel() {
        OrderChannel::GroupSites => SalesChannelKind::Group,
        OrderChannel::Hubsites | OrderChannel::LaunchByLs | OrderChannel::LsaPlus | OrderChannel::SubmitApp => {
            SalesChannelKind::Network
        }
        OrderChannel::Corp | OrderChannel::BuyNow | OrderChannel::AddLegalSupplement | OrderChannel::Unspecified => {
            SalesChannelKind::D2c
        }
    }
}

fn build_request(subscription: &Subscription, brand: &str, period: BillingPeriod) -> ValidateSelectionsRequest {
    ValidateSelectionsRequest {
        brand: brand.to_owned(),
        selections: list_selections(&subscription.items),
        billing_period: period.into(),
        currency: currency_of(&subscription.items).into(),
        locality: subscription.administrative_area,
        group_id: subscription.group_id.clone(),
        identity_id: subscription.owner_id.clone(),
        ..ValidateSelectionsRequest::default()
    }
}

/// Each product of the items, with its supplements.
fn list_selections(items: &[SubscriptionItem]) -> Vec<Selection> {
    let supplements = |product: &SubscriptionItem| {
        let own = |item: &&SubscriptionItem| {
            item.r#type() == OfferItemType::Supplement && item.product_id == product.product_id
        };
        items.iter().filter(own).map(|item| item.supplement_id.clone()).collect()
    };
    let products = items.iter().filter(|item| item.r#type() == OfferItemType::Product);
    products
        .map(|product| Selection {
            product_id: product.product_id.clone(),
            tier_id: product.tier_id.clone(),
            supplement_ids: supplements(product),
        })
        .collect()
}

/// The items with the renewal prices of their lines.
fn put_prices(items: &[SubscriptionItem], lines: &[PricedLine]) -> Result<Vec<SubscriptionItem>> {
    let is_of = |line: &&PricedLine, item: &SubscriptionItem| {
        line.product_id == item.product_id
            && line.supplement_id == item.supplement_id
            && (line.tier_id == item.tier_id || !item.supplement_id.is_empty())
    };
    let price = |item: &SubscriptionItem| {
        let line = lines.iter().find(|line| is_of(line, item));
        let price = line.and_then(|line| line.renewal_price);
        let price = price.ok_or_else(|| refuse(&format!("the catalog has none for {}", item.name)))?;
        Ok(SubscriptionItem { price: Some(price), ..item.clone() })
    };
    items.iter().map(price).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pavise_kernel::common::v1::{Currency, Money};

    fn item(kind: OfferItemType, product: &str, supplement: &str) -> SubscriptionItem {
        SubscriptionItem {
            r#type: kind.into(),
            product_id: product.into(),
            tier_id: "family".into(),
            supplement_id: supplement.into(),
            name: product.into(),
            ..SubscriptionItem::default()
        }
    }

    fn items() -> Vec<SubscriptionItem> {
        vec![
            item(OfferItemType::Product, "legal", ""),
            item(OfferItemType::Supplement, "legal", "trial"),
            item(OfferItemType::Product, "shield", ""),
        ]
    }

    fn line(product: &str, supplement: &str, amount: i64) -> PricedLine {
        PricedLine {
            product_id: product.into(),
            tier_id: "family".into(),
            supplement_id: supplement.into(),
            initial_price: Some(Money { currency: Currency::Usd.into(), amount: amount + 1 }),
            renewal_price: Some(Money { currency: Currency::Usd.into(), amount }),
            ..PricedLine::default()
        }
    }

    #[test]
    fn a_choice_has_each_product_with_its_supplements() {
        let chosen = list_selections(&items());
        let chosen: Vec<_> =
            chosen.iter().map(|one| (one.product_id.as_str(), one.supplement_ids.as_slice())).collect();
        assert_eq!(chosen, [("legal", ["trial".to_owned()].as_slice()), ("shield", &[])]);
    }

    #[test]
    fn each_item_takes_the_renewal_price_of_its_line() {
        let lines = [line("shield", "", 900), line("legal", "trial", 500), line("legal", "", 29_900)];
        let priced = put_prices(&items(), &lines).unwrap();
        let amounts: Vec<i64> = priced.iter().map(|item| item.price.unwrap().amount).collect();
        assert_eq!(amounts, [29_900, 500, 900]);
        let refused = put_prices(&items(), &lines[..2]).unwrap_err();
        assert_eq!(refused.violations()[0].field, "items");
    }

    #[test]
    fn the_catalog_is_asked_for_the_channel_of_the_order() {
        let of = |group: &str, channel: OrderChannel| {
            let subscription = Subscription { group_id: group.into(), ..Subscription::default() };
            find_channel(&subscription, &Order { channel: channel.into(), ..Order::default() })
        };
        assert_eq!(of("", OrderChannel::LsaPlus), SalesChannelKind::Network);
        assert_eq!(of("", OrderChannel::BuyNow), SalesChannelKind::D2c);
        assert_eq!(of("acme", OrderChannel::LsaPlus), SalesChannelKind::Group);
    }

    #[test]
    fn the_brand_is_that_of_the_offer_on_the_order() {
        let offer =
            |id: &str, brand: &str| OfferOnOrder { id: id.into(), brand: brand.into(), ..OfferOnOrder::default() };
        let order = Order { offers: vec![offer("one", "a"), offer("two", "b")], ..Order::default() };
        let of = |id: &str| Subscription { order_offer_id: id.into(), offer_id: "x".into(), ..Subscription::default() };
        assert_eq!(find_brand(&order, &of("two")), Some("b"));
        assert_eq!(find_brand(&order, &of("three")), None);
    }
}
