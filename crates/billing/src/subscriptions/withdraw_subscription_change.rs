//! Takes the waiting change of a subscription back.

use pavise_kernel::{Call, CheckRequest, Edit, EditContext, Error, Result};

use super::support::change_start::{check_none_in_progress, check_paid_by_group};
use crate::contract::v1::{ErrorReason, Subscription, WithdrawSubscriptionChangeRequest};

impl CheckRequest<WithdrawSubscriptionChangeRequest> for Subscription {
    /// A group's administrator withdraws changes of plans that the group pays for.
    async fn check_request(
        call: &Call,
        subscription: Option<&Self>,
        _request: &WithdrawSubscriptionChangeRequest,
    ) -> Result<()> {
        match subscription {
            Some(subscription) => check_paid_by_group(call, subscription).await,
            None => Ok(()),
        }
    }
}

impl Edit<WithdrawSubscriptionChangeRequest> for Subscription {
    /// Drops the change, until it is taken up.
    fn edit(&mut self, _request: &WithdrawSubscriptionChangeRequest, _context: &EditContext) -> Result<()> {
        check_none_in_progress(self)?;
        match self.change.take() {
            Some(_) => Ok(()),
            None => Err(Error::new(ErrorReason::NoChangeWaiting, "no change of the subscription waits")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::SubscriptionChange;

    #[test]
    fn a_change_is_withdrawn_until_it_is_taken_up() {
        let withdraw = |change: Option<SubscriptionChange>| {
            let mut one = Subscription { change, ..Subscription::default() };
            one.edit(&WithdrawSubscriptionChangeRequest::default(), &EditContext::at(0)).map(|()| one.change)
        };
        assert_eq!(withdraw(Some(SubscriptionChange::default())).unwrap(), None);
        assert!(withdraw(None).unwrap_err().is(ErrorReason::NoChangeWaiting));
        let paying = SubscriptionChange { invoice_id: "invoice".to_owned(), ..SubscriptionChange::default() };
        assert!(withdraw(Some(paying)).unwrap_err().is(ErrorReason::ChangeInProgress));
    }
}
