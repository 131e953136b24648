//! The workers after a purchase: they take the payment, hand paid offers to fulfillment and record the result. Another one takes
//! a cancelled order back.
//!
//! A worker can stop anywhere and run again: each of its calls has an idempotency key made of the journal entry.

mod cancel_orders;
mod move_to_owner;
mod record_provisions;
mod request_provisions;
mod sell_offers;
mod support;

use std::sync::Arc;

use pavise_kernel::worker::Worker;

pub(crate) use move_to_owner::MoveOrdersToOwner;

/// The workers of this domain.
pub(crate) fn list_workers() -> Vec<Arc<dyn Worker>> {
    vec![
        Arc::new(sell_offers::SellOffers),
        Arc::new(request_provisions::RequestProvisions),
        Arc::new(record_provisions::RecordProvisions),
        Arc::new(cancel_orders::CancelOrders),
    ]
}
