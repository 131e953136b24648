//! A plan change: another product, tier or other supplements for an entitlement.

use pavise_cover::{Person, find_uncovered};
use pavise_kernel::common::v1::{BillingPeriod, Currency, Date, Money};
use pavise_kernel::error::Common;
use pavise_kernel::{Call, Error, Result};

use crate::contract::billing::Subscription;
use crate::contract::v1::{Entitlement, EntitlementStatus, ErrorReason, PlanChange, ProvisionLine};

/// A plan change that begins from the entitlement.
pub(crate) fn plan_change_of(entitlement: Entitlement) -> PlanChange {
    PlanChange {
        entitlement_id: entitlement.id,
        from_product_id: entitlement.product_id,
        from_tier_id: entitlement.tier_id,
        from_supplement_ids: entitlement.supplement_ids,
        from_subscription_id: entitlement.subscription_id,
        ..Default::default()
    }
}

/// Loads the buyer's entitlement that is to change.
pub(crate) async fn load_plan(call: &Call, id: &str) -> Result<Entitlement> {
    // The owner is compared here, because the ownership check of the call is about provisions.
    let found = call.find_unscoped::<Entitlement>(id).await?.filter(|found| found.owner_id == call.owner());
    let found = found.ok_or_else(|| Error::not_found("entitlement", id))?;
    if found.status() == EntitlementStatus::Cancelled {
        return Err(Error::field("entitlement_id", "the entitlement is CANCELLED"));
    }
    Ok(found)
}

/// Checks that one subscription can bill the line: in its currency, and in the period of the `others` on it.
///
/// # Errors
/// `PLAN_BILLED_OTHERWISE`.
pub(crate) fn check_billed_alike(line: &ProvisionLine, current: &Subscription, others: bool) -> Result<()> {
    let currency = |price: Option<&Money>| price.map_or(Currency::Unspecified, Money::currency);
    let (old, new) =
        (currency(current.items.iter().find_map(|item| item.price.as_ref())), currency(line.renewal_price.as_ref()));
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

/// Checks that the line has room for the people on the plan, and covers their relations. A plan that stays in its tier
/// keeps them. Their ages do not count: they were covered already.
///
/// # Errors
/// `AUTHORIZED_USERS_EXCEEDED`, `AUTHORIZED_USER_NOT_COVERED`.
pub(crate) fn check_room(line: &ProvisionLine, plan: &Entitlement) -> Result<()> {
    let same = (&line.product_id, &line.tier_id) == (&plan.product_id, &plan.tier_id);
    let most = line.max_authorized_users.and_then(|most| usize::try_from(most).ok());
    let count = plan.authorized_users.len();
    match most {
        Some(most) if !same && count > most => {
            let message =
                format!("the plan would cover {most} people besides the holder, not {count}; remove people first");
            let error = Error::new(ErrorReason::AuthorizedUsersExceeded, message);
            Err(error.with("covered", most.to_string()).with("count", count.to_string()))
        }
        _ if same => Ok(()),
        _ => check_relations(line, plan),
    }
}

fn check_relations(line: &ProvisionLine, plan: &Entitlement) -> Result<()> {
    let people = plan.authorized_users.iter();
    let people = people.map(|one| Person { relation: one.permission_type(), ..Person::default() });
    match find_uncovered(&line.covers, &people.collect::<Vec<_>>(), Date::default()) {
        Some((_, why)) => Err(Error::new(ErrorReason::AuthorizedUserNotCovered, format!("{why}; remove people first"))),
        None => Ok(()),
    }
}

/// Checks that a change that was requested earlier can still be made.
///
/// # Errors
/// `STATUS_NOT_ALLOWED` when the plan has ended. `PLAN_CHANGED_MEANWHILE` when its product is another, or supplements
/// were added that the new product does not have. `AUTHORIZED_USERS_EXCEEDED`.
pub(crate) fn check_still_possible(wish: &PlanChange, line: &ProvisionLine, plan: &Entitlement) -> Result<()> {
    if plan.status() == EntitlementStatus::Cancelled {
        return Err(Error::new(Common::StatusNotAllowed, "the entitlement is CANCELLED"));
    }
    let done = !wish.extends && plan.product_id == line.product_id;
    if plan.product_id != wish.from_product_id && !done {
        let message = "the entitlement has another product by now than when the change was asked for";
        return Err(Error::new(ErrorReason::PlanChangedMeanwhile, message));
    }
    if !wish.extends
        && line.product_id != wish.from_product_id
        && !done
        && supplements_since(wish, plan).next().is_some()
    {
        let message =
            "supplements were added to the plan since the change was asked for; they do not belong to the new product";
        return Err(Error::new(ErrorReason::PlanChangedMeanwhile, message));
    }
    if wish.extends { Ok(()) } else { check_room(line, plan) }
}

/// The supplements that were added since the change was requested.
pub(crate) fn supplements_since<'p>(wish: &'p PlanChange, plan: &'p Entitlement) -> impl Iterator<Item = &'p String> {
    plan.supplement_ids.iter().filter(|id| !wish.from_supplement_ids.contains(id))
}
