//! The workers of all domains, as staff see and steer them.

mod activate_worker;
mod get_worker;
mod list_failed_entries;
mod list_workers;
mod pause_worker;
mod replay_failed_entry;
mod replay_parked_entries;
mod support;
mod trigger_worker;

pub(crate) use activate_worker::activate_worker;
pub(crate) use get_worker::get_worker;
pub(crate) use list_failed_entries::list_failed_entries;
pub(crate) use list_workers::list_workers;
pub(crate) use pause_worker::pause_worker;
pub(crate) use replay_failed_entry::replay_failed_entry;
pub(crate) use replay_parked_entries::replay_parked_entries;
pub(crate) use trigger_worker::trigger_worker;
