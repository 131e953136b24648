//! Takes a text from somebody.

use std::time::Duration;

use pavise_kernel::common::v1::{Locale, RawAnswer};
use pavise_kernel::store::Filter;
use pavise_kernel::time::{Micros, to_micros};
use pavise_kernel::values::to_normal_form;
use pavise_kernel::{Call, Common, Error, Result, Unit};

use super::support::keywords::{answer_to, read_keyword};
use super::support::suppressed::active_key;
use super::support::twilio::{Form, answer_twilio, read_signed_form};
use crate::config::Config;
use crate::contract::lookups::{notification, suppression};
use crate::contract::v1::*;
use crate::contract::{NOTIFICATION_TABLE, actions};

/// Tries of a commit while the texts that wait are being sent.
const TRIES: usize = 8;
/// The most texts that wait for one number.
const MOST: u32 = 2_000;
/// How long a hand-over that has begun is under way at most.
const UNDER_WAY: Micros = 30 * 1_000_000;
/// How often, and how far apart, the answer to STOP looks for texts that are under way.
const LOOKS: u32 = 100;
const LOOK: Duration = Duration::from_millis(100);

pub(crate) async fn receive_twilio_sms(call: &Call, request: ReceiveTwilioSmsRequest) -> Result<RawAnswer> {
    let config = call.find_provided::<Config>()?;
    let token = config.twilio_auth_token.as_deref();
    let form = read_signed_form(token, (&request.url, &request.signature), &request.body)?;
    let text = read_text(&form)?;
    let mut tries = 0;
    loop {
        match take_text(call, &text).await {
            // A text to the number was being sent, or the same text came at the same time.
            Err(error) if (error.is(Common::Contention) || error.is(Common::AlreadyExists)) && tries < TRIES => {
                tries += 1;
            }
            Ok(answer) => {
                if text.keyword() == OptOutKeyword::Stop {
                    wait_for_hand_overs(call, &text.recipient).await?;
                }
                return Ok(answer);
            }
            other => return other,
        }
    }
}

/// The notification that a text becomes.
fn read_text(form: &Form) -> Result<Notification> {
    let field = |name: &str| form.get(name).map(String::as_str).unwrap_or_default();
    let (sid, from, body) = (field("MessageSid"), field("From"), field("Body"));
    if sid.is_empty() || sid.len() > 64 {
        return Err(Error::field("body", "has no MessageSid"));
    }
    let number = to_normal_form(pavise_kernel::values::Format::Phone, from);
    let keyword = read_keyword(body);
    let status = match keyword {
        OptOutKeyword::Stop => NotificationStatus::OptOut,
        OptOutKeyword::Start => NotificationStatus::OptIn,
        OptOutKeyword::Help | OptOutKeyword::Unspecified => NotificationStatus::Received,
    };
    let content = NotificationContent { text: body.chars().take(1_600).collect(), ..NotificationContent::default() };
    Ok(Notification {
        r#type: NotificationType::Sms.into(),
        status: status.into(),
        provider: NotificationProvider::Twilio.into(),
        provider_message_id: sid.to_owned(),
        recipient: number.unwrap_or_else(|_| from.chars().take(32).collect()),
        content: Some(content),
        keyword: keyword.into(),
        ..Notification::default()
    })
}

/// Stores a text with what follows from it, and answers its sender.
async fn take_text(call: &Call, text: &Notification) -> Result<RawAnswer> {
    let (number, keyword) = (text.recipient.as_str(), text.keyword());
    let latest = call.find_unscoped_by::<Notification>(notification::RECIPIENT, number).await?;
    let locale = latest.map_or(Locale::EnUs, |latest| latest.locale());
    let sid = &text.provider_message_id;
    if call.find_id_by::<Notification>(notification::PROVIDER_MESSAGE_ID, sid).await?.is_some() {
        return call.answer_unchanged(answer_twilio(answer_to(keyword, locale))).await;
    }
    let mut unit = call.unit();
    let is_news = match keyword {
        OptOutKeyword::Stop => {
            cancel_waiting(call, &mut unit, number).await?;
            suppress_number(call, &mut unit, number).await?
        }
        OptOutKeyword::Start => lift_suppression(call, &mut unit, number).await?,
        OptOutKeyword::Help => true,
        OptOutKeyword::Unspecified => false,
    };
    unit.create(Notification { status_at: Some(call.timestamp()), locale: locale.into(), ..text.clone() })?;
    // A number that has stopped already gets no second confirmation.
    let answer = answer_to(keyword, locale).filter(|_| is_news);
    unit.commit_answer(answer_twilio(answer)).await
}

/// Takes back the texts that wait for a number. One that is being handed over is left to that.
async fn cancel_waiting(call: &Call, unit: &mut Unit<'_>, number: &str) -> Result<()> {
    for before in find_waiting(call, number).await? {
        if is_under_way(&before, call.now()) {
            continue;
        }
        let mut after = before.clone();
        after.set_status(NotificationStatus::Cancelled);
        after.failure = "the recipient answered STOP".to_owned();
        unit.update_as(&before, after, actions::notification::STATUS_UPDATED)?;
    }
    Ok(())
}

/// Waits for the end of hand-overs to a number that began before it was suppressed, so that no text follows the answer. None
/// begins afterwards.
async fn wait_for_hand_overs(call: &Call, number: &str) -> Result<()> {
    for _ in 0..LOOKS {
        if !find_waiting(call, number).await?.iter().any(|text| is_under_way(text, call.now())) {
            break;
        }
        tokio::time::sleep(LOOK).await;
    }
    Ok(())
}

/// Whether a text is being handed over.
fn is_under_way(text: &Notification, now: Micros) -> bool {
    let last = text.attempts.last().filter(|attempt| attempt.settled_at.is_none());
    let began = last.and_then(|attempt| attempt.at.as_ref()).map(to_micros);
    began.is_some_and(|began| now < began.saturating_add(UNDER_WAY))
}

/// The texts that wait for a number.
async fn find_waiting(call: &Call, number: &str) -> Result<Vec<Notification>> {
    let lookup = NOTIFICATION_TABLE.lookup(notification::RECIPIENT);
    let lookup = lookup.ok_or_else(|| Error::internal("notifications have no recipient"))?;
    let waiting = [NotificationStatus::Pending, NotificationStatus::Scheduled];
    let filter = Filter {
        statuses: waiting.map(|status| status.spelling().to_owned()).to_vec(),
        lookups: vec![(lookup, number.to_owned())],
        limit: MOST,
        ..Filter::default()
    };
    let rows = call.kernel().store().list(&NOTIFICATION_TABLE, &filter).await?;
    let ids: Vec<String> = rows.into_iter().map(|row| row.id).collect();
    let mut found = call.find_many::<Notification>(&ids).await?;
    found.retain(|text| text.r#type() == NotificationType::Sms && waiting.contains(&text.status()));
    Ok(found)
}

/// Suppresses a number. Answers whether it was not suppressed before.
async fn suppress_number(call: &Call, unit: &mut Unit<'_>, number: &str) -> Result<bool> {
    let key = active_key(NotificationType::Sms, number, SuppressionReason::Stop);
    if call.find_id_by::<Suppression>(suppression::CLAIM, &key).await?.is_some() {
        return Ok(false);
    }
    let stop = Suppression::of(NotificationType::Sms, number, SuppressionReason::Stop);
    unit.create_as(stop, actions::notification::SUPPRESSED)?;
    Ok(true)
}

/// Lifts what STOP suppressed. Answers whether the number was suppressed.
async fn lift_suppression(call: &Call, unit: &mut Unit<'_>, number: &str) -> Result<bool> {
    let key = active_key(NotificationType::Sms, number, SuppressionReason::Stop);
    let Some(before) = call.find_unscoped_by::<Suppression>(suppression::CLAIM, &key).await? else {
        return Ok(false);
    };
    let mut after = before.clone();
    after.set_status(SuppressionStatus::Lifted);
    unit.update_as(&before, after, actions::notification::SUPPRESSION_LIFTED)?;
    Ok(true)
}
