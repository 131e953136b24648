//! `documents.tell_of_answers`: tells people of answers that were submitted, and of documents that were made of them.

use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::time::{DAY, to_micros};
use pavise_kernel::worker::{self, JournalFeed, Work, Worker};
use pavise_kernel::{Result, async_trait};
use tonic::Request;

use crate::contract::actions::answer as actions;
use crate::contract::feeds;
use crate::contract::messaging::notification_service_client::NotificationServiceClient;
use crate::contract::v1::question_service_client::QuestionServiceClient;
use crate::contract::v1::{
    Answer, AnswerNotification, AnswerNotificationKind, AnswerStatus, GetQuestionVersionRequest,
};
use crate::shared::letters::AnswerLetter;

/// The days after which nobody is told of an event any more. A worker that is new reads the journal from its beginning.
const DAYS: i64 = 7;
/// The event of a document that was made, and its template.
const READY: (AnswerNotificationKind, &str) = (AnswerNotificationKind::DocumentReady, "documents.ready");

/// The worker.
#[derive(Debug)]
pub(crate) struct TellOfAnswers;

#[async_trait]
impl Worker for TellOfAnswers {
    fn name(&self) -> &'static str {
        "documents.tell_of_answers"
    }

    fn feed(&self) -> JournalFeed {
        feeds::ANSWERS
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        let Some(answer) = worker::decode_entity::<Answer>(entry)? else { return Ok(()) };
        let Some((kind, template_key)) = find_event(&entry.action, &answer) else { return Ok(()) };
        let told: Vec<&AnswerNotification> = answer.notifications.iter().filter(|one| one.kind() == kind).collect();
        if entry.removed || told.is_empty() || !is_recent(work, entry) {
            return Ok(());
        }
        let ask = GetQuestionVersionRequest {
            question_id: answer.question_id.clone(),
            question_version: answer.question_version,
        };
        let mut questions = QuestionServiceClient::new(work.peer_channel("documents"));
        let version = questions.get_question_version(Request::new(ask)).await;
        let Some(version) = work.skip_refused(version, "questionnaire")? else { return Ok(()) };
        let titles = version.into_inner().content.map(|content| content.titles).unwrap_or_default();
        let mut messages = NotificationServiceClient::new(work.peer_channel("messaging"));
        for notification in told {
            let owner = answer.owner_id.as_str();
            let letter = AnswerLetter {
                template_key,
                channel: notification.channel(),
                reader_id: if notification.identity_id.is_empty() { owner } else { &notification.identity_id },
                titles: &titles,
            };
            let Some(send) = letter.build_request(&answer, work.peer_channel("members")).await? else { continue };
            let sent = messages.send_notification(work.new_request(send, &notification.id)).await;
            work.skip_refused(sent, "message")?;
        }
        Ok(())
    }
}

/// The event of an entry, and the template of its letter; none if nobody is told of it.
fn find_event(action: &str, answer: &Answer) -> Option<(AnswerNotificationKind, &'static str)> {
    // Of a submitted answer, a change records a form that was made of it.
    let is_form =
        action == actions::CHANGE && answer.status() == AnswerStatus::Submitted && !answer.form_ids.is_empty();
    match action {
        actions::SUBMIT => Some((AnswerNotificationKind::Submitted, "documents.submitted")),
        actions::GENERATE_DOC_REVIEW => Some(READY),
        _ => is_form.then_some(READY),
    }
}

/// Whether the event is of the last days.
fn is_recent(work: &Work, entry: &JournalEntry) -> bool {
    entry.at.as_ref().is_some_and(|at| work.now() < to_micros(at).saturating_add(DAY.saturating_mul(DAYS)))
}
