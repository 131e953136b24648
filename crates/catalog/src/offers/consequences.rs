//! An offer is put on sale only while each of its products can be sold.

use pavise_kernel::{Call, Consequences, Result, Step};

use super::support::products::{check_sellable, load_products};
use crate::contract::v1::{Offer, OfferStatus};

impl Consequences for Offer {
    async fn follow(call: &Call, step: &mut Step<'_, Self>) -> Result<()> {
        let Some(offer) = step.after.as_ref().filter(|offer| is_put_on_sale(step.before.as_ref(), offer)) else {
            return Ok(());
        };
        let products = load_products(call, &offer.products).await?;
        check_sellable(offer, &products)
    }
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
