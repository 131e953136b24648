//! Records a number of the classic system.

use pavise_kernel::common::v1::ClassicId;
use pavise_kernel::{Edit, EditContext, Error, Result};

use crate::contract::v1::{AddClassicMapRequest, ClassicMap, ErrorReason, Provision};

impl Edit<AddClassicMapRequest> for Provision {
    /// Records the number of the buyer or of an authorized user, once.
    fn edit(&mut self, request: &AddClassicMapRequest, _context: &EditContext) -> Result<()> {
        if !self.has_person(&request.identity_id) {
            let message = "the identity is neither the buyer nor an authorized user";
            return Err(Error::new(ErrorReason::IdentityNotInProvision, message));
        }
        let map = ClassicMap {
            identity_id: request.identity_id.clone(),
            classic_id: Some(ClassicId { r#type: request.r#type, value: request.value.clone() }),
        };
        if !self.classic_maps.contains(&map) {
            self.classic_maps.push(map);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_of_the_buyer_is_recorded_once() {
        let mut provision = Provision { owner_id: "buyer".to_owned(), ..Default::default() };
        let add = |identity: &str| AddClassicMapRequest {
            identity_id: identity.to_owned(),
            value: "7".to_owned(),
            ..Default::default()
        };
        for _ in 0..2 {
            provision.edit(&add("buyer"), &EditContext::at(0)).unwrap();
        }
        assert_eq!(provision.classic_maps.len(), 1);
        let refused = provision.edit(&add("stranger"), &EditContext::at(0)).unwrap_err();
        assert!(refused.is(ErrorReason::IdentityNotInProvision));
    }
}
