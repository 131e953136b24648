//! The workers of documents.

mod end_visitor_answers;
mod remind_answers;

use std::sync::Arc;

use pavise_kernel::worker::Worker;

/// The workers of this domain.
pub(crate) fn list_workers() -> Vec<Arc<dyn Worker>> {
    vec![Arc::new(end_visitor_answers::EndVisitorAnswers), Arc::new(remind_answers::RemindAnswers)]
}
