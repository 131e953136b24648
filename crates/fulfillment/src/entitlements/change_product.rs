//! Puts another product, tier or other supplements in place of an entitlement's.

use pavise_kernel::common::v1::Date;
use pavise_kernel::{Call, Result};

use super::support::bought::{BoughtProduct, load_bought};
use super::support::contracts::{begin_contracts, first_day, is_of, list_contracts, put_contracts};
use super::support::covered::{TierCover, check_room};
use super::support::same_plan::check_same_plan;
use crate::contract::roles;
use crate::contract::v1::{ChangeProductRequest, Entitlement, EntitlementContract, FulfillmentStatus};

pub(crate) async fn change_product(call: &Call, request: ChangeProductRequest) -> Result<Entitlement> {
    let plan: Entitlement = call.get(&request.entitlement_id).await?;
    let terms = load_terms(call, &plan, &request).await?;
    check_people(call, &plan, &request, terms.version).await?;
    call.change::<Entitlement>(&request.entitlement_id, |entitlement| {
        check_same_plan(&plan, entitlement)?;
        replace_plan(entitlement, &request, &terms, call.today());
        Ok(())
    })
    .await
}

/// The version of the product that a plan gets, and its contracts. They belong together: a member holds the contracts of the
/// version that they bought.
#[derive(Debug, Default)]
struct Terms {
    version: i32,
    contracts: Vec<EntitlementContract>,
}

/// Whether the plan keeps its product and tier.
fn keeps_tier(plan: &Entitlement, request: &ChangeProductRequest) -> bool {
    (&plan.product_id, &plan.tier_id) == (&request.product_id, &request.tier_id)
}

/// Loads the terms of the plan after the change. Another product or tier is another purchase: it comes in the newest version,
/// with the contracts of that version. Other supplements alone leave the plan as it was bought. A named version is taken in
/// either case. Contracts that are not of a product stay.
async fn load_terms(call: &Call, plan: &Entitlement, request: &ChangeProductRequest) -> Result<Terms> {
    let (now, stays) = (plan.product_version, keeps_tier(plan, request));
    if stays && request.product_version.is_none_or(|named| named == now) {
        return Ok(Terms { version: now, contracts: plan.contracts.clone() });
    }
    let bought = BoughtProduct::load(call, &request.product_id, request.product_version).await?;
    let before = load_bought(call, &plan.product_id, now).await?;
    let new = bought
        .content
        .as_ref()
        .map(|product| list_contracts(product, plan.service_area(), plan.market_locale()))
        .unwrap_or_default();
    let same_product = plan.product_id == request.product_id;
    let mut contracts = plan.contracts.clone();
    contracts.retain(|known| {
        let goes_on = same_product && (bought.content.is_none() || new.iter().any(|one| one.id == known.id));
        goes_on || !is_of(before.as_ref(), known)
    });
    put_contracts(&mut contracts, new, first_day(plan, call.today()));
    Ok(Terms { version: bought.version, contracts })
}

/// Refuses a product or tier that does not cover the people on the plan, or not so many. Programs set up what was bought:
/// those people were checked with the order.
async fn check_people(call: &Call, plan: &Entitlement, request: &ChangeProductRequest, version: i32) -> Result<()> {
    if keeps_tier(plan, request) || call.has_role(roles::PLATFORM) {
        return Ok(());
    }
    let meant = Entitlement {
        product_id: request.product_id.clone(),
        product_version: version,
        tier_id: request.tier_id.clone(),
        ..Entitlement::default()
    };
    let cover = TierCover::load(call, &meant).await?;
    check_room(0, plan.authorized_users.len(), cover.most)?;
    for people in [&plan.authorized_users, &plan.delegates] {
        cover.check(&[], people, call.today())?;
    }
    Ok(())
}

/// Replaces the plan. A fulfilled entitlement gets a pending change.
fn replace_plan(plan: &mut Entitlement, request: &ChangeProductRequest, terms: &Terms, today: Date) {
    let same = keeps_tier(plan, request) && plan.supplement_ids == request.supplement_ids;
    plan.product_id.clone_from(&request.product_id);
    plan.tier_id.clone_from(&request.tier_id);
    plan.supplement_ids.clone_from(&request.supplement_ids);
    plan.product_version = terms.version;
    if request.contracts.is_empty() {
        plan.contracts.clone_from(&terms.contracts);
    } else {
        plan.contracts.clone_from(&request.contracts);
        let first = first_day(plan, today);
        begin_contracts(&mut plan.contracts, first);
    }
    // People see name and family: an empty one keeps the one before.
    if !request.name.is_empty() {
        plan.name.clone_from(&request.name);
    }
    if !request.family.is_empty() {
        plan.family.clone_from(&request.family);
    }
    if !same && plan.fulfillment_status() == FulfillmentStatus::Fulfilled {
        plan.set_fulfillment_status(FulfillmentStatus::PendingChange);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TODAY: Date = Date { year: 2026, month: 3, day: 2 };

    fn change(plan: &mut Entitlement, product_id: &str) {
        let request = ChangeProductRequest { product_id: product_id.to_owned(), ..Default::default() };
        replace_plan(plan, &request, &Terms { version: 2, ..Default::default() }, TODAY);
    }

    #[test]
    fn another_product_asks_for_a_change_of_what_is_fulfilled() {
        let mut plan = Entitlement {
            product_id: "a".to_owned(),
            name: "A".to_owned(),
            fulfillment_status: FulfillmentStatus::Fulfilled.into(),
            ..Default::default()
        };
        change(&mut plan, "a");
        assert_eq!(plan.fulfillment_status(), FulfillmentStatus::Fulfilled);
        change(&mut plan, "b");
        assert_eq!(plan.fulfillment_status(), FulfillmentStatus::PendingChange);
        assert_eq!((plan.name.as_str(), plan.product_version), ("A", 2));
    }

    #[test]
    fn a_pending_creation_stays_pending() {
        let mut plan =
            Entitlement { fulfillment_status: FulfillmentStatus::PendingCreate.into(), ..Default::default() };
        change(&mut plan, "b");
        assert_eq!(plan.fulfillment_status(), FulfillmentStatus::PendingCreate);
    }

    #[test]
    fn named_contracts_begin_today() {
        let named = EntitlementContract { id: "own".to_owned(), ..Default::default() };
        let request = ChangeProductRequest { contracts: vec![named.clone()], ..Default::default() };
        let mut plan = Entitlement { contracts: vec![EntitlementContract::default()], ..Default::default() };
        replace_plan(&mut plan, &request, &Terms::default(), TODAY);
        assert_eq!(plan.contracts, [EntitlementContract { effective_on: Some(TODAY), ..named }]);
    }
}
