//! Records that staff saw proof of a business.

use pavise_kernel::{Edit, EditContext, Error, Result};

use crate::contract::v1::{Business, ErrorReason, Registration, VerifyBusinessRequest};

impl Edit<VerifyBusinessRequest> for Business {
    /// A business that is verified already stays as it is.
    fn edit(&mut self, _request: &VerifyBusinessRequest, context: &EditContext) -> Result<()> {
        let parts = [
            ("name", self.name.is_empty()),
            ("registration", self.registration() == Registration::Unspecified),
            ("addresses", self.addresses.is_empty()),
        ];
        let missing: Vec<&str> = parts.into_iter().filter_map(|(part, missing)| missing.then_some(part)).collect();
        if !missing.is_empty() {
            let missing = missing.join(", ");
            let message = format!("fill in first: {missing}");
            return Err(Error::new(ErrorReason::BusinessNotComplete, message).with("missing", missing));
        }
        if self.verified_at.is_none() {
            self.verified_at = Some(context.timestamp());
            context.actor().clone_into(&mut self.verified_by_id);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::BusinessAddress;

    #[test]
    fn a_business_is_verified_by_name_registration_and_address_and_once() {
        let context = EditContext::at(1_000_000);
        let mut business = Business { name: "Bakery".into(), ..Business::default() };
        let refused = business.edit(&VerifyBusinessRequest::default(), &context).unwrap_err();
        assert!(refused.is(ErrorReason::BusinessNotComplete));
        assert!(refused.message().contains("registration, addresses"), "{refused:?}");
        business.registration = Registration::SoleProprietorship.into();
        business.addresses.push(BusinessAddress::default());
        business.edit(&VerifyBusinessRequest::default(), &context).unwrap();
        let first = business.clone();
        assert_eq!(first.verified_at, Some(context.timestamp()));
        business.edit(&VerifyBusinessRequest::default(), &EditContext::at(2_000_000)).unwrap();
        assert_eq!(business, first, "a second time changes nothing");
    }
}
