//! Entries of the journal of orders.

use pavise_kernel::Result;
use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::worker::decode_entity;

use crate::contract::actions::order_audit as actions;
use crate::contract::v1::{Order, OrderStatus};

/// The order of an entry that moved it to one of these statuses; `None` for any other entry.
///
/// # Errors
/// When the entry cannot be read.
pub(crate) fn read_moved_order(entry: &JournalEntry, statuses: &[OrderStatus]) -> Result<Option<Order>> {
    // Other actions keep the status: their entries show it without a move.
    if entry.removed || entry.action != actions::STATUS_CHANGED {
        return Ok(None);
    }
    Ok(decode_entity::<Order>(entry)?.filter(|order| statuses.contains(&order.status())))
}
