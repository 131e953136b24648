//! Signs the link by which the reader of a message unsubscribes, if they want such messages.

use pavise_kernel::time::{DAY, to_timestamp};
use pavise_kernel::{Call, Result, email};

use super::support::preferences::name_of;
use crate::contract::lookups::contact_preference;
use crate::contract::v1::{
    CommunicationChannel, CommunicationPreference, ContactPreference, Profile, SignUnsubscriptionRequest,
    SignUnsubscriptionResponse,
};

/// The purpose of such links.
pub(super) const PURPOSE: &str = "unsubscribe";
/// The days for which a link is valid.
const DAYS: i64 = 60;

pub(crate) async fn sign_unsubscription(
    call: &Call,
    request: SignUnsubscriptionRequest,
) -> Result<SignUnsubscriptionResponse> {
    let until = call.machine_now().saturating_add(DAYS.saturating_mul(DAY));
    let address = email::fold_address(&request.email);
    let token = call.kernel().seal_link(PURPOSE, &[&address, &request.key.to_ascii_lowercase()], until);
    let allowed = is_allowed(call, &address, request).await?;
    Ok(SignUnsubscriptionResponse { token, expires_at: Some(to_timestamp(until)), allowed })
}

/// Whether neither the owner of the address nor the profile of the reader refuses such mails.
async fn is_allowed(call: &Call, address: &str, request: SignUnsubscriptionRequest) -> Result<bool> {
    let kind = CommunicationPreference {
        key: request.key,
        channel: CommunicationChannel::Email.into(),
        ..CommunicationPreference::default()
    };
    let name = name_of(&kind);
    let refuses = |preference: &CommunicationPreference| !preference.allowed && name_of(preference) == name;
    let address_key = format!("{address} {name}");
    let known: Option<ContactPreference> = call.find_unscoped_by(contact_preference::ADDRESS_KEY, &address_key).await?;
    if known.and_then(|known| known.preference).is_some_and(|preference| refuses(&preference)) {
        return Ok(false);
    }
    let profile = match request.reader_id.as_str() {
        "" => None,
        id => call.find_unscoped::<Profile>(id).await?,
    };
    Ok(!profile.is_some_and(|profile| profile.communication_preferences.iter().any(refuses)))
}
