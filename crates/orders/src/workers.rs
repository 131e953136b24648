//! The workers after a purchase: they take the payment, hand paid offers to fulfillment and record the result.
//!
//! A worker can stop anywhere and run again: each of its calls has an idempotency key made of the journal entry.

mod display_names;
mod fulfillment;
mod hand_over;
mod provisioned;
mod sale;
mod support;

use std::sync::Arc;

use pavise_kernel::worker::Worker;

pub(crate) use self::hand_over::HandOverOrders;

/// The workers of this domain.
pub(crate) fn list_workers() -> Vec<Arc<dyn Worker>> {
    vec![
        Arc::new(sale::Sale),
        Arc::new(fulfillment::Fulfillment),
        Arc::new(provisioned::Provisioned),
        Arc::new(display_names::DisplayNames),
    ]
}
