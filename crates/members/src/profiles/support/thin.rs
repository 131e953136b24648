//! The part of a profile by which people tell each other apart.

use crate::contract::v1::{Profile, ThinProfile};

impl From<&Profile> for ThinProfile {
    fn from(profile: &Profile) -> Self {
        Self {
            id: profile.id.clone(),
            status: profile.status,
            name: profile.name.clone(),
            pronouns: profile.pronouns.clone(),
            locale: profile.locale,
            emails: profile.emails.clone(),
            service_flags: profile.service_flags.clone(),
            display_name: profile.display_name.clone(),
        }
    }
}
