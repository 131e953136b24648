//! Cancels a subscription at once.

use pavise_kernel::{Call, CheckRequest, Edit, EditContext, Result};

use super::support::end_at_once::{check_choice, choose_unused_days};
use crate::contract::roles;
use crate::contract::v1::{CancelSubscriptionRequest, Subscription, UnusedDays};

impl CheckRequest<CancelSubscriptionRequest> for Subscription {
    /// Callers without the permission get what the platform's setting says for unused days.
    async fn check_request(
        call: &Call,
        _subscription: Option<&Self>,
        request: &CancelSubscriptionRequest,
    ) -> Result<()> {
        let set = choose_unused_days(call, UnusedDays::Unspecified)?;
        check_choice(request.unused_days(), set, call.has_role(roles::GIVES_BACK))
    }
}

impl Edit<CancelSubscriptionRequest> for Subscription {
    /// Ends it today. A group cannot end the plans itself, so that its cancellation ends them, too.
    fn edit(&mut self, request: &CancelSubscriptionRequest, context: &EditContext) -> Result<()> {
        // One that is over already keeps what its days gave.
        if self.cancelled_on.is_none() {
            self.unused_days = request.unused_days;
        }
        self.cancelled_on = Some(context.today());
        let by_group = !request.group_id.is_empty() || context.has_role(roles::ADMINISTRATOR);
        self.ends_plans = request.end_plans || by_group;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeat_does_not_change_what_the_days_gave() {
        let mut subscription = Subscription::default();
        for unused in [UnusedDays::Credit, UnusedDays::Refund] {
            let request = CancelSubscriptionRequest { unused_days: unused.into(), ..Default::default() };
            subscription.edit(&request, &EditContext::at(0)).unwrap();
        }
        assert_eq!(subscription.unused_days(), UnusedDays::Credit);
    }

    #[test]
    fn the_plans_end_where_a_group_cancels_or_the_caller_says_so() {
        let cancel = |group: &str, end_plans: bool, context: EditContext| {
            let mut subscription = Subscription::default();
            let request = CancelSubscriptionRequest { group_id: group.to_owned(), end_plans, ..Default::default() };
            subscription.edit(&request, &context).unwrap();
            subscription.ends_plans
        };
        let staff = || EditContext::at(0);
        assert!(!cancel("", false, staff()), "staff, and a plan change, decide about the plans themselves");
        assert!(cancel("", true, staff()));
        assert!(cancel("acme", false, staff()));
        assert!(cancel("", false, staff().with_role(roles::ADMINISTRATOR)));
    }
}
