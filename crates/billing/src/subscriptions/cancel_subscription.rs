//! Cancels a subscription at once.

use pavise_kernel::{Edit, EditContext, Result};

use crate::contract::roles;
use crate::contract::v1::{CancelSubscriptionRequest, Subscription};

impl Edit<CancelSubscriptionRequest> for Subscription {
    /// Ends it today. A group cannot end the plans itself, so that its cancellation ends them, too.
    fn edit(&mut self, request: &CancelSubscriptionRequest, context: &EditContext) -> Result<()> {
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
