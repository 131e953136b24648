//! Files, and printing.

mod complete_linked_file;
mod create_download_links;
mod create_upload_links;
mod delete_container_file;
mod download_linked_file;
mod find_container_file;
mod get_container_file;
mod print_file;
mod record_retrieval;
mod remove_file_content;
mod rules;
mod scan_file;
mod set_legal_hold;
mod store_print;
pub(crate) mod support;
mod upload_container_file;
mod upload_linked_file;

pub(crate) use complete_linked_file::complete_linked_file;
pub(crate) use create_download_links::create_download_links;
pub(crate) use create_upload_links::create_upload_links;
pub(crate) use delete_container_file::delete_container_file;
pub(crate) use download_linked_file::download_linked_file;
pub(crate) use find_container_file::find_container_file;
pub(crate) use get_container_file::get_container_file;
pub(crate) use print_file::print_file;
pub(crate) use remove_file_content::remove_file_content;
pub(crate) use scan_file::scan_file;
pub(crate) use store_print::store_print;
pub(crate) use upload_container_file::upload_container_file;
pub(crate) use upload_linked_file::upload_linked_file;
