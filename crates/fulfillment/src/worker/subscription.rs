//! What renews gets a subscription. For a plan change one with the new items takes the place of the one before.

use pavise_kernel::common::v1::{Date, Money};
use pavise_kernel::{Result, time};
use tonic::Request;

use super::run::{Run, found};
use crate::contract::billing::subscription_service_client::SubscriptionServiceClient;
use crate::contract::billing::{
    CancelReason, CancelSubscriptionRequest, CreateSubscriptionRequest, GetSubscriptionRequest, OfferItemType, Subscription,
    SubscriptionItem, SubscriptionStatus,
};
use crate::contract::v1::entitlement_service_client::EntitlementServiceClient;
use crate::contract::v1::{
    AddSubscriptionRequest, ListEntitlementsRequest, PlanChange, Provision, ProvisionLine, UpdateSubscriptionIdRequest,
};

/// Makes and records the subscription, unless it is there already or nothing renews.
pub(super) async fn add(run: &mut Run) -> Result<()> {
    if !run.provision().subscription_id.is_empty() {
        return Ok(());
    }
    // The one before ends first, so that there is never a day on which both are billed; what it was is read from what
    // it ended as, so that a repeat of this step asks for the same.
    let earlier = end_earlier(run).await?;
    let items = items(run.provision(), earlier.as_ref());
    if items.is_empty() {
        return Ok(());
    }
    let wanted = wanted(run.provision(), earlier.as_ref(), items);
    let mut subscriptions = SubscriptionServiceClient::new(run.peer("billing"));
    let made = subscriptions.create_subscription(run.request(wanted, "subscription")).await?.into_inner();
    if let Some(earlier) = &earlier {
        hand_over(run, &earlier.id, &made.id).await?;
    }
    let record = AddSubscriptionRequest { provision_id: run.provision().id.clone(), subscription_id: made.id };
    let provision = run.provisions().add_subscription(run.change(record, "subscription/recorded")).await?.into_inner();
    run.set(provision);
    Ok(())
}

/// Whether nothing forbids to bring back what the subscription paid for.
pub(super) async fn may_be_reinstated(run: &Run, subscription_id: &str) -> Result<bool> {
    Ok(get(run, subscription_id).await?.is_none_or(|subscription| !subscription.do_not_reinstate))
}

async fn get(run: &Run, subscription_id: &str) -> Result<Option<Subscription>> {
    if subscription_id.is_empty() {
        return Ok(None);
    }
    let asked =
        GetSubscriptionRequest { identity_id: run.provision().owner_id.clone(), subscription_id: subscription_id.to_owned() };
    found(SubscriptionServiceClient::new(run.peer("billing")).get_subscription(Request::new(asked)).await)
}

/// Ends the subscription of the plan that changes, and answers what it was.
async fn end_earlier(run: &Run) -> Result<Option<Subscription>> {
    let Some(change) = &run.provision().plan_change else { return Ok(None) };
    if change.extends && !run.provision().is_recurring() {
        return Ok(None);
    }
    let Some(earlier) = get(run, &change.from_subscription_id).await? else { return Ok(None) };
    if earlier.status() == SubscriptionStatus::Cancelled {
        return Ok(Some(earlier));
    }
    let wanted = CancelSubscriptionRequest {
        identity_id: run.provision().owner_id.clone(),
        subscription_id: earlier.id,
        reason: CancelReason::MemberRequestedCancel.into(),
        ..Default::default()
    };
    let mut subscriptions = SubscriptionServiceClient::new(run.peer("billing"));
    Ok(Some(subscriptions.cancel_subscription(run.request(wanted, "subscription/earlier")).await?.into_inner()))
}

/// The other entitlements that the one before paid for are paid for by the new one. The one that changes gets it with
/// its new product.
async fn hand_over(run: &Run, from: &str, to: &str) -> Result<()> {
    let mut entitlements = EntitlementServiceClient::new(run.peer("fulfillment"));
    let provision = run.provision();
    let changed = provision.plan_change.as_ref().map(|change| change.entitlement_id.as_str());
    let asked = ListEntitlementsRequest {
        identity_id: provision.owner_id.clone(),
        subscription_id: from.to_owned(),
        page_size: 500,
        ..Default::default()
    };
    let page = entitlements.list_entitlements(Request::new(asked)).await?.into_inner();
    for other in page.entitlements.iter().filter(|other| Some(other.id.as_str()) != changed) {
        // What is over keeps the subscription that paid for it.
        if other.status() == crate::contract::v1::EntitlementStatus::Cancelled {
            continue;
        }
        let wanted = UpdateSubscriptionIdRequest { entitlement_id: other.id.clone(), subscription_id: to.to_owned() };
        entitlements.update_subscription_id(run.request(wanted, &format!("subscription/handed/{}", other.id))).await?;
    }
    Ok(())
}

fn wanted(provision: &Provision, earlier: Option<&Subscription>, items: Vec<SubscriptionItem>) -> CreateSubscriptionRequest {
    let recurring = provision.lines.iter().find(|line| line.is_recurring());
    let mut wanted = CreateSubscriptionRequest {
        identity_id: provision.owner_id.clone(),
        offer_id: provision.offer_id.clone(),
        items,
        billing_period: recurring.map_or(provision.billing_period, |line| line.billing_period),
        payment_method_id: provision.payment_method_id.clone(),
        administrative_area: provision.service_area,
        postal_code: provision.postal_code.clone(),
        source: provision.source.clone(),
        group_id: provision.group_id.clone(),
        order_id: provision.order_id.clone(),
        order_offer_id: provision.order_offer_id.clone(),
        brand: provision.brand.clone(),
        ..Default::default()
    };
    if let Some(earlier) = earlier {
        // What is paid for stays paid for: the new items are billed from the day on which the old ones would have been.
        wanted.next_bill_on = earlier.next_bill_on.or_else(|| earlier.paid_to_date.map(|day| time::add_days(day, 1)));
        wanted.paid_to_date = earlier.paid_to_date;
        wanted.bill_cycle_day = earlier.bill_cycle_day;
        wanted.billing_frequency = earlier.billing_frequency;
        wanted.retry_schedule.clone_from(&earlier.retry_schedule);
        wanted.vendor = earlier.vendor;
        wanted.billing_division.clone_from(&earlier.billing_division);
        wanted.friendly_id.clone_from(&earlier.friendly_id);
        wanted.friendly_id_type = earlier.friendly_id_type;
        wanted.started_on = started(earlier.started_on, wanted.next_bill_on);
        inherit(&mut wanted.payment_method_id, &earlier.payment_method_id);
        inherit(&mut wanted.postal_code, &earlier.postal_code);
        inherit(&mut wanted.offer_id, &earlier.offer_id);
        inherit(&mut wanted.brand, &earlier.brand);
        inherit(&mut wanted.source, &earlier.source);
        if wanted.administrative_area == 0 {
            wanted.administrative_area = earlier.administrative_area;
        }
        if recurring.is_none() {
            wanted.billing_period = earlier.billing_period;
        }
    }
    wanted
}

/// The first day, as far as it is before the next bill.
fn started(first: Option<Date>, next_bill: Option<Date>) -> Option<Date> {
    first.filter(|first| next_bill.is_none_or(|next| time::days(*first) <= time::days(next)))
}

fn inherit(place: &mut String, value: &str) {
    if place.is_empty() {
        value.clone_into(place);
    }
}

/// What is billed: the lines that renew, and what stays of the subscription before.
fn items(provision: &Provision, earlier: Option<&Subscription>) -> Vec<SubscriptionItem> {
    let kept = earlier
        .into_iter()
        .flat_map(|earlier| earlier.items.iter())
        .filter(|item| stays(provision.plan_change.as_ref(), item))
        .cloned();
    let extends = provision.plan_change.as_ref().is_some_and(|change| change.extends);
    kept.chain(provision.lines.iter().filter(|line| line.is_recurring()).flat_map(|line| items_of(line, extends))).collect()
}

/// A plan change that extends keeps everything; another one takes the place of its product.
fn stays(change: Option<&PlanChange>, item: &SubscriptionItem) -> bool {
    change.is_none_or(|change| change.extends || item.product_id != change.from_product_id)
}

/// A line as items: the product, and each supplement whose price is known by itself.
fn items_of(line: &ProvisionLine, extends: bool) -> Vec<SubscriptionItem> {
    let Some(price) = line.renewal_price else { return Vec::new() };
    let item = |kind: OfferItemType, supplement: &str, name: &str, amount: i64| SubscriptionItem {
        r#type: kind.into(),
        product_id: line.product_id.clone(),
        tier_id: line.tier_id.clone(),
        supplement_id: supplement.to_owned(),
        name: [name, line.name.as_str(), line.product_id.as_str()]
            .into_iter()
            .find(|name| !name.is_empty())
            .unwrap_or_default()
            .to_owned(),
        family: line.family.clone(),
        price: Some(Money { amount, ..price }),
    };
    let own = line
        .supplements
        .iter()
        .filter_map(|supplement| supplement.renewal_price.as_ref())
        .fold(price.amount, |rest, part| rest.saturating_sub(part.amount));
    let mut items = Vec::new();
    match line.supplement_ids.as_slice() {
        // What is left of an extension's price is the supplement's that has no price of its own.
        [only] if extends && own > 0 => items.push(item(OfferItemType::Supplement, only, "", own)),
        _ if own > 0 => items.push(item(OfferItemType::Product, "", "", own)),
        _ => {}
    }
    for supplement in &line.supplements {
        let amount = supplement.renewal_price.as_ref().map_or(0, |price| price.amount);
        if amount > 0 {
            items.push(item(OfferItemType::Supplement, &supplement.supplement_id, &supplement.name, amount));
        }
    }
    items
}

#[cfg(test)]
mod tests {
    use pavise_kernel::common::v1::{BillingPeriod, Currency};

    use super::*;
    use crate::contract::v1::ProvisionSupplement;

    fn usd(amount: i64) -> Option<Money> {
        Some(Money { currency: Currency::Usd.into(), amount })
    }

    fn line(product: &str, amount: i64) -> ProvisionLine {
        ProvisionLine {
            product_id: product.to_owned(),
            renewal_price: usd(amount),
            billing_period: BillingPeriod::Monthly.into(),
            ..Default::default()
        }
    }

    fn billed(items: &[SubscriptionItem]) -> Vec<(&str, &str, i64)> {
        items.iter().map(|item| (item.product_id.as_str(), item.supplement_id.as_str(), item.price.unwrap().amount)).collect()
    }

    fn item(product: &str, amount: i64) -> SubscriptionItem {
        SubscriptionItem { product_id: product.to_owned(), price: usd(amount), ..Default::default() }
    }

    #[test]
    fn a_line_is_billed_as_a_product_and_its_supplements() {
        let part = ProvisionSupplement { supplement_id: "trial".to_owned(), renewal_price: usd(900), ..Default::default() };
        let line = ProvisionLine { supplements: vec![part], supplement_ids: vec!["trial".to_owned()], ..line("legal", 3895) };
        assert_eq!(billed(&items_of(&line, false)), [("legal", "", 2995), ("legal", "trial", 900)]);
        let once = ProvisionLine { billing_period: BillingPeriod::OneTime.into(), ..line.clone() };
        assert!(items(&Provision { lines: vec![once], ..Default::default() }, None).is_empty());
        assert_eq!(items_of(&line, false)[0].name, "legal");
    }

    #[test]
    fn a_plan_change_takes_the_place_of_its_product_only() {
        let change = PlanChange { from_product_id: "legal".to_owned(), ..Default::default() };
        let provision = Provision { lines: vec![line("legal-plus", 4995)], plan_change: Some(change), ..Default::default() };
        let earlier = Subscription { items: vec![item("legal", 2995), item("identity", 1495)], ..Default::default() };
        assert_eq!(billed(&items(&provision, Some(&earlier))), [("identity", "", 1495), ("legal-plus", "", 4995)]);
    }

    #[test]
    fn an_extension_adds_to_what_is_billed() {
        let change = PlanChange { from_product_id: "legal".to_owned(), extends: true, ..Default::default() };
        let added = ProvisionLine { supplement_ids: vec!["trial".to_owned()], ..line("legal", 900) };
        let provision = Provision { lines: vec![added], plan_change: Some(change), ..Default::default() };
        let earlier = Subscription { items: vec![item("legal", 2995)], ..Default::default() };
        assert_eq!(billed(&items(&provision, Some(&earlier))), [("legal", "", 2995), ("legal", "trial", 900)]);
    }

    #[test]
    fn what_is_paid_for_is_not_billed_again() {
        let day = |month, day| Some(Date { year: 2026, month, day });
        let earlier = Subscription {
            paid_to_date: day(4, 14),
            started_on: day(1, 15),
            bill_cycle_day: 15,
            payment_method_id: "card".to_owned(),
            ..Default::default()
        };
        let provision = Provision { offer_id: "new".to_owned(), lines: vec![line("legal", 4995)], ..Default::default() };
        let wanted = wanted(&provision, Some(&earlier), Vec::new());
        assert_eq!((wanted.next_bill_on, wanted.paid_to_date, wanted.started_on), (day(4, 15), day(4, 14), day(1, 15)));
        assert_eq!((wanted.payment_method_id.as_str(), wanted.offer_id.as_str()), ("card", "new"));
    }
}
