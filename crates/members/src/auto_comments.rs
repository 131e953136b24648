//! The service `auto_comments`: comments on members that programs write.

mod create_auto_comment;
mod rules;
mod support;
