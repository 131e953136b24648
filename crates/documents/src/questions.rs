//! The service `questions`: questionnaires, their drafts, and their frozen versions.

mod consequences;
mod create_question;
mod get_public_question;
mod get_question_version;
mod publish_question;
mod put_question;
pub(crate) mod rules;
pub(crate) mod support;

pub(crate) use create_question::create_question;
pub(crate) use get_public_question::get_public_question;
pub(crate) use get_question_version::get_question_version;
