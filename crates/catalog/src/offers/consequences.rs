//! An offer is put on sale only while each of its products can be sold, and on trial only for a cohort. It notes what was
//! approved.

use pavise_kernel::{Call, Consequences, Error, Result, Step};

use super::support::products::{check_sellable, load_products};
use super::support::versions::freeze_products;
use crate::contract::v1::{ErrorReason, Offer, OfferStatus, OfferType, TrialCohort};

impl Consequences for Offer {
    async fn follow(call: &Call, step: &mut Step<'_, Self>) -> Result<()> {
        if let Some(after) = &step.after {
            check_trial(step.before.as_ref(), after)?;
        }
        let before = step.before.as_ref();
        let Some(offer) = step.after.as_mut().filter(|offer| is_put_on_sale(before, offer)) else { return Ok(()) };
        let products = load_products(call, &offer.products).await?;
        check_sellable(offer, &products)?;
        offer.product_versions = freeze_products(call, &products).await?;
        Ok(())
    }
}

/// Checks that a change does not make an offer on trial one that can be bought, unless it is for a cohort.
///
/// # Errors
/// `OFFER_EXPERIMENTAL`.
pub(in crate::offers) fn check_trial(before: Option<&Offer>, after: &Offer) -> Result<()> {
    if !is_begun_trial(before, after) {
        return Ok(());
    }
    let message = "the offer is EXPERIMENTAL and names no cohort: nobody could see it";
    Err(Error::new(ErrorReason::OfferExperimental, message))
}

/// Whether the change makes an offer on trial without a cohort one that can be bought.
fn is_begun_trial(before: Option<&Offer>, after: &Offer) -> bool {
    let is_bought = matches!(after.status(), OfferStatus::AvailableForSale | OfferStatus::Enrollable);
    let facts = |offer: &Offer| (offer.r#type, offer.status, offer.cohort);
    let is_new = before.is_none_or(|before| facts(before) != facts(after));
    let is_nobodys = after.r#type() == OfferType::Experimental && after.cohort() == TrialCohort::Unspecified;
    is_nobodys && is_bought && is_new
}

/// Whether the status of the offer changes to one in which it can be bought.
fn is_put_on_sale(before: Option<&Offer>, after: &Offer) -> bool {
    let moved = before.is_none_or(|before| before.status() != after.status());
    match after.status() {
        OfferStatus::AvailableForSale | OfferStatus::Enrollable => moved,
        OfferStatus::Unspecified
        | OfferStatus::PendingApproval
        | OfferStatus::NeedsReview
        | OfferStatus::Grandfathered => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::sample::sample_offer;

    #[test]
    fn an_offer_on_trial_is_put_on_sale_for_a_cohort_only() {
        let with = |status: OfferStatus, kind: OfferType| Offer {
            status: status.into(),
            r#type: kind.into(),
            ..sample_offer(&[])
        };
        let (waits, sold) = (OfferStatus::PendingApproval, OfferStatus::Enrollable);
        let trial = with(sold, OfferType::Experimental);
        assert!(is_begun_trial(Some(&with(waits, OfferType::Experimental)), &trial));
        assert!(is_begun_trial(Some(&with(sold, OfferType::Standard)), &trial), "its kind changes while it is sold");
        assert!(!is_begun_trial(Some(&trial), &trial), "it was sold before this rule");
        assert!(!is_begun_trial(None, &with(waits, OfferType::Experimental)));
        assert!(!is_begun_trial(None, &with(sold, OfferType::Standard)));
        let beta = Offer { cohort: TrialCohort::ShieldAtWorkBeta.into(), ..trial.clone() };
        assert!(!is_begun_trial(None, &beta) && !is_begun_trial(Some(&trial), &beta));
        assert!(is_begun_trial(Some(&beta), &trial), "it loses its cohort while it is sold");
    }

    #[test]
    fn only_a_change_of_the_status_puts_an_offer_on_sale() {
        use OfferStatus as S;
        let with = |status: S| {
            let mut offer = sample_offer(&[]);
            offer.set_status(status);
            offer
        };
        assert!(is_put_on_sale(Some(&with(S::PendingApproval)), &with(S::AvailableForSale)));
        assert!(is_put_on_sale(Some(&with(S::AvailableForSale)), &with(S::Enrollable)));
        assert!(!is_put_on_sale(Some(&with(S::Enrollable)), &with(S::Enrollable)), "an edit of an offer on sale");
        assert!(!is_put_on_sale(Some(&with(S::AvailableForSale)), &with(S::NeedsReview)));
        assert!(!is_put_on_sale(Some(&with(S::Enrollable)), &with(S::Grandfathered)));
    }
}
