//! A member asks for another product, tier or supplements; later that is taken up.

use pavise_kernel::common::v1::{BillingPeriod, Currency, Money, ProvisionType};
use pavise_kernel::error::Common;
use pavise_kernel::time;
use pavise_kernel::{Call, Error, Page, Result};
use tonic::Request;

use super::create;
use super::lifecycle::{self, Event};
use crate::contract::billing::subscription_service_client::SubscriptionServiceClient;
use crate::contract::billing::{GetSubscriptionRequest, Subscription};
use crate::contract::catalog::offer_service_client::OfferServiceClient;
use crate::contract::catalog::{PricedLine, Selection, ValidateSelectionsRequest, ValidateSelectionsResponse};
use crate::contract::v1::{
    Entitlement, EntitlementStatus, ErrorReason, PlanChange, ProcessPlanChangesRequest, ProcessPlanChangesResponse, Provision,
    ProvisionLine, ProvisionStatus, ProvisionSupplement, SubmitPlanChangesRequest,
};

/// The most plan changes that one call takes up by itself.
const AT_ONCE: i32 = 100;

/// Prices the wish and puts it in the queue.
pub(super) async fn submit(call: &Call, request: SubmitPlanChangesRequest) -> Result<Provision> {
    let entitlement = entitlement(call, &request.entitlement_id).await?;
    if request.effective_on.is_some_and(|day| !time::is_real(day)) {
        return Err(Error::field("effective_on", "is no day of the calendar"));
    }
    none_pending(call, &entitlement.id).await?;
    let priced = price(call, &request, &entitlement).await?;
    let line = line(&request, &priced, &entitlement)?;
    covers(&line, &entitlement)?;
    if line.is_recurring()
        && let Some(current) = subscription(call, &entitlement).await?
    {
        let others = current.items.iter().any(|item| item.product_id != entitlement.product_id);
        billed_alike(&line, &current, others)?;
    }
    let lines = create::numbered_lines(vec![line]);
    let provision = Provision {
        owner_id: call.owner().to_owned(),
        status: ProvisionStatus::PendingPlanChange.into(),
        order_id: entitlement.order_id.clone(),
        offer_id: request.offer_id,
        offer_name: priced.offer_name,
        brand: request.brand,
        billing_period: create::of_lines(&lines).into(),
        lines,
        provision_type: ProvisionType::Immediate.into(),
        group_id: entitlement.group_id.clone(),
        service_area: entitlement.service_area,
        market_locale: entitlement.market_locale,
        co_brand_partner: entitlement.co_brand_partner,
        plan_change: Some(PlanChange { effective_on: request.effective_on, ..from(entitlement) }),
        ..Default::default()
    };
    call.create(provision).await
}

/// Takes up those that are named, or those that are due.
pub(super) async fn process(call: &Call, request: ProcessPlanChangesRequest) -> Result<ProcessPlanChangesResponse> {
    let mut unit = call.unit();
    let mut provisions = Vec::new();
    for before in chosen(call, &request.provision_ids).await? {
        if before.status() == ProvisionStatus::InProgress {
            provisions.push(before);
            continue;
        }
        call.permit(&before)?;
        let mut after = before.clone();
        after.attempts = after.attempts.saturating_add(1);
        lifecycle::apply(&mut after, Event::ProcessPlanChange)?;
        provisions.push(unit.update(&before, after)?);
    }
    unit.answer(ProcessPlanChangesResponse { provisions }).await
}

async fn chosen(call: &Call, ids: &[String]) -> Result<Vec<Provision>> {
    let mut chosen = Vec::new();
    for id in ids {
        chosen.push(call.get::<Provision>(id).await?);
    }
    if !ids.is_empty() {
        return Ok(chosen);
    }
    let mut token = String::new();
    loop {
        let page = Page {
            size: 500,
            token: &token,
            filters: vec![("status", ProvisionStatus::PendingPlanChange.spelling().to_owned())],
        };
        let (waiting, more) = call.page::<Provision>(page).await?;
        chosen.extend(waiting.into_iter().filter(|provision| is_due(provision, time::days(call.today()))));
        let enough = i32::try_from(chosen.len()).is_ok_and(|count| count >= AT_ONCE);
        if more.is_empty() || enough {
            chosen.truncate(usize::try_from(AT_ONCE).unwrap_or_default());
            return Ok(chosen);
        }
        token = more;
    }
}

fn is_due(provision: &Provision, today: i64) -> bool {
    let first_day = provision.plan_change.as_ref().and_then(|change| change.effective_on);
    first_day.is_none_or(|day| time::days(day) <= today)
}

/// What the plan is before it changes.
pub(super) fn from(entitlement: Entitlement) -> PlanChange {
    PlanChange {
        entitlement_id: entitlement.id,
        from_product_id: entitlement.product_id,
        from_tier_id: entitlement.tier_id,
        from_supplement_ids: entitlement.supplement_ids,
        from_subscription_id: entitlement.subscription_id,
        ..Default::default()
    }
}

/// The buyer's entitlement that is to change.
pub(super) async fn entitlement(call: &Call, id: &str) -> Result<Entitlement> {
    // Its owner is compared by hand: it belongs to another service's journal, and the answer is the provision.
    let found = call.find::<Entitlement>(id).await?.filter(|found| found.owner_id == call.owner());
    let found = found.ok_or_else(|| Error::not_found("entitlement", id))?;
    if found.status() == EntitlementStatus::Cancelled {
        return Err(Error::field("entitlement_id", "the entitlement is CANCELLED"));
    }
    Ok(found)
}

/// The subscription that pays for an entitlement.
async fn subscription(call: &Call, entitlement: &Entitlement) -> Result<Option<Subscription>> {
    if entitlement.subscription_id.is_empty() {
        return Ok(None);
    }
    let asked = GetSubscriptionRequest {
        identity_id: entitlement.owner_id.clone(),
        subscription_id: entitlement.subscription_id.clone(),
    };
    match SubscriptionServiceClient::new(call.peer("billing")).get_subscription(Request::new(asked)).await {
        Ok(found) => Ok(Some(found.into_inner())),
        Err(status) => {
            let error = Error::from(status);
            if error.is(Common::NotFound) { Ok(None) } else { Err(error) }
        }
    }
}

/// Whether one subscription can bill the line: in its currency, and as often as the `others` on it.
///
/// # Errors
/// `PLAN_BILLED_OTHERWISE`.
pub(crate) fn billed_alike(line: &ProvisionLine, current: &Subscription, others: bool) -> Result<()> {
    let currency = |price: Option<&Money>| price.map_or(Currency::Unspecified, Money::currency);
    let (old, new) = (currency(current.items.iter().find_map(|item| item.price.as_ref())), currency(line.renewal_price.as_ref()));
    let other_currency = old != Currency::Unspecified && old != new;
    let (before, after) = (current.billing_period(), line.billing_period());
    let by_payroll = [before, after].contains(&BillingPeriod::PayPeriod);
    if other_currency || before != after && (others || by_payroll) {
        let (old, new, before, after) = (old.spelling(), new.spelling(), before.spelling(), after.spelling());
        let message = format!(
            "the plan is billed {before} in {old}, together with what else is on its subscription; this is billed {after} in {new}"
        );
        let error = Error::new(ErrorReason::PlanBilledOtherwise, message);
        return Err(error.with("billing_period", before).with("currency", old));
    }
    Ok(())
}

/// Whether the people on the plan have room in the line that takes its place. A plan that stays in its tier keeps them.
///
/// # Errors
/// `AUTHORIZED_USERS_EXCEEDED`.
fn covers(line: &ProvisionLine, plan: &Entitlement) -> Result<()> {
    let same = (&line.product_id, &line.tier_id) == (&plan.product_id, &plan.tier_id);
    let most = line.max_authorized_users.and_then(|most| usize::try_from(most).ok());
    let count = plan.authorized_users.len();
    match most {
        Some(most) if !same && count > most => {
            let message = format!("the plan would cover {most} people besides the holder, not {count}; take somebody off first");
            let error = Error::new(ErrorReason::AuthorizedUsersExceeded, message);
            Err(error.with("covered", most.to_string()).with("count", count.to_string()))
        }
        _ => Ok(()),
    }
}

/// Whether a change that was asked for earlier can still be made of the plan as it is now.
///
/// # Errors
/// `STATUS_NOT_ALLOWED` when it has ended, `PLAN_CHANGED_MEANWHILE` when the product is another, or supplements were added
/// that the new product does not take along, `AUTHORIZED_USERS_EXCEEDED`.
pub(crate) fn still_possible(wish: &PlanChange, line: &ProvisionLine, plan: &Entitlement) -> Result<()> {
    if plan.status() == EntitlementStatus::Cancelled {
        return Err(Error::new(Common::StatusNotAllowed, "the entitlement is CANCELLED"));
    }
    let done = !wish.extends && plan.product_id == line.product_id;
    if plan.product_id != wish.from_product_id && !done {
        let message = "the entitlement has another product by now than when the change was asked for";
        return Err(Error::new(ErrorReason::PlanChangedMeanwhile, message));
    }
    if !wish.extends && line.product_id != wish.from_product_id && !done && bought_since(wish, plan).next().is_some() {
        let message = "supplements were added to the plan since the change was asked for; they do not belong to the new product";
        return Err(Error::new(ErrorReason::PlanChangedMeanwhile, message));
    }
    if wish.extends { Ok(()) } else { covers(line, plan) }
}

/// The supplements that the plan has and had not when the change was asked for.
pub(crate) fn bought_since<'p>(wish: &'p PlanChange, plan: &'p Entitlement) -> impl Iterator<Item = &'p String> {
    plan.supplement_ids.iter().filter(|id| !wish.from_supplement_ids.contains(id))
}

async fn none_pending(call: &Call, entitlement: &str) -> Result<()> {
    let page = Page { size: 500, token: "", filters: vec![("status", ProvisionStatus::PendingPlanChange.spelling().to_owned())] };
    let (waiting, _) = call.page::<Provision>(page).await?;
    if waiting.iter().any(|provision| provision.plan_change.as_ref().is_some_and(|change| change.entitlement_id == entitlement)) {
        return Err(Error::new(ErrorReason::PlanChangePending, "a plan change of this entitlement is pending already"));
    }
    Ok(())
}

async fn price(call: &Call, request: &SubmitPlanChangesRequest, entitlement: &Entitlement) -> Result<ValidateSelectionsResponse> {
    let selection = Selection {
        product_id: request.product_id.clone(),
        tier_id: request.tier_id.clone(),
        supplement_ids: request.supplement_ids.clone(),
    };
    let asked = ValidateSelectionsRequest {
        brand: request.brand.clone(),
        offer_id: request.offer_id.clone(),
        selections: vec![selection],
        billing_period: request.billing_period,
        currency: request.currency,
        locality: entitlement.service_area,
        group_id: entitlement.group_id.clone(),
        locale: entitlement.market_locale,
        ..Default::default()
    };
    let mut catalog = OfferServiceClient::new(call.peer("catalog"));
    let answer = catalog.validate_selections(call.peer_request(asked, "price")).await?.into_inner();
    if answer.valid {
        return Ok(answer);
    }
    let refused = Error::new(ErrorReason::SelectionNotValid, "the selected products are not sold like that");
    Err(answer.problems.into_iter().fold(refused, |refused, problem| refused.violation(problem.field, problem.description)))
}

/// One line of the product's own price and its supplements'.
fn line(
    request: &SubmitPlanChangesRequest,
    priced: &ValidateSelectionsResponse,
    entitlement: &Entitlement,
) -> Result<ProvisionLine> {
    let own = priced.lines.iter().find(|line| line.product_id == request.product_id && line.supplement_id.is_empty());
    let own: &PricedLine = own.ok_or_else(|| Error::internal("the catalogue priced no line of the product"))?;
    let amounts = priced.lines.iter().filter_map(|line| line.renewal_price.as_ref()).map(|price| price.amount);
    let amount = amounts.fold(0_i64, i64::saturating_add);
    let supplements = priced.lines.iter().filter(|line| !line.supplement_id.is_empty()).map(|line| ProvisionSupplement {
        supplement_id: line.supplement_id.clone(),
        name: line.name.clone(),
        renewal_price: line.renewal_price,
    });
    Ok(ProvisionLine {
        product_id: request.product_id.clone(),
        tier_id: if own.tier_id.is_empty() { request.tier_id.clone() } else { own.tier_id.clone() },
        supplement_ids: request.supplement_ids.clone(),
        name: own.name.clone(),
        family: own.family.clone(),
        provision_type: own.provision_type,
        renewal_price: Some(Money { currency: request.currency, amount }),
        billing_period: own.billing_period,
        business: own.business || entitlement.business,
        taxable: own.taxable,
        supplements: supplements.collect(),
        max_authorized_users: Some(own.max_authorized_users),
        ..Default::default()
    })
}

#[cfg(test)]
mod tests {
    use pavise_kernel::common::v1::Date;

    use super::*;

    #[test]
    fn a_line_costs_what_the_catalogue_says_with_its_supplements() {
        let price = |amount| Some(Money { currency: Currency::Cad.into(), amount });
        let own = PricedLine {
            product_id: "legal".to_owned(),
            tier_id: "family".to_owned(),
            renewal_price: price(2995),
            ..Default::default()
        };
        let extra = PricedLine {
            product_id: "legal".to_owned(),
            supplement_id: "trial".to_owned(),
            renewal_price: price(900),
            ..Default::default()
        };
        let request =
            SubmitPlanChangesRequest { product_id: "legal".to_owned(), currency: Currency::Cad.into(), ..Default::default() };
        let priced = ValidateSelectionsResponse { valid: true, lines: vec![own, extra], ..Default::default() };
        let line = line(&request, &priced, &Entitlement::default()).unwrap();
        assert_eq!((line.renewal_price, line.tier_id.as_str()), (price(3895), "family"));
        let other = SubmitPlanChangesRequest { product_id: "identity".to_owned(), ..request };
        assert!(super::line(&other, &priced, &Entitlement::default()).is_err());
    }

    #[test]
    fn a_plan_change_waits_for_its_first_day() {
        let day = Date { year: 2026, month: 3, day: 31 };
        let on = |effective_on| Provision {
            plan_change: Some(PlanChange { effective_on, ..Default::default() }),
            ..Default::default()
        };
        assert!(is_due(&on(None), time::days(day)));
        assert!(is_due(&on(Some(day)), time::days(day)));
        assert!(!is_due(&on(Some(time::add_days(day, 1))), time::days(day)));
    }
}
