//! Sets a fact for the setup of a benefit, or removes it.

use pavise_kernel::{Edit, EditContext, Result};

use crate::contract::v1::{Benefit, BenefitMetadata, UpdateBenefitProvisioningMetadataRequest};

impl Edit<UpdateBenefitProvisioningMetadataRequest> for Benefit {
    fn edit(&mut self, request: &UpdateBenefitProvisioningMetadataRequest, _context: &EditContext) -> Result<()> {
        let place = self.metadata.iter().position(|fact| fact.key == request.key);
        match (place.and_then(|place| self.metadata.get_mut(place)), request.value.is_empty()) {
            (Some(fact), false) => fact.value.clone_from(&request.value),
            (None, false) => {
                self.metadata.push(BenefitMetadata { key: request.key.clone(), value: request.value.clone() });
            }
            (_, true) => self.metadata.retain(|fact| fact.key != request.key),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fact_is_added_replaced_and_removed() {
        let mut benefit = Benefit::default();
        let mut put = |key: &str, value: &str| {
            let request = UpdateBenefitProvisioningMetadataRequest {
                key: key.to_owned(),
                value: value.to_owned(),
                ..UpdateBenefitProvisioningMetadataRequest::default()
            };
            benefit.edit(&request, &EditContext::at(0)).unwrap();
            let facts = benefit.metadata.iter().map(|fact| format!("{}={}", fact.key, fact.value));
            facts.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(put("sku", "7"), "sku=7");
        assert_eq!(put("plan", "gold"), "sku=7 plan=gold");
        assert_eq!(put("sku", "8"), "sku=8 plan=gold");
        assert_eq!(put("sku", ""), "plan=gold");
        assert_eq!(put("none", ""), "plan=gold");
    }
}
