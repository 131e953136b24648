//! An entitlement ends.

use pavise_kernel::time::days;
use pavise_kernel::{Edit, EditContext, Result};

use crate::contract::v1::{CancelEntitlementRequest, Entitlement};

impl Edit<CancelEntitlementRequest> for Entitlement {
    /// Sets the last day: today, unless the request names one. An entitlement that begins later ends on its first day.
    fn edit(&mut self, request: &CancelEntitlementRequest, context: &EditContext) -> Result<()> {
        let last_day = request.ends_on.unwrap_or_else(|| context.today());
        let begins_later = self.effective_on.filter(|begin| request.ends_on.is_none() && days(*begin) > days(last_day));
        self.ends_on = Some(begins_later.unwrap_or(last_day));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pavise_kernel::common::v1::Date;

    #[test]
    fn it_ends_today_on_the_named_day_or_on_its_first_day() {
        let day = |day: i32| Some(Date { year: 1970, month: 1, day });
        let ends_on = |effective_on: Option<Date>, ends_on: Option<Date>| {
            let mut entitlement = Entitlement { effective_on, ..Default::default() };
            let request = CancelEntitlementRequest { ends_on, ..Default::default() };
            entitlement.edit(&request, &EditContext::at(0)).unwrap();
            entitlement.ends_on
        };
        assert_eq!(ends_on(None, None), day(1));
        assert_eq!(ends_on(day(1), day(9)), day(9));
        assert_eq!(ends_on(day(5), None), day(5));
        assert_eq!(ends_on(day(5), day(3)), day(3), "a named day is taken as it is");
    }
}
