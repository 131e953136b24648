//! Gives a payment method to another member.

use pavise_kernel::{Edit, EditContext, Result};

use crate::contract::v1::{ChangePaymentMethodOwnerRequest, PaymentMethod};

impl Edit<ChangePaymentMethodOwnerRequest> for PaymentMethod {
    /// Gives it to the new owner, whose default it is not.
    fn edit(&mut self, request: &ChangePaymentMethodOwnerRequest, _context: &EditContext) -> Result<()> {
        if self.owner_id != request.new_owner_id {
            self.owner_id.clone_from(&request.new_owner_id);
            self.is_default = false;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_default_is_none_for_another_owner() {
        let mut method = PaymentMethod { owner_id: "ann".into(), is_default: true, ..PaymentMethod::default() };
        let to = |owner: &str| ChangePaymentMethodOwnerRequest { new_owner_id: owner.into(), ..Default::default() };
        method.edit(&to("ann"), &EditContext::at(0)).unwrap();
        assert!(method.is_default, "the same owner keeps the default");
        method.edit(&to("ben"), &EditContext::at(0)).unwrap();
        assert_eq!((method.owner_id.as_str(), method.is_default), ("ben", false));
    }
}
