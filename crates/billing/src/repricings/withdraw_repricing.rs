//! Takes a repricing back before its first day.

use pavise_kernel::time::to_days;
use pavise_kernel::{Edit, EditContext, Error, Result};

use crate::contract::v1::{ErrorReason, Repricing, WithdrawRepricingRequest};
use crate::subscriptions::support::days::format_day;

impl Edit<WithdrawRepricingRequest> for Repricing {
    /// From its first day on, a bill may have the new price.
    fn edit(&mut self, _request: &WithdrawRepricingRequest, context: &EditContext) -> Result<()> {
        match self.first_day.filter(|first| to_days(*first) <= to_days(context.today())) {
            Some(first) => {
                let message = format!("the new price counts since {}", format_day(first));
                Err(Error::new(ErrorReason::RepricingBegun, message))
            }
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pavise_kernel::common::v1::Date;
    use pavise_kernel::time::{DAY, start_of};

    #[test]
    fn it_is_withdrawn_until_the_day_before_its_first_one() {
        let first = Date { year: 2026, month: 4, day: 1 };
        let withdraw = |now: i64| {
            let mut repricing = Repricing { first_day: Some(first), ..Repricing::default() };
            repricing.edit(&WithdrawRepricingRequest::default(), &EditContext::at(now))
        };
        withdraw(start_of(first) - 1).unwrap();
        assert!(withdraw(start_of(first)).unwrap_err().is(ErrorReason::RepricingBegun));
        assert!(withdraw(start_of(first) + DAY).is_err());
    }
}
