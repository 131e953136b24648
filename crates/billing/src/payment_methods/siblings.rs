//! The rule between the payment methods of a member.

use pavise_kernel::{Common, Error, Result, Siblings};

use crate::contract::v1::PaymentMethod;

impl Siblings for PaymentMethod {
    /// A member has one default at most. A call that makes a method the default has cleared the one that it found. If
    /// there is another one by now, the call looks again.
    fn check(&self, others: &[Self]) -> Result<()> {
        if self.is_default && others.iter().any(|other| other.is_default) {
            return Err(Error::new(Common::Contention, "another payment method has become the default; try again"));
        }
        Ok(())
    }

    fn is_concerned(&self) -> bool {
        self.is_default
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_default_is_refused() {
        let [default, other] = [true, false].map(|is_default| PaymentMethod { is_default, ..PaymentMethod::default() });
        assert!(default.check(&[other.clone(), other.clone()]).is_ok());
        assert!(default.is_concerned() && !other.is_concerned());
        assert!(other.check(std::slice::from_ref(&default)).is_ok());
        assert!(default.check(&[other, default.clone()]).is_err_and(|error| error.is(Common::Contention)));
    }
}
