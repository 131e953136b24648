//! Sets whether messages of one kind may go to an e-mail address.

use pavise_kernel::store::Filter;
use pavise_kernel::{Call, Error, Result, email};

use super::sign_unsubscription::PURPOSE;
use super::support::preferences::{name_of, set_preferences};
use crate::contract::lookups::{contact_preference, profile as lookups};
use crate::contract::roles;
use crate::contract::v1::{
    CommunicationChannel, CommunicationPreference, ContactPreference, ErrorReason, Profile, ProfileStatus,
    SetAddressPreferenceRequest, SetAddressPreferenceResponse,
};
use crate::shared::found::find_by;

/// The most profiles with one address that are written at once. Others follow the address when they are changed.
const MOST: u32 = 50;
/// Where a preference was said that came with a link.
const LINK: &str = "unsubscribe link";
const JSON: &str = "application/json";

pub(crate) async fn set_address_preference(
    call: &Call,
    mut request: SetAddressPreferenceRequest,
) -> Result<SetAddressPreferenceResponse> {
    read_body(&mut request)?;
    let address = email::fold_address(&request.email);
    let key = request.key.to_ascii_lowercase();
    let is_staff = call.has_role(roles::STAFF);
    if !is_staff && !call.kernel().is_link_valid(PURPOSE, &[&address, &key], &request.token) {
        let message = "this link is not valid any more; change your preferences after signing in";
        return Err(Error::new(ErrorReason::UnsubscribeTokenInvalid, message));
    }
    let channel = match request.channel() {
        CommunicationChannel::Unspecified => CommunicationChannel::Email,
        channel => channel,
    };
    let preference = CommunicationPreference {
        key: request.key.clone(),
        channel: channel.into(),
        allowed: request.allowed,
        source: if is_staff { call.caller().actor_identity().to_owned() } else { LINK.to_owned() },
        updated_at: Some(call.timestamp()),
    };
    let answer = SetAddressPreferenceResponse { key: request.key, channel: channel.into(), allowed: request.allowed };
    let address_key = format!("{address} {}", name_of(&preference));
    let known: Option<ContactPreference> = call.find_unscoped_by(contact_preference::ADDRESS_KEY, &address_key).await?;
    let mut unit = call.unit();
    for profile in find_with_address(call, &address).await? {
        let mut after = profile.clone();
        set_preferences(&mut after.communication_preferences, [preference.clone()], call.timestamp());
        unit.update(&profile, after)?;
    }
    match known {
        Some(known) => {
            unit.update(&known, ContactPreference { preference: Some(preference), ..known.clone() })?;
        }
        None => {
            let new = ContactPreference {
                address,
                preference: Some(preference),
                address_key,
                ..ContactPreference::default()
            };
            unit.create(new)?;
        }
    }
    unit.commit_answer(answer).await
}

/// Reads the body of a request over REST: a one-click unsubscription has a form, others may have JSON.
fn read_body(request: &mut SetAddressPreferenceRequest) -> Result<()> {
    let kind = request.content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    if request.body.is_empty() || kind != JSON {
        return Ok(());
    }
    let body: serde_json::Value =
        serde_json::from_slice(&request.body).map_err(|_| Error::field("body", "is no JSON"))?;
    let fields = body.as_object().ok_or_else(|| Error::field("body", "is no JSON object"))?;
    for (name, value) in fields {
        match (name.as_str(), value) {
            ("allowed", serde_json::Value::Bool(allowed)) => request.allowed = *allowed,
            ("token", serde_json::Value::String(token)) => request.token.clone_from(token),
            ("channel", serde_json::Value::String(channel)) => {
                let channel = CommunicationChannel::from_spelling(channel);
                let channel = channel.filter(|channel| *channel != CommunicationChannel::Unspecified);
                request.channel = channel.ok_or_else(|| Error::field("channel", "is no channel"))?.into();
            }
            (name, _) => return Err(Error::field(name, "is allowed, channel or token, each of its type")),
        }
    }
    Ok(())
}

/// The profiles that have the address.
async fn find_with_address(call: &Call, address: &str) -> Result<Vec<Profile>> {
    let statuses = vec![ProfileStatus::Active.spelling().to_owned()];
    find_by(call, lookups::EMAILS_ADDRESS, address, Filter { statuses, limit: MOST, ..Filter::default() }).await
}
