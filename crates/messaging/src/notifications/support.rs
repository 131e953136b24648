//! The helpers of the service.

pub(crate) mod built_in;
pub(super) mod contents;
pub(super) mod drafts;
pub(super) mod events;
pub(super) mod keywords;
pub(super) mod ranks;
pub(super) mod reader;
pub(super) mod sendgrid;
pub(super) mod suppressed;
pub(super) mod twilio;
pub(super) mod unsubscription;
