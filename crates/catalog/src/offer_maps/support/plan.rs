//! Finds the rows of a map that hold for a choice.

use std::collections::BTreeSet;

use pavise_kernel::common::v1::{BillingPeriod, Date, RegionCode};

use crate::contract::v1::{MappedLine, MappedPlan, MappedProduct, Selection, UnmappedPart, UnmappedReason};
use crate::shared::price::is_within;

/// The terms of a purchase.
#[derive(Debug, Clone, Copy)]
pub(in crate::offer_maps) struct Purchase {
    pub(in crate::offer_maps) billing_period: BillingPeriod,
    pub(in crate::offer_maps) region: RegionCode,
    pub(in crate::offer_maps) day: Date,
}

/// The plans of a choice, and what has none.
#[derive(Debug, Default, PartialEq)]
pub(in crate::offer_maps) struct Planned {
    pub(in crate::offer_maps) lines: Vec<MappedLine>,
    pub(in crate::offer_maps) unmapped: Vec<UnmappedPart>,
}

/// Plans a choice by the products of a map.
pub(in crate::offer_maps) fn plan_choice(
    products: &[MappedProduct],
    selections: &[Selection],
    purchase: Purchase,
) -> Planned {
    let mut planned = Planned::default();
    for selection in selections {
        match products.iter().find(|product| product.product_id == selection.product_id) {
            Some(product) => planned.add_selection(product, selection, purchase),
            None => planned.add_unmapped(selection, "", UnmappedReason::ProductNotMapped),
        }
    }
    planned
}

impl Planned {
    /// The plan of exactly these supplements, else the one of the bare tier and one for each supplement.
    fn add_selection(&mut self, product: &MappedProduct, selection: &Selection, purchase: Purchase) {
        let all: BTreeSet<&str> = selection.supplement_ids.iter().map(String::as_str).collect();
        if let Ok(plan) = find_plan(product, &selection.tier_id, &all, purchase) {
            self.add_line(selection, &all, plan);
            return;
        }
        let bare = BTreeSet::new();
        match find_plan(product, &selection.tier_id, &bare, purchase) {
            Ok(plan) => self.add_line(selection, &bare, plan),
            Err(reason) => self.add_unmapped(selection, "", reason),
        }
        for supplement in all {
            let one = BTreeSet::from([supplement]);
            match find_plan(product, &selection.tier_id, &one, purchase) {
                Ok(plan) => self.add_line(selection, &one, plan),
                Err(reason) => self.add_unmapped(selection, supplement, reason),
            }
        }
    }

    fn add_line(&mut self, selection: &Selection, supplements: &BTreeSet<&str>, plan: &MappedPlan) {
        self.lines.push(MappedLine {
            product_id: selection.product_id.clone(),
            tier_id: selection.tier_id.clone(),
            supplement_ids: supplements.iter().map(|&id| id.to_owned()).collect(),
            plan_id: plan.id.clone(),
            plan_code: plan.plan_code.clone(),
            rate_code: plan.rate_code.clone(),
        });
    }

    /// Adds a part of a choice that has no plan. An empty supplement is the tier itself.
    pub(in crate::offer_maps) fn add_unmapped(
        &mut self,
        selection: &Selection,
        supplement: &str,
        reason: UnmappedReason,
    ) {
        self.unmapped.push(UnmappedPart {
            product_id: selection.product_id.clone(),
            tier_id: selection.tier_id.clone(),
            supplement_id: supplement.to_owned(),
            reason: reason.into(),
        });
    }
}

/// The most specific row for a tier with exactly these supplements. A stored map has one at most.
fn find_plan<'m>(
    product: &'m MappedProduct,
    tier: &str,
    supplements: &BTreeSet<&str>,
    purchase: Purchase,
) -> Result<&'m MappedPlan, UnmappedReason> {
    let rows = product.plans.iter().filter(|plan| plan.tier_id == tier && has_exactly(plan, supplements));
    let mut is_known = false;
    let matching = rows.inspect(|_| is_known = true).filter(|plan| holds(plan, purchase));
    let found = matching.max_by_key(|plan| specificity(plan));
    found.ok_or(if is_known { UnmappedReason::NoPlanForTerms } else { UnmappedReason::NoPlan })
}

/// Whether a row is for exactly these supplements. A stored row names none twice.
fn has_exactly(plan: &MappedPlan, supplements: &BTreeSet<&str>) -> bool {
    plan.supplement_ids.len() == supplements.len()
        && plan.supplement_ids.iter().all(|id| supplements.contains(id.as_str()))
}

fn holds(plan: &MappedPlan, purchase: Purchase) -> bool {
    let (period, region) = (plan.billing_period(), plan.region());
    (period == BillingPeriod::Unspecified || period == purchase.billing_period)
        && (region == RegionCode::Unspecified || region == purchase.region)
        && is_within(plan.effective_from, plan.effective_until, purchase.day)
}

/// A region counts before a billing period.
fn specificity(plan: &MappedPlan) -> (bool, bool) {
    (plan.region() != RegionCode::Unspecified, plan.billing_period() != BillingPeriod::Unspecified)
}

#[cfg(test)]
mod property;
#[cfg(test)]
mod tests;
