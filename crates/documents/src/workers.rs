//! The workers of documents.

mod create_forms;
mod end_visitor_answers;
mod follow_files;
mod follow_forms;
mod remind_answers;
mod sweep_files;
mod tell_of_answers;

use std::sync::Arc;

use pavise_kernel::worker::Worker;

/// The workers of this domain.
pub(crate) fn list_workers() -> Vec<Arc<dyn Worker>> {
    vec![
        Arc::new(create_forms::CreateForms),
        Arc::new(end_visitor_answers::EndVisitorAnswers),
        Arc::new(follow_files::FollowFiles),
        Arc::new(follow_forms::FollowForms),
        Arc::new(remind_answers::RemindAnswers),
        Arc::new(sweep_files::SweepFiles),
        Arc::new(tell_of_answers::TellOfAnswers),
    ]
}
