//! The service `order_notes`: notes of staff on orders.

mod consequences;
mod create_order_note;
mod rules;
