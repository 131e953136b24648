//! Submits the plan change that a member asks for.

use pavise_kernel::common::v1::{Money, ProvisionType};
use pavise_kernel::table::Realm;
use pavise_kernel::{Call, Error, Page, Result, time};
use tonic::Request;

use super::support::lines::{billing_period_of, number_lines};
use super::support::plan_change::{check_billed_alike, check_room, load_plan, plan_change_of};
use crate::contract::billing::payment_method_service_client::PaymentMethodServiceClient;
use crate::contract::billing::subscription_service_client::SubscriptionServiceClient;
use crate::contract::billing::{GetPaymentMethodRequest, GetSubscriptionRequest, Subscription};
use crate::contract::catalog::offer_service_client::OfferServiceClient;
use crate::contract::catalog::{PricedLine, Selection, ValidateSelectionsRequest, ValidateSelectionsResponse};
use crate::contract::lookups::provision as lookups;
use crate::contract::v1::{
    Entitlement, ErrorReason, PlanChange, PlanChangeTime, Provision, ProvisionLine, ProvisionStatus,
    ProvisionSupplement, SubmitPlanChangesRequest,
};
use crate::shared::answer::found_or_none;

/// Prices the plan change and queues it.
pub(crate) async fn submit_plan_changes(call: &Call, request: SubmitPlanChangesRequest) -> Result<Provision> {
    let entitlement = load_plan(call, &request.entitlement_id).await?;
    if request.effective_on.is_some_and(|day| !time::is_real(day)) {
        return Err(Error::field("effective_on", "is no day of the calendar"));
    }
    check_time(&request)?;
    check_none_pending(call, &entitlement.id).await?;
    let priced = load_prices(call, &request, &entitlement).await?;
    let line = build_line(&request, &priced, &entitlement)?;
    check_room(&line, &entitlement)?;
    let mut with_bill = false;
    if line.is_recurring()
        && let Some(current) = load_subscription(call, &entitlement).await?
    {
        with_bill = is_with_bill(&request, &current);
        let others = current.items.iter().any(|item| item.product_id != entitlement.product_id);
        check_billed_alike(&line, &current, others)?;
        check_payer(call, &request, &current).await?;
    }
    let lines = number_lines(vec![line]);
    let provision = Provision {
        owner_id: call.owner().to_owned(),
        status: ProvisionStatus::PendingPlanChange.into(),
        order_id: entitlement.order_id.clone(),
        offer_id: request.offer_id,
        offer_name: priced.offer_name,
        brand: request.brand,
        billing_period: billing_period_of(&lines).into(),
        lines,
        provision_type: ProvisionType::Immediate.into(),
        group_id: entitlement.group_id.clone(),
        service_area: entitlement.service_area,
        market_locale: entitlement.market_locale,
        co_brand_partner: entitlement.co_brand_partner,
        plan_change: Some(PlanChange {
            effective_on: request.effective_on,
            time: request.time,
            expected_total: request.expected_total,
            with_bill,
            ..plan_change_of(entitlement)
        }),
        ..Default::default()
    };
    call.create(provision).await
}

/// Checks that the first day goes with the time, and an expected total with a charge.
fn check_time(request: &SubmitPlanChangesRequest) -> Result<()> {
    match (request.time(), request.effective_on) {
        (PlanChangeTime::Now, Some(_)) => Err(Error::field("effective_on", "does not go together with NOW")),
        (PlanChangeTime::OnDay, None) => Err(Error::missing_field("effective_on")),
        (PlanChangeTime::Unspecified, _) if request.expected_total.is_some() => {
            Err(Error::field("expected_total", "goes with NOW and ON_DAY only"))
        }
        _ => Ok(()),
    }
}

/// Whether the change begins with the next bill of the subscription.
fn is_with_bill(request: &SubmitPlanChangesRequest, current: &Subscription) -> bool {
    let is_billed_then = request.effective_on.is_some() && request.effective_on == current.next_bill_on;
    is_billed_then && request.time() == PlanChangeTime::Unspecified
}

/// Refuses a second pending plan change of one entitlement.
async fn check_none_pending(call: &Call, entitlement: &str) -> Result<()> {
    let page = Page {
        size: 500,
        token: "",
        filters: vec![(lookups::STATUS, ProvisionStatus::PendingPlanChange.spelling().to_owned())],
    };
    let (waiting, _) = call.list_page::<Provision>(page).await?;
    if waiting
        .iter()
        .any(|provision| provision.plan_change.as_ref().is_some_and(|change| change.entitlement_id == entitlement))
    {
        return Err(Error::new(ErrorReason::PlanChangePending, "a plan change of this entitlement is pending already"));
    }
    Ok(())
}

/// Loads the subscription that pays for an entitlement.
async fn load_subscription(call: &Call, entitlement: &Entitlement) -> Result<Option<Subscription>> {
    if entitlement.subscription_id.is_empty() {
        return Ok(None);
    }
    let asked = GetSubscriptionRequest {
        identity_id: entitlement.owner_id.clone(),
        subscription_id: entitlement.subscription_id.clone(),
    };
    let mut subscriptions = SubscriptionServiceClient::new(call.peer_channel("billing"));
    found_or_none(subscriptions.get_subscription(Request::new(asked)).await)
}

/// Refuses a member who would spend the money of their group at once.
///
/// # Errors
/// `PLAN_BILLED_OTHERWISE`.
async fn check_payer(call: &Call, request: &SubmitPlanChangesRequest, current: &Subscription) -> Result<()> {
    let charges_at_once = request.time() != PlanChangeTime::Unspecified;
    let has_group = !current.group_id.is_empty() && !current.payment_method_id.is_empty();
    if call.caller().realm != Realm::User || !charges_at_once || !has_group {
        return Ok(());
    }
    let asked = GetPaymentMethodRequest {
        identity_id: current.owner_id.clone(),
        payment_method_id: current.payment_method_id.clone(),
    };
    let mut methods = PaymentMethodServiceClient::new(call.peer_channel("billing"));
    let method = found_or_none(methods.get_payment_method(Request::new(asked)).await)?;
    if method.is_none_or(|method| method.group_id.is_empty()) {
        return Ok(());
    }
    let message = "your group is charged for the plan: ask its administrator to change it";
    Err(Error::new(ErrorReason::PlanBilledOtherwise, message))
}

/// Asks the catalog for the prices of the selection.
async fn load_prices(
    call: &Call,
    request: &SubmitPlanChangesRequest,
    entitlement: &Entitlement,
) -> Result<ValidateSelectionsResponse> {
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
        identity_id: entitlement.owner_id.clone(),
        ..Default::default()
    };
    let mut catalog = OfferServiceClient::new(call.peer_channel("catalog"));
    let answer = catalog.validate_selections(call.peer_request(asked, "price")).await?.into_inner();
    if answer.valid {
        return Ok(answer);
    }
    let refused = Error::new(ErrorReason::SelectionNotValid, "the selected products are not sold like that");
    Err(answer
        .problems
        .into_iter()
        .fold(refused, |refused, problem| refused.violation(problem.field, problem.description)))
}

/// Makes one line of the prices of the product and its supplements.
fn build_line(
    request: &SubmitPlanChangesRequest,
    priced: &ValidateSelectionsResponse,
    entitlement: &Entitlement,
) -> Result<ProvisionLine> {
    let own = priced.lines.iter().find(|line| line.product_id == request.product_id && line.supplement_id.is_empty());
    let own: &PricedLine = own.ok_or_else(|| Error::internal("the catalog priced no line of the product"))?;
    let amounts = priced.lines.iter().filter_map(|line| line.renewal_price.as_ref()).map(|price| price.amount);
    let amount = amounts.fold(0_i64, i64::saturating_add);
    let supplements =
        priced.lines.iter().filter(|line| !line.supplement_id.is_empty()).map(|line| ProvisionSupplement {
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
        covers: own.covers.clone(),
        // The member agrees to the plan as it is sold now, whenever the change is made.
        product_version: Some(own.product_version),
        ..Default::default()
    })
}

#[cfg(test)]
mod tests {
    use pavise_kernel::common::v1::Currency;

    use super::*;

    #[test]
    fn a_change_on_the_next_billing_day_goes_with_that_bill() {
        use pavise_kernel::common::v1::Date;

        let day = |day: i32| Some(Date { year: 2026, month: 4, day });
        let current = Subscription { next_bill_on: day(15), ..Default::default() };
        let asked = |effective_on: Option<Date>, time: PlanChangeTime| {
            let request = SubmitPlanChangesRequest { effective_on, time: time.into(), ..Default::default() };
            is_with_bill(&request, &current)
        };
        assert!(asked(day(15), PlanChangeTime::Unspecified));
        assert!(!asked(day(14), PlanChangeTime::Unspecified));
        assert!(!asked(day(15), PlanChangeTime::OnDay));
        assert!(!asked(None, PlanChangeTime::Unspecified));
    }

    #[test]
    fn the_first_day_goes_with_the_time() {
        let check = |time: PlanChangeTime, has_day: bool, has_total: bool| {
            let request = SubmitPlanChangesRequest {
                time: time.into(),
                effective_on: has_day.then(Default::default),
                expected_total: has_total.then(Default::default),
                ..Default::default()
            };
            check_time(&request).is_ok()
        };
        assert!(check(PlanChangeTime::Now, false, true) && check(PlanChangeTime::OnDay, true, true));
        assert!(check(PlanChangeTime::Unspecified, true, false) && check(PlanChangeTime::Unspecified, false, false));
        assert!(!check(PlanChangeTime::Now, true, false) && !check(PlanChangeTime::OnDay, false, false));
        assert!(!check(PlanChangeTime::Unspecified, false, true));
    }

    #[test]
    fn a_line_costs_the_product_and_its_supplements() {
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
        let request = SubmitPlanChangesRequest {
            product_id: "legal".to_owned(),
            currency: Currency::Cad.into(),
            ..Default::default()
        };
        let priced = ValidateSelectionsResponse { valid: true, lines: vec![own, extra], ..Default::default() };
        let line = build_line(&request, &priced, &Entitlement::default()).unwrap();
        assert_eq!((line.renewal_price, line.tier_id.as_str()), (price(3895), "family"));
        let other = SubmitPlanChangesRequest { product_id: "identity".to_owned(), ..request };
        assert!(build_line(&other, &priced, &Entitlement::default()).is_err());
    }
}
