//! Sends the reminder of an open answer that is due.

use pavise_kernel::{Call, Error, Result};
use tonic::{Code, Request};

use crate::contract::members::profile_service_client::ProfileServiceClient;
use crate::contract::members::{GetProfileRequest, Profile};
use crate::contract::messaging::notification_service_client::NotificationServiceClient;
use crate::contract::messaging::{NotificationDraft, NotificationSource, SendNotificationRequest};
use crate::contract::v1::{Answer, Question, RemindAnswerRequest, ReminderChannel, ReminderConfig};

pub(crate) async fn remind_answer(call: &Call, request: RemindAnswerRequest) -> Result<Answer> {
    let before: Answer = call.get(&request.answer_id).await?;
    call.check_transition(&before)?;
    let question: Option<Question> = call.find_unscoped(&before.question_id).await?;
    let configs = question.map(|question| question.reminder_configs).unwrap_or_default();
    let mut after = before.clone();
    match before.find_due(&configs, call.now()) {
        Some(config) => {
            send_reminder(call, &before, config).await?;
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
async fn send_reminder(call: &Call, answer: &Answer, config: &ReminderConfig) -> Result<()> {
    let mut profiles = ProfileServiceClient::new(call.peer_channel("members"));
    let ask = GetProfileRequest { identity_id: answer.owner_id.clone() };
    let profile = match profiles.get_profile(Request::new(ask)).await {
        Ok(found) => found.into_inner(),
        Err(status) if status.code() == Code::NotFound => return Ok(()),
        Err(status) => return Err(Error::from(status)),
    };
    let Some(draft) = build_draft(answer, config, &profile) else { return Ok(()) };
    let send = SendNotificationRequest { notification: Some(draft), ..SendNotificationRequest::default() };
    let mut notifications = NotificationServiceClient::new(call.peer_channel("messaging"));
    match notifications.send_notification(call.peer_request(send, &config.id)).await {
        Ok(_) => Ok(()),
        Err(status) => {
            let error = Error::from(status);
            if error.is_transient() { Err(error) } else { Ok(()) }
        }
    }
}

/// The message, to the owner's address of the channel; none if there is none.
fn build_draft(answer: &Answer, config: &ReminderConfig, profile: &Profile) -> Option<NotificationDraft> {
    let draft = NotificationDraft {
        template_key: config.template_key.clone(),
        locale: answer.locale,
        source: Some(NotificationSource { r#type: "Answer".to_owned(), id: answer.id.clone() }),
        ..NotificationDraft::default()
    };
    match config.channel() {
        ReminderChannel::Email => {
            let emails = &profile.emails;
            let chosen = emails.iter().find(|one| one.primary).or_else(|| emails.first())?;
            Some(NotificationDraft { email: chosen.address.clone(), ..draft })
        }
        ReminderChannel::Sms => {
            let numbers = &profile.phone_numbers;
            let chosen = numbers.iter().find(|one| one.primary).or_else(|| numbers.first())?;
            Some(NotificationDraft { phone_number: chosen.number.clone(), ..draft })
        }
        // No device is known yet.
        ReminderChannel::Push | ReminderChannel::Unspecified => None,
    }
}
