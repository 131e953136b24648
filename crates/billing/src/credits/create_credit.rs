//! Gives a member a credit.

use pavise_kernel::time::to_days;
use pavise_kernel::{Call, CheckRequest, Edit, EditContext, Error, Result};

use crate::contract::v1::{CreateCreditRequest, Credit, Invoice};
use crate::shared::money;
use crate::subscriptions::support::days::check_day;

impl CheckRequest<CreateCreditRequest> for Credit {
    /// The invoice that it comes from is one of the member.
    async fn check_request(call: &Call, _credit: Option<&Self>, request: &CreateCreditRequest) -> Result<()> {
        if request.invoice_id.is_empty() {
            return Ok(());
        }
        let invoice: Option<Invoice> = call.find_unscoped(&request.invoice_id).await?;
        if invoice.is_some_and(|invoice| invoice.owner_id == call.owner()) {
            return Ok(());
        }
        Err(Error::field("invoice_id", "is no invoice of the member"))
    }
}

impl Edit<CreateCreditRequest> for Credit {
    /// All of it is left.
    fn edit(&mut self, request: &CreateCreditRequest, context: &EditContext) -> Result<()> {
        let amount = money::check_positive("amount", request.amount)?;
        let last = check_day("last_day", request.last_day)?;
        if last.is_some_and(|last| to_days(last) < to_days(context.today())) {
            return Err(Error::field("last_day", "lies in the past"));
        }
        self.left = Some(amount);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pavise_kernel::common::v1::{Date, Money};

    #[test]
    fn it_is_over_something_and_good_from_today_on() {
        let create = |amount: i64, day: i32| {
            let amount = Some(Money { currency: 1, amount });
            let last_day = Some(Date { year: 1970, month: 1, day });
            let mut credit = Credit { amount, last_day, ..Credit::default() };
            let request = CreateCreditRequest { amount, last_day, ..CreateCreditRequest::default() };
            credit.edit(&request, &EditContext::at(pavise_kernel::time::DAY)).map(|()| credit.left)
        };
        assert_eq!(create(500, 2).unwrap(), Some(Money { currency: 1, amount: 500 }));
        let refused = |amount: i64, day: i32| create(amount, day).unwrap_err().violations()[0].field.clone();
        assert_eq!(refused(0, 2), "amount");
        assert_eq!(refused(-5, 2), "amount");
        assert_eq!(refused(500, 1), "last_day");
        assert_eq!(refused(500, 32), "last_day");
    }
}
