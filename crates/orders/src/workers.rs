//! What follows a purchase: the sale, the fulfilment of what is paid, the record of what was set up. Each worker can be
//! stopped anywhere and run again: every call it makes carries an idempotency key of the journal entry that caused it.

mod fulfillment;
mod hand_over;
mod invoice;
mod provisioned;
mod sale;

use std::sync::Arc;

use pavise_kernel::Result;
use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::worker::{Feed, Worker, entity};

pub(crate) use self::hand_over::HandOverOrders;
use crate::contract::v1::{Order, OrderStatus};

/// The workers of this domain.
pub(crate) fn all() -> Vec<Arc<dyn Worker>> {
    vec![Arc::new(sale::Sale), Arc::new(fulfillment::Fulfillment), Arc::new(provisioned::Provisioned)]
}

/// The journal of orders.
const ORDERS: Feed = Feed::Journal { domain: "orders", service: "orders", path: "/pavise.orders.v1.OrderService/ReadJournal" };

/// The order of an entry that moved it to one of these statuses; `None` for any other entry.
fn moved_to(entry: &JournalEntry, statuses: &[OrderStatus]) -> Result<Option<Order>> {
    // Other entries leave the status alone: they may show it without having led to it.
    if entry.removed || entry.action != "STATUS_CHANGED" {
        return Ok(None);
    }
    Ok(entity::<Order>(entry)?.filter(|order| statuses.contains(&order.status())))
}
