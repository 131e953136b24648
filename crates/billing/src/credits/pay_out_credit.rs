//! Records that a credit was paid out.

use pavise_kernel::{Edit, EditContext, Error, Result};

use super::support::ledger::{amount_of, left_of, pay_out};
use crate::contract::v1::{Credit, ErrorReason, PayOutCreditRequest};
use crate::shared::money;

impl Edit<PayOutCreditRequest> for Credit {
    /// Takes the amount, or all that is left.
    fn edit(&mut self, request: &PayOutCreditRequest, context: &EditContext) -> Result<()> {
        let left = left_of(self);
        let amount = request.amount.unwrap_or_else(|| amount_of(self, left));
        let amount = money::check_positive("amount", Some(amount))?;
        money::check_currency("credit", self.amount.map_or(0, |whole| whole.currency), &amount)?;
        if amount.amount > left {
            let message = format!("{} is left of the credit", money::format_amount(&amount_of(self, left)));
            return Err(Error::new(ErrorReason::CreditExceeded, message).with("left", left.to_string()));
        }
        pay_out(self, amount.amount, &request.reference, context.timestamp());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::CreditStatus;
    use pavise_kernel::common::v1::Money;

    #[test]
    fn no_more_than_the_rest_is_paid_out() {
        let pay = |amount: Option<i64>, currency: i32| {
            let whole = Some(Money { currency: 1, amount: 333 });
            let mut credit =
                Credit { status: CreditStatus::Open.into(), amount: whole, left: whole, ..Credit::default() };
            let amount = amount.map(|amount| Money { currency, amount });
            let request = PayOutCreditRequest { amount, reference: "cheque 7".to_owned(), ..Default::default() };
            credit.edit(&request, &EditContext::at(0)).map(|()| (credit.status(), left_of(&credit)))
        };
        assert_eq!(pay(None, 1).unwrap(), (CreditStatus::PaidOut, 0));
        assert_eq!(pay(Some(33), 1).unwrap(), (CreditStatus::Open, 300));
        assert!(pay(Some(334), 1).unwrap_err().is(ErrorReason::CreditExceeded));
        assert!(pay(Some(33), 2).unwrap_err().is(ErrorReason::CurrencyMismatch));
        assert!(pay(Some(0), 1).is_err());
    }
}
