//! The wrapped keys of sealed fields, for processes without a key database.

mod add_data_keys;
mod destroy_data_keys;
mod get_data_keys;
mod list_destroyed_data_keys;
mod support;

pub(crate) use add_data_keys::add_data_keys;
pub(crate) use destroy_data_keys::destroy_data_keys;
pub(crate) use get_data_keys::get_data_keys;
pub(crate) use list_destroyed_data_keys::list_destroyed_data_keys;
pub use support::remote::RemoteDataKeys;
