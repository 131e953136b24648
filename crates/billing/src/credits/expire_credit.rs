//! Ends a credit whose last day is over.

use pavise_kernel::time::to_days;
use pavise_kernel::{Edit, EditContext, Result};

use crate::contract::v1::{Credit, CreditStatus, ExpireCreditRequest};

impl Edit<ExpireCreditRequest> for Credit {
    /// Makes it EXPIRED on its day. Its rest stays readable.
    fn edit(&mut self, _request: &ExpireCreditRequest, context: &EditContext) -> Result<()> {
        if self.due_to_expire_on.is_some_and(|day| to_days(day) <= to_days(context.today())) {
            self.set_status(CreditStatus::Expired);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pavise_kernel::common::v1::Date;
    use pavise_kernel::time::DAY;

    #[test]
    fn it_ends_on_its_day_and_not_before() {
        let expire = |today: i64| {
            let due_to_expire_on = Some(Date { year: 1970, month: 1, day: 9 });
            let mut one = Credit { status: CreditStatus::Open.into(), due_to_expire_on, ..Credit::default() };
            one.edit(&ExpireCreditRequest::default(), &EditContext::at((today - 1) * DAY)).unwrap();
            one.status()
        };
        assert_eq!(expire(8), CreditStatus::Open);
        assert_eq!(expire(9), CreditStatus::Expired);
        assert_eq!(expire(12), CreditStatus::Expired);
    }
}
