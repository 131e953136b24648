//! The hand-over of letters to the domain messaging.

use std::time::Duration;

use pavise_kernel::common::v1::Locale;
use pavise_kernel::{Call, Common, Error, Result};
use tonic::Request;

use super::sealed_letter::SealedLetter;
use crate::contract::messaging::notification_service_client::NotificationServiceClient;
use crate::contract::messaging::{
    CheckChannelRequest, NotificationDraft, NotificationType, SendNotificationRequest, TextValue,
};
use crate::contract::v1::{ErrorReason, NoticeChannel as Channel, NoticeTemplate as Template, Posting};

/// How long a call waits for the answer whether a channel works.
const PATIENCE: Duration = Duration::from_secs(2);

/// Refuses a channel that nothing is sent over, or an address that gets nothing. Calls that somebody waits for the message of
/// ask first. While messaging does not answer, a letter waits in the database, so nothing is refused.
///
/// # Errors
/// `NOT_CONFIGURED`, naming the setting; `RECIPIENT_SUPPRESSED` for an address that is not empty.
pub(crate) async fn check_ready(call: &Call, channel: Channel, address: &str) -> Result<()> {
    let request = CheckChannelRequest {
        r#type: notification_type(channel).into(),
        address: address.to_owned(),
        ..CheckChannelRequest::default()
    };
    let mut request = Request::new(request);
    request.set_timeout(PATIENCE);
    let answer = NotificationServiceClient::new(call.peer_channel("messaging")).check_channel(request).await;
    match answer.map_err(Error::from) {
        Err(error) if is_refused(&error) => Err(error),
        Err(error) => {
            tracing::warn!(reason = error.reason(), "it is not known whether a channel works; the letter waits");
            Ok(())
        }
        Ok(_) => Ok(()),
    }
}

/// Hands a letter to messaging, which sends one message for each id. Answers why it does not send it; empty if it does.
///
/// # Errors
/// `UNAVAILABLE` when it does not take it now.
pub(super) async fn hand_over(
    call: &Call,
    (id, owner_id): (&str, &str),
    posting: &Posting,
    letter: SealedLetter,
) -> Result<String> {
    let mut request = Request::new(build_request(id, owner_id, posting, letter));
    request.metadata_mut().insert("idempotency-key", id.parse().map_err(Error::internal)?);
    let sent = NotificationServiceClient::new(call.peer_channel("messaging")).send_notification(request).await;
    match sent.map_err(Error::from) {
        // Messaging says why it does not send it to an address that gets nothing.
        Ok(sent) => Ok(sent.into_inner().failure),
        // An earlier hand-over has its id.
        Err(error) if error.is(Common::AlreadyExists) => Ok(String::new()),
        Err(error) if is_refused(&error) => Ok(error.message().to_owned()),
        Err(error) if is_of_address(&error) => Ok("its address is none".to_owned()),
        Err(error) => Err(Error::unavailable("the part that sends messages", error.reason())),
    }
}

fn build_request(id: &str, owner_id: &str, posting: &Posting, letter: SealedLetter) -> SendNotificationRequest {
    let template = posting.template();
    let code = letter.code.map(|code| ("code".to_owned(), code));
    let values = letter.values.into_iter().chain(code).map(|(name, text)| TextValue { name, text }).collect();
    let channel = notification_type(posting.channel());
    let (email, phone_number) = match posting.channel() {
        Channel::Sms => (String::new(), letter.address),
        Channel::Email | Channel::Unspecified => (letter.address, String::new()),
    };
    // An invitee reads a letter of somebody else's: the owner's profile does not say their language.
    let locale = find_locale(&posting.locale);
    let own = if template == Template::Invitation { locale } else { Locale::Unspecified };
    let draft = NotificationDraft {
        template_key: template.key().to_owned(),
        types: vec![channel.into()],
        email,
        phone_number,
        locale: own.into(),
        values,
        expires_at: posting.expires_at,
        ..NotificationDraft::default()
    };
    SendNotificationRequest {
        notification: Some(draft),
        identity_id: owner_id.to_owned(),
        id: id.to_owned(),
        fallback_locale: locale.into(),
    }
}

/// Whether messaging sends nothing this way for now.
fn is_refused(error: &Error) -> bool {
    let is_common = error.is(Common::NotConfigured) || error.is(Common::PersonErased);
    is_common || error.is(ErrorReason::RecipientSuppressed)
}

/// Whether messaging takes the address for none.
fn is_of_address(error: &Error) -> bool {
    let is_address = |field: &str| matches!(field, "notification.email" | "notification.phone_number");
    error.is(Common::InvalidField) && error.violations().iter().any(|violation| is_address(&violation.field))
}

fn notification_type(channel: Channel) -> NotificationType {
    match channel {
        Channel::Sms => NotificationType::Sms,
        Channel::Email | Channel::Unspecified => NotificationType::Email,
    }
}

/// The locale of a spelling; not said if there is no such locale.
fn find_locale(spelling: &str) -> Locale {
    let all = [Locale::EnUs, Locale::EsUs, Locale::EnCa, Locale::FrCa];
    all.into_iter().find(|locale| locale.spelling() == spelling).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(template: Template, channel: Channel, locale: &str) -> SendNotificationRequest {
        let posting = Posting {
            template: template.into(),
            channel: channel.into(),
            locale: locale.to_owned(),
            ..Posting::default()
        };
        let letter = SealedLetter {
            address: "+15125550100".to_owned(),
            values: [("user".to_owned(), "ada".to_owned())].into(),
            code: Some("ABCDE-12345".to_owned()),
        };
        build_request("one", "ada", &posting, letter)
    }

    #[test]
    fn a_letter_is_a_notification_with_the_id_of_its_notice() {
        let request = request(Template::PasswordReset, Channel::Sms, "fr-CA");
        assert_eq!((request.id.as_str(), request.identity_id.as_str()), ("one", "ada"));
        assert_eq!(request.fallback_locale(), Locale::FrCa);
        let draft = request.notification.unwrap();
        assert_eq!((draft.locale(), draft.template_key.as_str()), (Locale::Unspecified, "security.password-reset"));
        assert_eq!((draft.email.as_str(), draft.phone_number.as_str()), ("", "+15125550100"));
        let values: Vec<(&str, &str)> =
            draft.values.iter().map(|value| (value.name.as_str(), value.text.as_str())).collect();
        assert_eq!(values, [("user", "ada"), ("code", "ABCDE-12345")]);
    }

    #[test]
    fn an_invitee_reads_in_the_language_of_the_invitation() {
        let locale = |template, spelling| request(template, Channel::Email, spelling).notification.unwrap().locale();
        assert_eq!(locale(Template::Invitation, "es-US"), Locale::EsUs);
        assert_eq!(locale(Template::EmailCode, "es-US"), Locale::Unspecified);
        assert_eq!(request(Template::EmailCode, Channel::Email, "tlh").fallback_locale(), Locale::Unspecified);
    }
}
