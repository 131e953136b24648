//! Requests of Twilio: their signature and their form.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, Mac as _};
use pavise_kernel::common::v1::RawAnswer;
use pavise_kernel::time::{Micros, to_timestamp};
use pavise_kernel::{Common, Error, Result};
use sha1::Sha1;

use super::events::event_id;
use super::sendgrid::wrong_signature_error;
use crate::contract::v1::{DeliveryEvent, NotificationProvider, NotificationStatus};

/// The fields of a form, by name.
pub(in crate::notifications) type Form = BTreeMap<String, String>;

/// Checks a signature over the address and the form, and reads the form.
///
/// # Errors
/// `WEBHOOK_SIGNATURE_WRONG`; `NOT_CONFIGURED` without a token.
pub(in crate::notifications) fn read_signed_form(
    token: Option<&str>,
    (url, signature): (&str, &str),
    body: &[u8],
) -> Result<Form> {
    let token = token.ok_or_else(|| {
        let message = "requests of Twilio are taken once twilio-auth-token is set";
        Error::new(Common::NotConfigured, message).with("setting", "twilio-auth-token")
    })?;
    let signature = STANDARD.decode(signature.trim()).map_err(|_| wrong_signature_error())?;
    let mut fields: Vec<(String, String)> = url::form_urlencoded::parse(body).into_owned().collect();
    fields.sort();
    let mut mac = Hmac::<Sha1>::new_from_slice(token.as_bytes()).map_err(Error::internal)?;
    mac.update(url.as_bytes());
    for (name, value) in &fields {
        mac.update(name.as_bytes());
        mac.update(value.as_bytes());
    }
    // It compares in constant time.
    mac.verify_slice(&signature).map_err(|_| wrong_signature_error())?;
    Ok(fields.into_iter().collect())
}

/// The event of a form; `None` without a sid, or for a status that is not known.
pub(in crate::notifications) fn read_event(form: &Form, now: Micros) -> Option<DeliveryEvent> {
    let field = |name: &str| form.get(name).map(String::as_str).unwrap_or_default();
    let sid = [field("MessageSid"), field("SmsSid")].into_iter().find(|sid| !sid.is_empty())?;
    let status = [field("MessageStatus"), field("SmsStatus")].into_iter().find(|status| !status.is_empty())?;
    let reported = match status {
        "accepted" => NotificationStatus::Accepted,
        "queued" => NotificationStatus::Queued,
        "sending" => NotificationStatus::Sending,
        "sent" => NotificationStatus::Sent,
        "delivered" => NotificationStatus::Delivered,
        "undelivered" => NotificationStatus::Undelivered,
        "failed" => NotificationStatus::Failed,
        _ => return None,
    };
    Some(DeliveryEvent {
        id: event_id(NotificationProvider::Twilio, &format!("{sid}/{status}")),
        provider: NotificationProvider::Twilio.into(),
        provider_message_id: sid.chars().take(64).collect(),
        reported: reported.into(),
        reported_at: Some(to_timestamp(now)),
        error_code: field("ErrorCode").chars().take(16).collect(),
        ..DeliveryEvent::default()
    })
}

/// An answer in Twilio's language, with a message to the sender or none.
pub(in crate::notifications) fn answer_twilio(message: Option<&str>) -> RawAnswer {
    let escape = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let message = message.map(|text| format!("<Message>{}</Message>", escape(text))).unwrap_or_default();
    let body = format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?><Response>{message}</Response>");
    RawAnswer { content_type: "text/xml; charset=utf-8".to_owned(), body: body.into_bytes() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of Twilio's documentation of its signatures.
    #[test]
    fn the_documented_signature_is_right() {
        let url = "https://mycompany.com/myapp.php?foo=1&bar=2";
        let body = b"CallSid=CA1234567890ABCDE&Caller=%2B14158675309&Digits=1234&From=%2B14158675309&To=%2B18005551212";
        let signature = "RSOYDt4T1cUTdK1PDd93/VVr8B8=";
        let form = read_signed_form(Some("12345"), (url, signature), body).unwrap();
        assert_eq!(form["Caller"], "+14158675309");
        for (token, url, signature, body) in [
            ("12346", url, signature, body.as_slice()),
            ("12345", "https://mycompany.com/myapp.php?foo=1&bar=3", signature, body.as_slice()),
            ("12345", url, "", body.as_slice()),
            ("12345", url, signature, b"CallSid=CA1234567890ABCDE".as_slice()),
        ] {
            let refused = read_signed_form(Some(token), (url, signature), body).unwrap_err();
            assert_eq!(refused.reason(), "WEBHOOK_SIGNATURE_WRONG");
        }
        assert_eq!(read_signed_form(None, (url, signature), body).unwrap_err().reason(), "NOT_CONFIGURED");
    }

    #[test]
    fn an_event_has_an_id_of_its_own_for_each_status() {
        let form =
            |status: &str| Form::from([("MessageSid".into(), "SM1".into()), ("MessageStatus".into(), status.into())]);
        let (sent, delivered) = (read_event(&form("sent"), 1).unwrap(), read_event(&form("delivered"), 2).unwrap());
        assert!(sent.id != delivered.id && sent.provider_message_id == "SM1");
        assert_eq!(read_event(&form("sent"), 9).unwrap().id, sent.id);
        assert!(read_event(&form("dreaming"), 1).is_none());
        assert!(read_event(&Form::new(), 1).is_none());
    }

    #[test]
    fn an_answer_is_escaped() {
        let answer = String::from_utf8(answer_twilio(Some("a & <b>")).body).unwrap();
        assert!(answer.ends_with("<Response><Message>a &amp; &lt;b&gt;</Message></Response>"), "{answer}");
        assert!(String::from_utf8(answer_twilio(None).body).unwrap().ends_with("<Response></Response>"));
    }
}
