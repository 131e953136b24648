//! Makes a business of what its owner said of it in the cart.

use pavise_kernel::common::v1::{Address, CountryCode, PhoneType};
use pavise_kernel::{Call, CheckRequest, Edit, EditContext, Error, Result};

use super::support::identifiers::normalize_identifier;
use crate::contract::v1::*;
use crate::shared::entitlements::check_entitlements;

impl CheckRequest<CreateBusinessFromCheckoutRequest> for Business {
    /// Refuses entitlements of somebody else.
    async fn check_request(call: &Call, _: Option<&Self>, request: &CreateBusinessFromCheckoutRequest) -> Result<()> {
        let ids = &request.associated_entitlement_ids;
        check_entitlements(call, call.owner(), ids, "associated_entitlement_ids").await
    }
}

impl Edit<CreateBusinessFromCheckoutRequest> for Business {
    fn edit(&mut self, request: &CreateBusinessFromCheckoutRequest, _context: &EditContext) -> Result<()> {
        let Some(cart) = &request.business_info else { return Err(Error::missing_field("business_info")) };
        self.name.clone_from(&cart.name);
        let contact_name = format!("{} {}", cart.first_name, cart.last_name).trim().to_owned();
        if !cart.phone_number.is_empty() {
            self.phone_numbers = vec![BusinessPhoneNumber {
                number: cart.phone_number.clone(),
                r#type: default_to_cell(cart.phone_type()).into(),
                contact_name: contact_name.clone(),
                primary: true,
                ..BusinessPhoneNumber::default()
            }];
        }
        if !cart.email.is_empty() {
            self.emails = vec![BusinessEmail { address: cart.email.clone(), contact_name, primary: true }];
        }
        if !cart.national_identifier.is_empty() {
            let kind = identifier_type(cart.address.as_ref())?;
            let value = normalize_identifier(kind, &cart.national_identifier, "business_info.national_identifier")?;
            self.identifiers = vec![BusinessIdentifier { r#type: kind.into(), value }];
        }
        self.addresses =
            cart.address.iter().map(|one| BusinessAddress { address: Some(one.clone()), primary: true }).collect();
        Ok(())
    }
}

/// The kind of a telephone number in the cart (001 §3 Cart state).
fn default_to_cell(said: PhoneType) -> PhoneType {
    if said == PhoneType::Unspecified { PhoneType::Cell } else { said }
}

/// The kind of number that the country of the address gives to businesses.
fn identifier_type(address: Option<&Address>) -> Result<IdentifierType> {
    match address.map(Address::country) {
        Some(CountryCode::Usa) => Ok(IdentifierType::Ein),
        Some(CountryCode::Can) => Ok(IdentifierType::Bn),
        Some(CountryCode::Unspecified) | None => {
            Err(Error::field("business_info.address", "is needed beside a number: its country says which one it is"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn make(cart: CheckoutBusinessInfo) -> Result<Business> {
        let mut business = Business::default();
        let request = CreateBusinessFromCheckoutRequest { business_info: Some(cart), ..Default::default() };
        business.edit(&request, &EditContext::at(0)).map(|()| business)
    }

    fn cart(country: CountryCode, number: &str) -> CheckoutBusinessInfo {
        CheckoutBusinessInfo {
            name: "Bakery".into(),
            address: Some(Address { country: country.into(), ..Address::default() }),
            email: "bread@example.com".into(),
            first_name: "Ada".into(),
            national_identifier: number.into(),
            phone_number: "+15125550100".into(),
            ..CheckoutBusinessInfo::default()
        }
    }

    #[test]
    fn the_cart_makes_the_primary_ones() {
        let business = make(cart(CountryCode::Usa, "12-3456789")).unwrap();
        assert_eq!((business.name.as_str(), business.addresses.len()), ("Bakery", 1));
        let phone = &business.phone_numbers[0];
        assert_eq!((phone.r#type(), phone.contact_name.as_str(), phone.primary), (PhoneType::Cell, "Ada", true));
        assert_eq!(business.emails[0].address, "bread@example.com");
        let number = &business.identifiers[0];
        assert_eq!((number.r#type(), number.value.as_str()), (IdentifierType::Ein, "123456789"));
        let empty = make(CheckoutBusinessInfo::default()).unwrap();
        assert_eq!(empty, Business::default(), "a cart that says nothing");
    }

    #[test]
    fn the_country_says_which_number_it_is() {
        let business = make(cart(CountryCode::Can, "123456782")).unwrap();
        assert_eq!(business.identifiers[0].r#type(), IdentifierType::Bn);
        let field = |cart| make(cart).unwrap_err().violations()[0].field.clone();
        assert_eq!(field(cart(CountryCode::Usa, "123")), "business_info.national_identifier");
        let nowhere = CheckoutBusinessInfo { address: None, ..cart(CountryCode::Usa, "12-3456789") };
        assert_eq!(field(nowhere), "business_info.address");
    }
}
