//! Lets a product of an offer be set up as soon as it is paid.

use pavise_kernel::common::v1::ProvisionType;
use pavise_kernel::{Edit, EditContext, Result};

use super::support::offered_product::find_entry;
use crate::contract::v1::{Offer, ProvisionImmediatelyRequest};

/// The content that is sold stays the same: no review is needed.
impl Edit<ProvisionImmediatelyRequest> for Offer {
    fn edit(&mut self, request: &ProvisionImmediatelyRequest, _context: &EditContext) -> Result<()> {
        find_entry(self, &request.product_id)?.set_provision_type(ProvisionType::Immediate);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::sample::{sample_offer, sample_product, sample_tier};

    #[test]
    fn only_the_named_product_is_set_up_at_once() {
        let mut offer = sample_offer(&[
            sample_product("legal", vec![sample_tier("family", 1)]),
            sample_product("identity", vec![sample_tier("family", 1)]),
        ]);
        for entry in &mut offer.products {
            entry.set_provision_type(ProvisionType::OnFirstUse);
        }
        let request =
            ProvisionImmediatelyRequest { product_id: "legal".to_owned(), ..ProvisionImmediatelyRequest::default() };
        offer.edit(&request, &EditContext::at(0)).unwrap();
        let types: Vec<_> = offer.products.iter().map(|entry| entry.provision_type()).collect();
        assert_eq!(types, [ProvisionType::Immediate, ProvisionType::OnFirstUse]);
    }
}
