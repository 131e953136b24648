//! Gives a payment method another address or friendly id, or makes it the default.

use pavise_kernel::{Edit, EditContext, Result};

use crate::contract::v1::{PaymentMethod, UpdatePaymentMethodRequest};

impl Edit<UpdatePaymentMethodRequest> for PaymentMethod {
    /// Makes the method the default if the request asks for it. A default stays one until another is named.
    fn edit(&mut self, request: &UpdatePaymentMethodRequest, _context: &EditContext) -> Result<()> {
        self.is_default |= request.is_default;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_default_stays_one_until_another_is_named() {
        for (was, asked, is) in [(false, false, false), (false, true, true), (true, false, true), (true, true, true)] {
            let mut method = PaymentMethod { is_default: was, ..PaymentMethod::default() };
            let request = UpdatePaymentMethodRequest { is_default: asked, ..UpdatePaymentMethodRequest::default() };
            method.edit(&request, &EditContext::at(0)).unwrap();
            assert_eq!(method.is_default, is, "{was} and {asked}");
        }
    }
}
