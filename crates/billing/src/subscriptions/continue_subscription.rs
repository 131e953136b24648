//! Lets a member go on with a plan at their own cost when their group ends.

use std::future::ready;

use pavise_kernel::common::v1::BillingPeriod;
use pavise_kernel::time::add_days;
use pavise_kernel::{Call, CheckRequest, Edit, EditContext, Error, Result};

use crate::contract::v1::{ContinueSubscriptionRequest, ErrorReason, Subscription};
use crate::shared::admission::{UsableWhen, admit_naming};

impl CheckRequest<ContinueSubscriptionRequest> for Subscription {
    /// The payment method can be used now, belongs to the member, and is of no group.
    async fn check_request(
        call: &Call,
        _subscription: Option<&Self>,
        request: &ContinueSubscriptionRequest,
    ) -> Result<()> {
        admit_naming(call, &request.payment_method_id, ready(Ok(String::new())), UsableWhen::Now).await
    }
}

impl Edit<ContinueSubscriptionRequest> for Subscription {
    /// The member pays from the day after the last one that the employer pays for.
    fn edit(&mut self, _request: &ContinueSubscriptionRequest, _context: &EditContext) -> Result<()> {
        if !self.may_continue {
            let message = "the subscription does not end with a group that lets its members go on";
            return Err(Error::new(ErrorReason::SubscriptionNotContinuable, message));
        }
        if self.billing_period() == BillingPeriod::PayPeriod {
            let message = "the subscription has the price of a pay period: ask the member service for another";
            return Err(Error::new(ErrorReason::SubscriptionNotContinuable, message));
        }
        self.may_continue = false;
        if let Some(last) = self.employer_pays_until.take() {
            let first = add_days(last, 1);
            self.paid_to_date = Some(last);
            self.next_bill_on = Some(first);
            self.bill_cycle_day = first.day;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pavise_kernel::common::v1::Date;

    const JUNE_14: Date = Date { year: 2026, month: 6, day: 14 };

    fn ending() -> Subscription {
        Subscription {
            billing_period: BillingPeriod::Monthly.into(),
            bill_cycle_day: 31,
            next_bill_on: Some(Date { day: 30, ..JUNE_14 }),
            may_continue: true,
            employer_pays_until: Some(JUNE_14),
            ..Subscription::default()
        }
    }

    fn go_on(mut subscription: Subscription) -> Result<Subscription> {
        subscription.edit(&ContinueSubscriptionRequest::default(), &EditContext::at(0))?;
        Ok(subscription)
    }

    #[test]
    fn the_member_pays_from_the_day_after_the_employer() {
        let own = go_on(ending()).unwrap();
        let first = Date { day: 15, ..JUNE_14 };
        assert_eq!((own.paid_to_date, own.next_bill_on, own.bill_cycle_day), (Some(JUNE_14), Some(first), 15));
        assert!(!own.may_continue && own.employer_pays_until.is_none());
        let paid_before = go_on(Subscription { employer_pays_until: None, ..ending() }).unwrap();
        assert_eq!((paid_before.next_bill_on, paid_before.bill_cycle_day), (ending().next_bill_on, 31));
    }

    #[test]
    fn a_plan_that_does_not_end_with_its_group_or_follows_the_payroll_does_not_go_on() {
        let stays = Subscription { may_continue: false, ..ending() };
        let payroll = Subscription { billing_period: BillingPeriod::PayPeriod.into(), ..ending() };
        for refused in [stays, payroll] {
            assert!(go_on(refused).unwrap_err().is(ErrorReason::SubscriptionNotContinuable));
        }
    }
}
