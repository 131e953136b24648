//! The rules of every provision.

use std::collections::BTreeSet;

use pavise_kernel::aggregate::Invariants;
use pavise_kernel::{Error, Result};

use crate::contract::v1::{ErrorReason, Provision, ProvisionStatus as Status};

impl Invariants for Provision {
    fn check(&self) -> Result<()> {
        if self.owner_id.is_empty() {
            return Err(Error::field("identity_id", "a provision has a buyer"));
        }
        if self.lines.is_empty() {
            return Err(Error::field("lines", "a provision has at least one line"));
        }
        let entitlements: Vec<&String> =
            self.lines.iter().map(|line| &line.entitlement_id).filter(|id| !id.is_empty()).collect();
        if entitlements.iter().collect::<BTreeSet<_>>().len() != entitlements.len() {
            return Err(Error::new(ErrorReason::AlreadyRecorded, "another line has the same entitlement"));
        }
        if entitlements != self.entitlement_ids.iter().collect::<Vec<_>>() {
            return Err(Error::internal("entitlement_ids are not those of the lines"));
        }
        match unmet_condition(self) {
            Some(what) => Err(Error::new(ErrorReason::StepIncomplete, what).with("status", self.status().spelling())),
            None => Ok(()),
        }
    }
}

/// The condition of its status that the provision does not meet, if there is one.
fn unmet_condition(provision: &Provision) -> Option<&'static str> {
    let identities = || {
        provision
            .authorized_users
            .iter()
            .any(|user| user.identity_id.is_empty())
            .then_some("an authorized user has no identity yet")
    };
    let entitlements =
        || provision.lines.iter().any(|line| line.entitlement_id.is_empty()).then_some("a line has no entitlement yet");
    let subscription =
        || (provision.is_recurring() && provision.subscription_id.is_empty()).then_some("there is no subscription yet");
    let business =
        || (provision.needs_business() && provision.business_id.is_empty()).then_some("the business has no id yet");
    match provision.status() {
        Status::Unspecified
        | Status::Created
        | Status::Process
        | Status::Updated
        | Status::Started
        | Status::InProgress
        | Status::Deleted => None,
        Status::IdentitiesAdded | Status::ClassicMapsAdded => identities(),
        Status::SubscriptionAndEntitlementAdded => identities().or_else(subscription).or_else(entitlements),
        Status::BusinessAdded if !provision.needs_business() => Some("it has no business product"),
        Status::BusinessAdded | Status::Completed => {
            identities().or_else(subscription).or_else(entitlements).or_else(business)
        }
        Status::Failed => provision.failure.is_none().then_some("the failure is not named"),
        Status::PendingPlanChange => provision.plan_change.is_none().then_some("there is no plan change"),
        Status::PotentialReinstatement | Status::ReinstateChecked => {
            provision.reinstatement.is_none().then_some("there is no match")
        }
        Status::PendingProfileReview => provision
            .profile_review
            .as_ref()
            .is_none_or(|review| review.collisions.is_empty())
            .then_some("there is no collision"),
    }
}

#[cfg(test)]
mod tests {
    use pavise_kernel::common::v1::{BillingPeriod, Currency, Money};

    use super::*;
    use crate::contract::v1::{ProvisionAuthorizedUser, ProvisionFailure, ProvisionLine};

    fn complete() -> Provision {
        let price = Money { currency: Currency::Usd.into(), amount: 2995 };
        let line = ProvisionLine {
            id: "1".to_owned(),
            product_id: "legal".to_owned(),
            renewal_price: Some(price),
            billing_period: BillingPeriod::Monthly.into(),
            entitlement_id: "e1".to_owned(),
            ..Default::default()
        };
        let user =
            ProvisionAuthorizedUser { id: "1".to_owned(), identity_id: "spouse".to_owned(), ..Default::default() };
        Provision {
            owner_id: "buyer".to_owned(),
            status: Status::Completed.into(),
            lines: vec![line],
            authorized_users: vec![user],
            subscription_id: "s1".to_owned(),
            entitlement_ids: vec!["e1".to_owned()],
            ..Default::default()
        }
    }

    fn refusal(change: impl FnOnce(&mut Provision)) -> String {
        let mut provision = complete();
        change(&mut provision);
        provision.check().unwrap_err().reason().to_owned()
    }

    #[test]
    fn a_status_is_reached_only_when_its_condition_is_met() {
        complete().check().unwrap();
        assert_eq!(refusal(|it| it.authorized_users[0].identity_id.clear()), "STEP_INCOMPLETE");
        assert_eq!(refusal(|it| it.subscription_id.clear()), "STEP_INCOMPLETE");
        assert_eq!(refusal(|it| it.lines[0].business = true), "STEP_INCOMPLETE");
        assert_eq!(refusal(|it| it.status = Status::BusinessAdded.into()), "STEP_INCOMPLETE");
        assert_eq!(refusal(|it| it.status = Status::Failed.into()), "STEP_INCOMPLETE");
        assert_eq!(refusal(|it| it.status = Status::PendingPlanChange.into()), "STEP_INCOMPLETE");
        assert_eq!(refusal(|it| it.status = Status::ReinstateChecked.into()), "STEP_INCOMPLETE");
        assert_eq!(refusal(|it| it.status = Status::PendingProfileReview.into()), "STEP_INCOMPLETE");
        let unentitled = |it: &mut Provision| {
            it.lines[0].entitlement_id.clear();
            it.entitlement_ids.clear();
        };
        assert_eq!(refusal(unentitled), "STEP_INCOMPLETE");
    }

    #[test]
    fn an_offer_that_does_not_renew_needs_no_subscription() {
        let mut provision = complete();
        provision.subscription_id.clear();
        provision.lines[0].billing_period = BillingPeriod::OneTime.into();
        provision.check().unwrap();
    }

    #[test]
    fn the_entitlements_are_those_of_the_lines() {
        assert_eq!(refusal(|it| it.entitlement_ids.push("e2".to_owned())), "INTERNAL");
        let twice = |it: &mut Provision| {
            it.lines.push(it.lines[0].clone());
            it.entitlement_ids.push("e1".to_owned());
        };
        assert_eq!(refusal(twice), "ALREADY_RECORDED");
    }

    #[test]
    fn a_failure_is_kept_with_its_status() {
        let mut provision = complete();
        provision.status = Status::Failed.into();
        provision.failure = Some(ProvisionFailure { status: Status::InProgress.into(), ..Default::default() });
        provision.check().unwrap();
    }
}
