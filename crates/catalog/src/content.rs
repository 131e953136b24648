//! The service `content`: the words and pictures of the sites, with drafts and published copies.

mod consequences;
mod create_content_entry;
mod delete_content_entry;
mod get_content_entry;
mod list_content_entries;
mod publish_content_entry;
mod restore_content_entry;
mod rules;
mod support;
mod update_array_field;
mod update_boolean_field;
mod update_content_entry_field;
mod update_text_field;

pub(crate) use delete_content_entry::delete_content_entry;
pub(crate) use get_content_entry::get_content_entry;
pub(crate) use list_content_entries::list_content_entries;
