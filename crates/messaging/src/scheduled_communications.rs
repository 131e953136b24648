//! The service `scheduled_communications`: notifications that are made at a later time, and the worker that makes them.

mod activate_communication_worker;
mod change_deliver_on;
mod create_scheduled_communication;
mod get_communication_worker;
mod pause_communication_worker;
mod record_scheduled_communication;
mod seed_communication_worker;
pub(crate) mod support;

pub(crate) use activate_communication_worker::activate_communication_worker;
pub(crate) use get_communication_worker::get_communication_worker;
pub(crate) use pause_communication_worker::pause_communication_worker;
