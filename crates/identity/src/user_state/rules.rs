//! Rules of every write of a user state.

use pavise_kernel::time::to_micros;
use pavise_kernel::{Derive, Result};
use prost_types::Timestamp;

use crate::contract::v1::{
    DeviceToken, IdShieldNotificationSetting, IdShieldNotificationSettings, Impression, UserState, UserStateAlert,
    UserStateStatus,
};

/// How many devices of an identity can be reached at most; the oldest gives way.
const MOST_DEVICES: usize = 20;
/// How many alerts and impressions are kept at most.
const MOST_NOTES: usize = 200;

impl Derive for UserState {
    fn derive(&mut self, before: Option<&Self>, at: &Timestamp) -> Result<()> {
        // A deleted state makes room for another of the same application.
        self.owner_application = if self.status() == UserStateStatus::Deleted {
            String::new()
        } else {
            format!("{}/{}", self.owner_id, self.application().spelling())
        };
        keep(&mut self.device_tokens, before.map(|before| before.device_tokens.as_slice()), MOST_DEVICES, at);
        keep(&mut self.alerts, before.map(|before| before.alerts.as_slice()), MOST_NOTES, at);
        keep(&mut self.impressions, before.map(|before| before.impressions.as_slice()), MOST_NOTES, at);
        is_for(&mut self.id_shield_notification_settings, IdShieldNotificationSetting::General);
        is_for(&mut self.id_shield_sms_notification_settings, IdShieldNotificationSetting::Sms);
        is_for(&mut self.id_shield_push_notification_settings, IdShieldNotificationSetting::Push);
        Ok(())
    }
}

fn is_for(settings: &mut Option<IdShieldNotificationSettings>, setting: IdShieldNotificationSetting) {
    if let Some(settings) = settings {
        settings.setting = setting.into();
    }
}

/// An entry that is kept with the time of its addition.
trait TimedEntry: PartialEq {
    fn added_at(&self) -> Option<&Timestamp>;
    fn added(&mut self, at: Timestamp);
}

macro_rules! noted {
    ($($kind:ty),+) => {$(
        impl TimedEntry for $kind {
            fn added_at(&self) -> Option<&Timestamp> {
                self.added_at.as_ref()
            }

            fn added(&mut self, at: Timestamp) {
                self.added_at = Some(at);
            }
        }
    )+};
}

noted!(DeviceToken, UserStateAlert, Impression);

/// Stamps new entries with the time, and keeps the newest.
fn keep<N: TimedEntry>(notes: &mut Vec<N>, before: Option<&[N]>, most: usize, at: &Timestamp) {
    for note in notes.iter_mut().filter(|note| !before.is_some_and(|before| before.contains(note))) {
        note.added(*at);
    }
    notes.sort_by_key(|note| note.added_at().map_or(0, to_micros));
    notes.drain(..notes.len().saturating_sub(most));
}
