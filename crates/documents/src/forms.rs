//! Forms.

mod create_form;
mod delete_all_resources;
mod delete_form;
mod download_form;
mod fill_form;
mod get_downloadable_forms;
mod populate;

pub(crate) use delete_all_resources::delete_all_resources;
pub(crate) use download_form::download_form;
pub(crate) use fill_form::fill_form;
pub(crate) use get_downloadable_forms::get_downloadable_forms;
pub(crate) use populate::populate;
