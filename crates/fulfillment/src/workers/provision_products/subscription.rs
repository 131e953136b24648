//! The subscription of the lines that renew. A plan change puts its items on the subscription that pays for the plan.
//! Payment method, paid days and a requested end stay as they are.

use pavise_kernel::common::v1::Money;
use pavise_kernel::error::Common;
use pavise_kernel::{Error, Result};
use tonic::Request;

use super::run::Run;
use crate::contract::billing::subscription_service_client::SubscriptionServiceClient;
use crate::contract::billing::{
    CancelReason, CancelSubscriptionRequest, ChangeTime, CreateSubscriptionRequest, GetSubscriptionRequest,
    OfferItemType, Subscription, SubscriptionItem, SubscriptionStatus, UnusedDays, UpdateSubscriptionOfferRequest,
};
use crate::contract::v1::entitlement_service_client::EntitlementServiceClient;
use crate::contract::v1::{
    AddSubscriptionRequest, Entitlement, GetEntitlementRequest, PlanChange, PlanChangeTime, Provision, ProvisionLine,
};
use crate::provision::support::plan_change::{check_billed_alike, check_still_possible};
use crate::shared::answer::found_or_none;

/// The attempts to change a subscription that other calls change at the same time.
const ATTEMPTS: usize = 5;

/// Makes or changes the subscription and records it, unless it is recorded already or no line renews.
pub(super) async fn add_subscription(run: &mut Run) -> Result<()> {
    if !run.provision().subscription_id.is_empty() {
        return Ok(());
    }
    let changed = match load_plan(run).await? {
        Some(plan) => change_subscription(run, &plan).await?,
        None => None,
    };
    let subscription_id = match changed {
        Some(subscription_id) => subscription_id,
        None if run.provision().is_recurring() => create_subscription(run).await?,
        None => return Ok(()),
    };
    let record = AddSubscriptionRequest { provision_id: run.provision().id.clone(), subscription_id };
    let provision =
        run.provisions().add_subscription(run.change_request(record, "subscription/recorded")).await?.into_inner();
    run.set_provision(provision);
    Ok(())
}

/// Whether the subscription allows a reinstatement.
pub(super) async fn may_be_reinstated(run: &Run, subscription_id: &str) -> Result<bool> {
    Ok(load_subscription(run, subscription_id).await?.is_none_or(|subscription| !subscription.do_not_reinstate))
}

async fn load_subscription(run: &Run, subscription_id: &str) -> Result<Option<Subscription>> {
    if subscription_id.is_empty() {
        return Ok(None);
    }
    let asked = GetSubscriptionRequest {
        identity_id: run.provision().owner_id.clone(),
        subscription_id: subscription_id.to_owned(),
    };
    found_or_none(
        SubscriptionServiceClient::new(run.peer_channel("billing")).get_subscription(Request::new(asked)).await,
    )
}

/// Loads the entitlement of a plan change, which must still be possible.
async fn load_plan(run: &Run) -> Result<Option<Entitlement>> {
    let Some(wish) = &run.provision().plan_change else { return Ok(None) };
    let asked = GetEntitlementRequest {
        identity_id: run.provision().owner_id.clone(),
        entitlement_id: wish.entitlement_id.clone(),
    };
    let mut entitlements = EntitlementServiceClient::new(run.peer_channel("fulfillment"));
    let plan = entitlements.get_entitlement(Request::new(asked)).await?.into_inner();
    for line in &run.provision().lines {
        check_still_possible(wish, line, &plan)?;
    }
    Ok(Some(plan))
}

/// Puts the new items on the subscription that pays for the plan. Answers its id; none when the plan has no subscription,
/// or nothing on it renews.
async fn change_subscription(run: &Run, plan: &Entitlement) -> Result<Option<String>> {
    let provision = run.provision();
    let wish = provision.plan_change.as_ref().filter(|wish| !wish.extends || provision.is_recurring());
    let Some(wish) = wish else { return Ok(None) };
    for _ in 0..ATTEMPTS {
        let Some(current) = load_subscription(run, &plan.subscription_id).await? else { return Ok(None) };
        let Some(wanted) = build_offer(provision, wish, plan, &current)? else {
            end_subscription(run, &current).await?;
            return Ok(None);
        };
        let id = current.id.clone();
        // The change may be done already, with its answer lost.
        let done = wanted.items == current.items && [0, current.billing_period].contains(&wanted.billing_period);
        if !done {
            match update_offer(run, wanted, current.version).await {
                // Another call changed it meanwhile: that change stays.
                Err(error) if error.is(Common::VersionMismatch) => continue,
                other => other?,
            }
        }
        return Ok(Some(id).filter(|_| provision.is_recurring()));
    }
    Err(Error::unavailable("billing", "the subscription changes all the time"))
}

async fn update_offer(run: &Run, wanted: UpdateSubscriptionOfferRequest, version: i64) -> Result<()> {
    // A change at once is charged once in an attempt: the payment changes the version.
    let step = if wanted.time() == ChangeTime::Unspecified {
        format!("subscription/offer/{version}")
    } else {
        format!("subscription/change/{}", run.provision().attempts)
    };
    let mut request = run.new_request(wanted, &step);
    if let Ok(tag) = version.to_string().parse() {
        request.metadata_mut().insert("if-match", tag);
    }
    SubscriptionServiceClient::new(run.peer_channel("billing")).update_subscription_offer(request).await?;
    Ok(())
}

/// Makes the offer of the subscription from now on; none when nothing of it renews.
fn build_offer(
    provision: &Provision,
    wish: &PlanChange,
    plan: &Entitlement,
    current: &Subscription,
) -> Result<Option<UpdateSubscriptionOfferRequest>> {
    let new = items_of_lines(provision, wish.extends);
    let is_new = |item: &SubscriptionItem| {
        new.iter().any(|new| (&new.product_id, &new.supplement_id) == (&item.product_id, &item.supplement_id))
    };
    let kept: Vec<_> =
        current.items.iter().filter(|item| is_kept(wish, plan, item) && !is_new(item)).cloned().collect();
    let line = provision.lines.iter().find(|line| line.is_recurring());
    if let Some(line) = line {
        check_billed_alike(line, current, !kept.is_empty())?;
    }
    let items: Vec<_> = kept.into_iter().chain(new).collect();
    let takes_its_place = !wish.extends && !provision.offer_id.is_empty();
    Ok(Some(UpdateSubscriptionOfferRequest {
        identity_id: provision.owner_id.clone(),
        subscription_id: current.id.clone(),
        offer_id: if takes_its_place { &provision.offer_id } else { &current.offer_id }.clone(),
        billing_period: line.map_or(0, |line| line.billing_period),
        items,
        time: match wish.time() {
            PlanChangeTime::Now | PlanChangeTime::OnDay => ChangeTime::Now,
            // The bill of that day was made before, at the old price: the difference is charged or credited.
            PlanChangeTime::Unspecified if wish.with_bill && current.next_bill_on != wish.effective_on => {
                ChangeTime::Now
            }
            PlanChangeTime::Unspecified => ChangeTime::Unspecified,
        }
        .into(),
        expected_total: wish.expected_total,
        ..Default::default()
    })
    .filter(|wanted| !wanted.items.is_empty()))
}

/// Whether an item is billed on. An extension keeps all items. Another change keeps those of other products, and
/// supplements that were bought since the change was requested.
fn is_kept(wish: &PlanChange, plan: &Entitlement, item: &SubscriptionItem) -> bool {
    let bought_since =
        || plan.supplement_ids.contains(&item.supplement_id) && !wish.from_supplement_ids.contains(&item.supplement_id);
    wish.extends || item.product_id != wish.from_product_id || bought_since()
}

/// Ends the subscription of a plan that does not renew.
async fn end_subscription(run: &Run, current: &Subscription) -> Result<()> {
    if current.status() == SubscriptionStatus::Cancelled {
        return Ok(());
    }
    let wanted = CancelSubscriptionRequest {
        identity_id: run.provision().owner_id.clone(),
        subscription_id: current.id.clone(),
        reason: CancelReason::MemberRequestedCancel.into(),
        // The change of the plan itself reckons with them.
        unused_days: UnusedDays::Nothing.into(),
        ..Default::default()
    };
    let mut subscriptions = SubscriptionServiceClient::new(run.peer_channel("billing"));
    subscriptions.cancel_subscription(run.new_request(wanted, "subscription/ended")).await?;
    Ok(())
}

async fn create_subscription(run: &Run) -> Result<String> {
    let provision = run.provision();
    let recurring = provision.lines.iter().find(|line| line.is_recurring());
    let wanted = CreateSubscriptionRequest {
        identity_id: provision.owner_id.clone(),
        offer_id: provision.offer_id.clone(),
        items: items_of_lines(provision, false),
        billing_period: recurring.map_or(provision.billing_period, |line| line.billing_period),
        payment_method_id: provision.payment_method_id.clone(),
        administrative_area: provision.service_area,
        postal_code: provision.postal_code.clone(),
        source: provision.source.clone(),
        group_id: provision.group_id.clone(),
        order_id: provision.order_id.clone(),
        order_offer_id: provision.order_offer_id.clone(),
        brand: provision.brand.clone(),
        started_on: provision.effective_on,
        division_id: provision.division_id.clone(),
        ..Default::default()
    };
    let mut subscriptions = SubscriptionServiceClient::new(run.peer_channel("billing"));
    Ok(subscriptions.create_subscription(run.new_request(wanted, "subscription")).await?.into_inner().id)
}

/// The items of the lines that renew.
fn items_of_lines(provision: &Provision, extends: bool) -> Vec<SubscriptionItem> {
    provision.lines.iter().filter(|line| line.is_recurring()).flat_map(|line| items_of_line(line, extends)).collect()
}

/// The items of a line: the product, and each supplement with a price of its own.
fn items_of_line(line: &ProvisionLine, extends: bool) -> Vec<SubscriptionItem> {
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
        // The rest of an extension's price belongs to the supplement without a price of its own.
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
        items
            .iter()
            .map(|item| (item.product_id.as_str(), item.supplement_id.as_str(), item.price.unwrap().amount))
            .collect()
    }

    fn item(product: &str, amount: i64) -> SubscriptionItem {
        SubscriptionItem { product_id: product.to_owned(), price: usd(amount), ..Default::default() }
    }

    fn paying(items: Vec<SubscriptionItem>) -> Subscription {
        let billing_period = BillingPeriod::Monthly.into();
        Subscription { items, offer_id: "old".to_owned(), billing_period, ..Default::default() }
    }

    fn wish(from: &str) -> PlanChange {
        PlanChange { from_product_id: from.to_owned(), ..Default::default() }
    }

    fn plan_change() -> Provision {
        Provision { offer_id: "new".to_owned(), ..Default::default() }
    }

    #[test]
    fn a_line_is_billed_as_a_product_and_its_supplements() {
        let part =
            ProvisionSupplement { supplement_id: "trial".to_owned(), renewal_price: usd(900), ..Default::default() };
        let line =
            ProvisionLine { supplements: vec![part], supplement_ids: vec!["trial".to_owned()], ..line("legal", 3895) };
        assert_eq!(billed(&items_of_line(&line, false)), [("legal", "", 2995), ("legal", "trial", 900)]);
        let once = ProvisionLine { billing_period: BillingPeriod::OneTime.into(), ..line.clone() };
        assert!(items_of_lines(&Provision { lines: vec![once], ..Default::default() }, false).is_empty());
        assert_eq!(items_of_line(&line, false)[0].name, "legal");
    }

    #[test]
    fn a_plan_change_takes_the_place_of_its_product_only() {
        let change = wish("legal");
        let provision = Provision { lines: vec![line("legal-plus", 4995)], ..plan_change() };
        let current = paying(vec![item("legal", 2995), item("identity", 1495)]);
        let wanted = build_offer(&provision, &change, &Entitlement::default(), &current).unwrap().unwrap();
        assert_eq!(billed(&wanted.items), [("identity", "", 1495), ("legal-plus", "", 4995)]);
        assert_eq!(wanted.offer_id, "new");
        let again =
            build_offer(&provision, &change, &Entitlement::default(), &paying(wanted.items.clone())).unwrap().unwrap();
        assert_eq!(again.items, wanted.items, "a repeat asks for the same");
    }

    #[test]
    fn a_change_that_is_charged_by_days_is_asked_for_with_what_was_shown() {
        let provision = Provision { lines: vec![line("legal-plus", 4995)], ..plan_change() };
        let current = paying(vec![item("legal", 2995)]);
        let asked = |time: PlanChangeTime| {
            let change = PlanChange { time: time.into(), expected_total: usd(333), ..wish("legal") };
            let wanted = build_offer(&provision, &change, &Entitlement::default(), &current).unwrap().unwrap();
            (wanted.time(), wanted.expected_total)
        };
        for time in [PlanChangeTime::Now, PlanChangeTime::OnDay] {
            assert_eq!(asked(time), (ChangeTime::Now, usd(333)));
        }
        assert_eq!(asked(PlanChangeTime::Unspecified).0, ChangeTime::Unspecified);
        let day = |day: i32| Some(pavise_kernel::common::v1::Date { year: 2026, month: 4, day });
        let wish = PlanChange { with_bill: true, effective_on: day(15), ..wish("legal") };
        for (next, time) in [(day(15), ChangeTime::Unspecified), (day(30), ChangeTime::Now)] {
            let current = Subscription { next_bill_on: next, ..current.clone() };
            let wanted = build_offer(&provision, &wish, &Entitlement::default(), &current).unwrap().unwrap();
            assert_eq!(wanted.time(), time, "billed until {next:?}");
        }
    }

    #[test]
    fn an_extension_adds_to_what_is_billed() {
        let change = PlanChange { extends: true, ..wish("legal") };
        let added = ProvisionLine { supplement_ids: vec!["trial".to_owned()], ..line("legal", 900) };
        let provision = Provision { lines: vec![added], ..plan_change() };
        let current = paying(vec![item("legal", 2995)]);
        let wanted = build_offer(&provision, &change, &Entitlement::default(), &current).unwrap().unwrap();
        assert_eq!(billed(&wanted.items), [("legal", "", 2995), ("legal", "trial", 900)]);
        assert_eq!(wanted.offer_id, "old", "it is the plan's");
    }

    #[test]
    fn a_supplement_that_was_bought_meanwhile_stays_billed() {
        let plan = Entitlement { supplement_ids: vec!["held".to_owned(), "trial".to_owned()], ..Default::default() };
        let change = PlanChange { from_supplement_ids: vec!["held".to_owned()], ..wish("legal") };
        let supplement = |id: &str| SubscriptionItem { supplement_id: id.to_owned(), ..item("legal", 900) };
        let current = paying(vec![item("legal", 2995), supplement("held"), supplement("trial")]);
        let provision = Provision { lines: vec![line("legal", 3495)], ..plan_change() };
        let wanted = build_offer(&provision, &change, &plan, &current).unwrap().unwrap();
        assert_eq!(billed(&wanted.items), [("legal", "trial", 900), ("legal", "", 3495)]);
    }

    #[test]
    fn another_period_is_for_the_whole_subscription() {
        let annual = ProvisionLine { billing_period: BillingPeriod::Annual.into(), ..line("legal-plus", 32945) };
        let provision = Provision { lines: vec![annual], ..plan_change() };
        let alone = paying(vec![item("legal", 2995)]);
        let wanted = build_offer(&provision, &wish("legal"), &Entitlement::default(), &alone).unwrap().unwrap();
        assert_eq!(wanted.billing_period(), BillingPeriod::Annual);
        let shared = paying(vec![item("legal", 2995), item("identity", 1495)]);
        let refused = build_offer(&provision, &wish("legal"), &Entitlement::default(), &shared).unwrap_err();
        assert_eq!(refused.reason(), "PLAN_BILLED_OTHERWISE");
    }

    #[test]
    fn a_plan_that_does_not_renew_leaves_nothing_to_bill() {
        let once = ProvisionLine { billing_period: BillingPeriod::OneTime.into(), ..line("legal-once", 9900) };
        let provision = Provision { lines: vec![once], ..plan_change() };
        let alone = paying(vec![item("legal", 2995)]);
        assert_eq!(build_offer(&provision, &wish("legal"), &Entitlement::default(), &alone).unwrap(), None);
    }
}
