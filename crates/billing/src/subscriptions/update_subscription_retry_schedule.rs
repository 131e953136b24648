//! Replaces the retry schedule of a subscription.

use pavise_kernel::{Edit, EditContext, Result};

use super::support::retry_schedule::resolve_retry_schedule;
use crate::contract::v1::{Subscription, UpdateSubscriptionRetryScheduleRequest};

impl Edit<UpdateSubscriptionRetryScheduleRequest> for Subscription {
    fn edit(&mut self, request: &UpdateSubscriptionRetryScheduleRequest, _context: &EditContext) -> Result<()> {
        self.retry_schedule = resolve_retry_schedule(&request.retry_schedule)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_ascend_and_none_means_the_default() {
        let schedule = |days: &[i32]| {
            let mut subscription = Subscription::default();
            let request =
                UpdateSubscriptionRetryScheduleRequest { retry_schedule: days.to_vec(), ..Default::default() };
            subscription.edit(&request, &EditContext::at(0)).map(|()| subscription.retry_schedule)
        };
        assert_eq!(schedule(&[1, 9]).unwrap(), [1, 9]);
        assert_eq!(schedule(&[]).unwrap(), [3, 5, 7]);
        assert!(schedule(&[5, 3]).is_err());
        assert!(schedule(&[3, 3]).is_err());
    }
}
