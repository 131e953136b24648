//! New prices of running subscriptions, in bulk.

mod advance_repricing;
mod create_repricing;
mod preview_repricing;
mod reprice_subscription;
mod restore_subscription_price;
pub(crate) mod support;
mod withdraw_repricing;

pub(crate) use preview_repricing::preview_repricing;
pub(crate) use reprice_subscription::reprice_subscription;
pub(crate) use restore_subscription_price::restore_subscription_price;
