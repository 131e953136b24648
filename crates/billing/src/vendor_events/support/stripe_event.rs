//! The form of an event of Stripe.

use pavise_kernel::hex::to_hex;
use pavise_kernel::{Error, Result};
use serde::Deserialize;
use sha2::{Digest as _, Sha256};

use crate::contract::v1::{Vendor, VendorEvent};

/// The characters of an id.
const ID: usize = 40;
/// The most characters of what is kept of an event.
const LONGEST: usize = 100;

/// An event as Stripe writes it. Only what is asked about is read: the rest may be old by now.
#[derive(Deserialize)]
struct StripeEvent {
    #[serde(default)]
    id: String,
    #[serde(default)]
    r#type: String,
    #[serde(default)]
    data: StripeEventData,
}

#[derive(Default, Deserialize)]
struct StripeEventData {
    #[serde(default)]
    object: StripeEventObject,
}

#[derive(Default, Deserialize)]
struct StripeEventObject {
    #[serde(default)]
    id: String,
}

/// Reads an event whose signature was checked.
///
/// # Errors
/// `INVALID_FIELD`.
pub(in crate::vendor_events) fn read_event(body: &[u8]) -> Result<VendorEvent> {
    let no_event = || Error::field("body", "is no event");
    let event: StripeEvent = serde_json::from_slice(body).map_err(|_| no_event())?;
    if !is_name(&event.id) || !is_name(&event.r#type) {
        return Err(no_event());
    }
    // The id becomes a part of the address that is asked. A thing without one is nothing of this platform.
    let object_id = Some(event.data.object.id).filter(|id| is_name(id) && !id.contains('.')).unwrap_or_default();
    Ok(VendorEvent {
        id: event_id(Vendor::Stripe, &event.id),
        vendor: Vendor::Stripe.into(),
        r#type: event.r#type,
        object_id,
        ..VendorEvent::default()
    })
}

/// The id of an event: made of its vendor and the vendor's id of it.
fn event_id(vendor: Vendor, vendor_event_id: &str) -> String {
    let digest = to_hex(&Sha256::digest(format!("{}\n{vendor_event_id}", vendor.spelling())));
    digest.chars().take(ID).collect()
}

fn is_name(text: &str) -> bool {
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '.';
    (1..=LONGEST).contains(&text.len()) && text.chars().all(is_letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_asked_about_is_read() {
        let body = br#"{"id":"evt_1","type":"charge.dispute.created","data":{"object":{"id":"dp_1","amount":7}}}"#;
        let event = read_event(body).unwrap();
        assert_eq!((event.r#type.as_str(), event.object_id.as_str()), ("charge.dispute.created", "dp_1"));
        assert_eq!(read_event(body).unwrap().id, event.id);
        for foreign in ["../v1/balance", "dp_1?x=y", "dp_1/close", "."] {
            let body = format!(r#"{{"id":"evt_1","type":"a.b","data":{{"object":{{"id":"{foreign}"}}}}}}"#);
            assert_eq!(read_event(body.as_bytes()).unwrap().object_id, "", "{foreign}");
        }
        for bad in ["", "[]", "{}", r#"{"id":"","type":"a"}"#, r#"{"id":"evt 1","type":"a"}"#, r#"{"id":7,"type":"a"}"#]
        {
            assert!(read_event(bad.as_bytes()).is_err(), "{bad}");
        }
    }
}
