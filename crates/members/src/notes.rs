//! The service `notes`: notes of staff on members.

mod consequences;
mod create_note;
mod rules;
mod support;
mod update_note;
