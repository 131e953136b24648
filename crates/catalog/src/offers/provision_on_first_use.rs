//! Lets a product of an offer be set up at its first use.

use pavise_kernel::common::v1::ProvisionType;
use pavise_kernel::{Edit, EditContext, Result};

use super::support::offered_product::find_entry;
use crate::contract::v1::{Offer, ProvisionOnFirstUseRequest};

/// The content that is sold stays the same: no review is needed.
impl Edit<ProvisionOnFirstUseRequest> for Offer {
    fn edit(&mut self, request: &ProvisionOnFirstUseRequest, _context: &EditContext) -> Result<()> {
        find_entry(self, &request.product_id)?.set_provision_type(ProvisionType::OnFirstUse);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::{ErrorReason, OfferStatus};
    use crate::shared::sample::{sample_offer, sample_product, sample_tier};

    fn request(product_id: &str) -> ProvisionOnFirstUseRequest {
        ProvisionOnFirstUseRequest { product_id: product_id.to_owned(), ..ProvisionOnFirstUseRequest::default() }
    }

    #[test]
    fn the_product_waits_for_its_first_use_and_the_offer_stays_for_sale() {
        let mut offer = sample_offer(&[sample_product("legal", vec![sample_tier("family", 1)])]);
        offer.edit(&request("legal"), &EditContext::at(0)).unwrap();
        assert_eq!(offer.products[0].provision_type(), ProvisionType::OnFirstUse);
        assert_eq!(offer.status(), OfferStatus::AvailableForSale);
    }

    #[test]
    fn a_product_of_no_offer_is_refused() {
        let refused = sample_offer(&[]).edit(&request("legal"), &EditContext::at(0)).unwrap_err();
        assert!(refused.is(ErrorReason::ProductNotOffered));
    }
}
