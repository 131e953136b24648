//! Replaces the states and provinces in which an offer is sold.

use pavise_kernel::{Edit, EditContext, Result};

use crate::contract::v1::{Offer, UpdateAvailableLocalitiesRequest};

impl Edit<UpdateAvailableLocalitiesRequest> for Offer {
    fn edit(&mut self, request: &UpdateAvailableLocalitiesRequest, _context: &EditContext) -> Result<()> {
        self.revise_content(|offer| {
            offer.available_localities.clone_from(&request.available_localities);
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::OfferStatus;
    use crate::shared::sample::sample_offer;
    use pavise_kernel::common::v1::RegionCode;

    #[test]
    fn an_offer_for_sale_needs_a_review_when_its_places_change() {
        let mut offer = sample_offer(&[]);
        let nothing = UpdateAvailableLocalitiesRequest::default();
        offer.edit(&nothing, &EditContext::at(0)).unwrap();
        assert_eq!(offer.status(), OfferStatus::AvailableForSale);
        let texas = UpdateAvailableLocalitiesRequest { available_localities: vec![RegionCode::Tx.into()], ..nothing };
        offer.edit(&texas, &EditContext::at(0)).unwrap();
        assert_eq!(
            (offer.status(), offer.available_localities),
            (OfferStatus::NeedsReview, texas.available_localities)
        );
    }
}
