//! Takes the next step with a subscription that was suspended because it is not paid.

use pavise_kernel::time::to_days;
use pavise_kernel::{Edit, EditContext, Result};

use super::support::ending::cancel_unpaid;
use crate::contract::v1::{DunSubscriptionRequest, Subscription, SubscriptionStatus};

impl Edit<DunSubscriptionRequest> for Subscription {
    /// Announces the cancellation of one that is suspended, and cancels one that was announced. Before its day nothing
    /// changes.
    fn edit(&mut self, _request: &DunSubscriptionRequest, context: &EditContext) -> Result<()> {
        let today = context.today();
        if self.due_to_dun_on.is_none_or(|day| to_days(day) > to_days(today)) {
            return Ok(());
        }
        match self.status() {
            SubscriptionStatus::Suspended => self.set_status(SubscriptionStatus::Precancel),
            SubscriptionStatus::Precancel => cancel_unpaid(self, today),
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::CancelReason;
    use pavise_kernel::common::v1::Date;
    use pavise_kernel::time::DAY;

    #[test]
    fn it_warns_and_then_cancels_on_the_day_and_not_before() {
        let dun = |status: SubscriptionStatus, today: i64| {
            let due_to_dun_on = Some(Date { year: 1970, month: 1, day: 9 });
            let mut one = Subscription { status: status.into(), due_to_dun_on, ..Subscription::default() };
            one.edit(&DunSubscriptionRequest::default(), &EditContext::at((today - 1) * DAY)).unwrap();
            one
        };
        assert_eq!(dun(SubscriptionStatus::Suspended, 8).status(), SubscriptionStatus::Suspended);
        assert_eq!(dun(SubscriptionStatus::Suspended, 9).status(), SubscriptionStatus::Precancel);
        let over = dun(SubscriptionStatus::Precancel, 10);
        assert_eq!((over.status(), over.cancel_reason()), (SubscriptionStatus::Cancelled, CancelReason::Reinstate));
        assert!(over.ends_plans);
    }
}
