//! The service `alerts`: what somebody has to look at, and the templates of it.

mod consequences;
mod create_alert;
mod escalate_alert;
mod escalate_overdue_alert;
mod rules;
mod support;
