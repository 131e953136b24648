//! Events of SendGrid: their signature and their form.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use pavise_kernel::time::{Micros, to_timestamp};
use pavise_kernel::{Common, Error, Result};
use ring::signature::{ECDSA_P256_SHA256_ASN1, UnparsedPublicKey};
use serde::Deserialize;

use super::events::event_id;
use crate::contract::v1::{DeliveryEvent, ErrorReason, NotificationProvider, NotificationStatus};

/// A second.
const SECOND: Micros = 1_000_000;
/// How old a signature may be.
const OLDEST: Micros = 300 * SECOND;
/// The beginning of a public key on the curve P-256 in the form SubjectPublicKeyInfo; the point follows.
const KEY_PREFIX: [u8; 26] = [
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce,
    0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
];

/// Checks a signature over the timestamp and the bytes of the body.
///
/// # Errors
/// `WEBHOOK_SIGNATURE_WRONG`; `NOT_CONFIGURED` for a key that cannot be read.
pub(in crate::notifications) fn check_signature(
    key: &str,
    (signature, timestamp): (&str, &str),
    body: &[u8],
    now: Micros,
) -> Result<()> {
    let key = STANDARD.decode(key.trim()).ok();
    let point = key.as_deref().and_then(|key| key.strip_prefix(KEY_PREFIX.as_slice()));
    let point = point.ok_or_else(|| {
        let message = "sendgrid-verification-key is no public key of a signed event webhook";
        Error::new(Common::NotConfigured, message).with("setting", "sendgrid-verification-key")
    })?;
    let signed_at = timestamp.parse::<i64>().map_err(|_| wrong_signature_error())?.saturating_mul(SECOND);
    let signature = STANDARD.decode(signature.trim()).map_err(|_| wrong_signature_error())?;
    let signed = [timestamp.as_bytes(), body].concat();
    let public = UnparsedPublicKey::new(&ECDSA_P256_SHA256_ASN1, point);
    public.verify(&signed, &signature).map_err(|_| wrong_signature_error())?;
    if now.saturating_sub(signed_at).saturating_abs() > OLDEST {
        return Err(Error::new(ErrorReason::WebhookSignatureWrong, "the signature is older than 300 seconds"));
    }
    Ok(())
}

/// The refusal of a request that its provider did not sign.
pub(in crate::notifications) fn wrong_signature_error() -> Error {
    Error::new(ErrorReason::WebhookSignatureWrong, "the signature is not that of this request")
}

/// An event as SendGrid writes it. Its other fields, such as the address, are not kept.
#[derive(Deserialize)]
struct SendgridEvent {
    #[serde(default)]
    event: String,
    #[serde(default)]
    r#type: String,
    #[serde(default)]
    sg_event_id: String,
    #[serde(default)]
    sg_message_id: String,
    #[serde(default)]
    notification_id: String,
    #[serde(default)]
    timestamp: i64,
}

/// The events of a body. One without an id or of an unknown kind is left out.
///
/// # Errors
/// `INVALID_FIELD` for a body that is no array of events.
pub(in crate::notifications) fn read_events(body: &[u8]) -> Result<Vec<DeliveryEvent>> {
    let events: Vec<SendgridEvent> =
        serde_json::from_slice(body).map_err(|_| Error::field("body", "is no array of events in JSON"))?;
    Ok(events.into_iter().filter_map(build_event).collect())
}

fn build_event(event: SendgridEvent) -> Option<DeliveryEvent> {
    let reported = read_status(&event)?;
    if event.sg_event_id.is_empty() {
        return None;
    }
    let short = |text: String| Some(text).filter(|text| text.len() <= 64).unwrap_or_default();
    // The id of a message has its recipient's part after a dot.
    let message = event.sg_message_id.split('.').next().unwrap_or_default().to_owned();
    Some(DeliveryEvent {
        id: event_id(NotificationProvider::Sendgrid, &event.sg_event_id),
        provider: NotificationProvider::Sendgrid.into(),
        provider_message_id: short(message),
        notification_id: short(event.notification_id),
        reported: reported.into(),
        reported_at: Some(to_timestamp(event.timestamp.clamp(0, 253_402_300_799).saturating_mul(SECOND))),
        ..DeliveryEvent::default()
    })
}

fn read_status(event: &SendgridEvent) -> Option<NotificationStatus> {
    Some(match event.event.as_str() {
        "processed" => NotificationStatus::Processed,
        "dropped" => NotificationStatus::Dropped,
        "delivered" => NotificationStatus::Delivered,
        "deferred" => NotificationStatus::Deferred,
        "bounce" if event.r#type == "blocked" => NotificationStatus::Blocked,
        "bounce" => NotificationStatus::Bounce,
        "blocked" => NotificationStatus::Blocked,
        "open" => NotificationStatus::Open,
        "click" => NotificationStatus::Click,
        "spamreport" => NotificationStatus::Spamreport,
        "unsubscribe" => NotificationStatus::Unsubscribe,
        "group_unsubscribe" => NotificationStatus::GroupUnsubscribe,
        "group_resubscribe" => NotificationStatus::GroupResubscribe,
        _ => return None,
    })
}
