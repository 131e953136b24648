//! Communication preferences: one for each key and channel.

use prost_types::Timestamp;

use crate::contract::v1::{CommunicationChannel, CommunicationPreference};

/// Sets preferences, each in the place of the one with its key and channel.
pub(crate) fn set_preferences(
    list: &mut Vec<CommunicationPreference>,
    new: impl IntoIterator<Item = CommunicationPreference>,
    at: Timestamp,
) {
    for mut preference in new {
        if preference.channel() == CommunicationChannel::Unspecified {
            preference.channel = CommunicationChannel::Email.into();
        }
        preference.updated_at = Some(at);
        let of = (preference.key.to_ascii_lowercase(), preference.channel);
        match list.iter_mut().find(|known| (known.key.to_ascii_lowercase(), known.channel) == of) {
            Some(known) => *known = preference,
            None => list.push(preference),
        }
    }
}

/// Key and channel as one text.
pub(crate) fn name_of(preference: &CommunicationPreference) -> String {
    format!("{}/{}", preference.key.to_ascii_lowercase(), preference.channel().spelling())
}
