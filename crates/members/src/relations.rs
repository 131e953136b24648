//! The service `relations`: who belongs to whom.

mod add_member;
mod bulk_add_members;
mod change_relation_owner;
mod create_relation;
mod fill_relation;
mod get_relation;
mod list_relation_members;
mod list_relations;
mod merge_member;
mod rules;
mod support;
mod update_member;
mod update_primary_member;
mod update_type;

pub(crate) use fill_relation::fill_relation;
pub(crate) use get_relation::get_relation;
pub(crate) use list_relation_members::list_relation_members;
pub(crate) use list_relations::list_relations;
