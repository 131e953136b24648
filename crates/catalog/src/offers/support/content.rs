//! The content of an offer: the fields that callers set.

use crate::contract::v1::{Offer, OfferDraft, OfferStatus, OfferType};

impl Offer {
    /// Replaces the content by that of a draft.
    pub(crate) fn replace_content(&mut self, draft: OfferDraft) {
        let kind = match draft.r#type() {
            OfferType::Unspecified => OfferType::Standard,
            said => said,
        };
        self.names = draft.names;
        self.descriptions = draft.descriptions;
        self.channel = draft.channel;
        self.r#type = kind.into();
        self.co_brand_partner = draft.co_brand_partner;
        self.currencies = draft.currencies;
        self.billing_periods = draft.billing_periods;
        self.available_localities = draft.available_localities;
        self.country = draft.country;
        self.market = draft.market;
        self.products = draft.products;
        self.valid_from = draft.valid_from;
        self.valid_until = draft.valid_until;
        self.group_ids = draft.group_ids;
        self.cohort = draft.cohort;
    }

    /// Edits the content. An offer that is for sale then needs a review, if the edit changes it.
    pub(crate) fn revise_content<E>(&mut self, edit: impl FnOnce(&mut Self) -> Result<(), E>) -> Result<(), E> {
        let before = self.clone();
        edit(self)?;
        if self.status() == OfferStatus::AvailableForSale && *self != before {
            self.set_status(OfferStatus::NeedsReview);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::sample::sample_offer;

    /// The status after an offer's market was set to a value.
    fn after(status: OfferStatus, market: &str) -> OfferStatus {
        let mut offer = sample_offer(&[]);
        offer.set_status(status);
        offer.market = "consumer".to_owned();
        offer
            .revise_content(|offer| {
                offer.market = market.to_owned();
                Ok::<_, std::convert::Infallible>(())
            })
            .unwrap();
        offer.status()
    }

    #[test]
    fn only_a_real_change_of_an_offer_for_sale_needs_a_review() {
        use OfferStatus as S;
        assert_eq!(after(S::AvailableForSale, "business"), S::NeedsReview);
        assert_eq!(after(S::AvailableForSale, "consumer"), S::AvailableForSale);
        for status in [S::PendingApproval, S::NeedsReview, S::Enrollable, S::Grandfathered] {
            assert_eq!(after(status, "business"), status);
        }
    }
}
