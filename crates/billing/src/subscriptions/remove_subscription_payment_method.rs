//! Removes the payment method of a subscription.

use pavise_kernel::{Edit, EditContext, Error, Result};

use crate::contract::v1::{RemoveSubscriptionPaymentMethodRequest, Subscription};

impl Edit<RemoveSubscriptionPaymentMethodRequest> for Subscription {
    /// Removes the method: the expected one, if the request names one.
    fn edit(&mut self, request: &RemoveSubscriptionPaymentMethodRequest, _context: &EditContext) -> Result<()> {
        let (expected, current) = (&request.payment_method_id, &self.payment_method_id);
        if !expected.is_empty() && !current.is_empty() && expected != current {
            return Err(Error::field("payment_method_id", "is not what the subscription is paid with"));
        }
        self.payment_method_id.clear();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_method_than_the_expected_one_stays() {
        let paid = Subscription { payment_method_id: "card".into(), ..Subscription::default() };
        let remove =
            |id: &str| RemoveSubscriptionPaymentMethodRequest { payment_method_id: id.into(), ..Default::default() };
        for expected in ["", "card"] {
            let mut removed = paid.clone();
            removed.edit(&remove(expected), &EditContext::at(0)).unwrap();
            assert_eq!(removed.payment_method_id, "");
            removed.edit(&remove("card"), &EditContext::at(0)).unwrap();
        }
        assert!(paid.clone().edit(&remove("other"), &EditContext::at(0)).is_err());
    }
}
