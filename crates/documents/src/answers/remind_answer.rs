//! Sends the reminder of an open answer that is due.

use pavise_kernel::common::v1::LocalizedText;
use pavise_kernel::{Call, Error, Result};

use crate::contract::messaging::notification_service_client::NotificationServiceClient;
use crate::contract::v1::{Answer, Question, RemindAnswerRequest, ReminderConfig};
use crate::shared::letters::AnswerLetter;

pub(crate) async fn remind_answer(call: &Call, request: RemindAnswerRequest) -> Result<Answer> {
    let before: Answer = call.get(&request.answer_id).await?;
    call.check_transition(&before)?;
    let question: Option<Question> = call.find_unscoped(&before.question_id).await?;
    let question = question.unwrap_or_default();
    let configs = question.reminder_configs;
    let mut after = before.clone();
    match before.find_due(&configs, call.now()) {
        Some(config) => {
            let titles = question.content.map(|content| content.titles).unwrap_or_default();
            send_reminder(call, &before, config, &titles).await?;
            after.count_reminder(&configs, config, call.now());
        }
        // The reminders of the questionnaire were changed since.
        None => after.plan_reminder(&configs, call.now()),
    }
    let mut unit = call.unit();
    let answer = unit.update(&before, after)?;
    unit.commit_answer(answer).await
}

/// Sends a reminder. One that cannot be sent at all, such as to somebody without an address, counts as sent.
async fn send_reminder(call: &Call, answer: &Answer, config: &ReminderConfig, titles: &[LocalizedText]) -> Result<()> {
    let letter = AnswerLetter {
        template_key: &config.template_key,
        channel: config.channel(),
        reader_id: &answer.owner_id,
        titles,
    };
    let Some(send) = letter.build_request(answer, call.peer_channel("members")).await? else { return Ok(()) };
    let mut notifications = NotificationServiceClient::new(call.peer_channel("messaging"));
    match notifications.send_notification(call.peer_request(send, &config.id)).await {
        Ok(_) => Ok(()),
        Err(status) => {
            let error = Error::from(status);
            if error.is_transient() { Err(error) } else { Ok(()) }
        }
    }
}
