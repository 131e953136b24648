//! Subscriptions.

mod consequences;
mod rules;

mod activate_subscription;
mod advance_subscription_next_bill_on;
mod bill_subscription;
mod can_subscription_be_deleted;
mod cancel_subscription;
mod catch_up_subscription;
mod continue_subscription;
mod create_subscription;
mod dun_subscription;
mod end_subscription;
mod list_outstanding_invoices;
mod migrate_scheduled_subscription_cancellation;
mod pending_cancel_subscription;
mod preview_subscription;
mod remove_pending_cancel_subscription;
mod remove_scheduled_subscription_cancellation;
mod remove_subscription_payment_method;
mod review_subscription;
mod schedule_subscription_cancellation;
pub(crate) mod support;
mod take_up_subscription_change;
mod update_subscription_administrative_area;
mod update_subscription_billing_frequency;
mod update_subscription_discounts;
mod update_subscription_idempotent_key;
mod update_subscription_next_bill_on;
mod update_subscription_offer;
mod update_subscription_paid_to_date;
mod update_subscription_payment_method;
mod update_subscription_postal_code;
mod update_subscription_retry_schedule;
mod update_subscription_started_on;
mod withdraw_subscription_change;

pub(crate) use bill_subscription::bill_subscription;
pub(crate) use can_subscription_be_deleted::can_subscription_be_deleted;
pub(crate) use catch_up_subscription::catch_up_subscription;
pub(crate) use create_subscription::create_subscription;
pub(crate) use list_outstanding_invoices::list_outstanding_invoices;
pub(crate) use preview_subscription::preview_subscription;
pub(crate) use review_subscription::review_subscription;
pub(crate) use take_up_subscription_change::take_up_subscription_change;
pub(crate) use update_subscription_billing_frequency::update_subscription_billing_frequency;
pub(crate) use update_subscription_offer::update_subscription_offer;
