//! Rules of every write of a profile.

use pavise_kernel::common::v1::{Date, PhoneType};
use pavise_kernel::time::{is_real, to_date, to_days, to_micros};
use pavise_kernel::{Derive, Error, Invariants, Result};
use prost_types::Timestamp;

use super::support::identifiers::last_four;
use super::support::items::{check_items, derive_items};
use super::support::names::display_name;
use super::support::words::derive_words;
use crate::contract::v1::Profile;

/// The most communication preferences.
const MOST_PREFERENCES: usize = 100;

impl Derive for Profile {
    fn derive(&mut self, before: Option<&Self>, at: &Timestamp) -> Result<()> {
        for phone in &mut self.phone_numbers {
            if phone.r#type() == PhoneType::Unspecified {
                phone.r#type = PhoneType::Cell.into();
            }
        }
        for number in &mut self.account_identifiers {
            number.key = format!("{}/{}", number.r#type().spelling(), number.value);
        }
        derive_items(&mut self.emails, before.map_or(&[], |before| &before.emails), at);
        derive_items(&mut self.phone_numbers, before.map_or(&[], |before| &before.phone_numbers), at);
        derive_items(&mut self.addresses, before.map_or(&[], |before| &before.addresses), at);
        derive_items(&mut self.account_identifiers, before.map_or(&[], |before| &before.account_identifiers), at);
        self.end_texts(at);
        self.display_name = display_name(self.name.as_ref());
        self.birth_day = self.date_of_birth.map(day_text).unwrap_or_default();
        self.last4 = self.national_identifier.as_ref().map(|number| last_four(&number.value)).unwrap_or_default();
        self.identifier_key =
            self.national_identifier.as_ref().map(|kept| identifier_key(kept.r#type, &kept.value)).unwrap_or_default();
        derive_words(self);
        check_day("date_of_birth", self.date_of_birth, before.and_then(|before| before.date_of_birth), at)?;
        check_day("date_of_death", self.date_of_death, before.and_then(|before| before.date_of_death), at)
    }
}

impl Invariants for Profile {
    fn check(&self) -> Result<()> {
        check_items(&self.emails)?;
        check_items(&self.phone_numbers)?;
        check_items(&self.addresses)?;
        check_items(&self.account_identifiers)?;
        if self.communication_preferences.len() > MOST_PREFERENCES {
            let why = format!("a profile has at most {MOST_PREFERENCES} preferences");
            return Err(Error::field("communication_preferences", why));
        }
        match (self.date_of_birth, self.date_of_death) {
            (Some(born), Some(died)) if to_days(died) < to_days(born) => {
                Err(Error::field("date_of_death", "is before the date of birth"))
            }
            _ => Ok(()),
        }
    }
}

impl Profile {
    /// Whether a number of a cell phone is there.
    pub(crate) fn has_cell(&self) -> bool {
        self.phone_numbers.iter().any(|phone| phone.r#type() == PhoneType::Cell)
    }

    /// The consent to text messages ends with the last number of a cell phone.
    fn end_texts(&mut self, at: &Timestamp) {
        let has_cell = self.has_cell();
        if let Some(texts) = self.sms_opt_in.as_mut().filter(|texts| texts.given && !has_cell) {
            texts.given = false;
            texts.at = Some(*at);
        }
    }
}

/// The text of a day, by which it is searched.
pub(super) fn day_text(day: Date) -> String {
    format!("{:04}-{:02}-{:02}", day.year, day.month, day.day)
}

pub(super) fn identifier_key(kind: i32, value: &str) -> String {
    format!("{kind}/{value}")
}

/// A day that was set is one of the calendar, and is not to come.
fn check_day(field: &str, day: Option<Date>, before: Option<Date>, at: &Timestamp) -> Result<()> {
    let Some(day) = day.filter(|day| Some(*day) != before) else { return Ok(()) };
    // Somewhere it is the next day already.
    let latest = to_days(to_date(to_micros(at))) + 1;
    if !is_real(day) {
        return Err(Error::field(field, "is no day of the calendar"));
    }
    if to_days(day) > latest { Err(Error::field(field, "is still to come")) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::{Consent, ProfileEmail, ProfilePhoneNumber};

    const NOW: Timestamp = Timestamp { seconds: 1_800_000_000, nanos: 0 };

    fn email(id: &str, primary: bool) -> ProfileEmail {
        ProfileEmail { id: id.into(), address: format!("{id}@example.com"), primary, added_at: None }
    }

    fn derived(before: Option<&Profile>, mut after: Profile) -> Profile {
        after.derive(before, &NOW).unwrap();
        let once = after.clone();
        after.derive(before, &NOW).unwrap();
        assert_eq!(after, once, "deriving again changes nothing");
        after
    }

    fn primaries(profile: &Profile) -> Vec<bool> {
        profile.emails.iter().map(|email| email.primary).collect()
    }

    #[test]
    fn one_item_is_primary_whatever_is_added_and_removed() {
        let one = derived(None, Profile { emails: vec![email("a", false)], ..Profile::default() });
        assert_eq!(primaries(&one), [true]);
        let mut two = one.clone();
        two.emails.push(email("b", true));
        let two = derived(Some(&one), two);
        assert_eq!(primaries(&two), [false, true]);
        let mut left = two.clone();
        left.emails.pop();
        assert_eq!(primaries(&derived(Some(&two), left)), [true]);
    }

    #[test]
    fn a_list_has_at_most_twenty_items_and_nothing_twice() {
        let field = |profile: Profile| {
            profile.check().err().and_then(|error| error.violations().first().map(|one| one.field.clone()))
        };
        let many = |count: usize| (0..count).map(|at| email(&format!("a{at}"), false)).collect();
        assert_eq!(field(Profile { emails: many(20), ..Profile::default() }), None);
        assert_eq!(field(Profile { emails: many(21), ..Profile::default() }).as_deref(), Some("emails[20]"));
        let twice = vec![email("a", true), ProfileEmail { address: "A@EXAMPLE.com".into(), ..email("b", false) }];
        assert_eq!(field(Profile { emails: twice, ..Profile::default() }).as_deref(), Some("emails[1]"));
    }

    #[test]
    fn days_are_real_past_and_in_order() {
        let day = |year, month, day| Some(Date { year, month, day });
        let born = |date_of_birth| {
            let mut profile = Profile { date_of_birth, ..Profile::default() };
            profile.derive(None, &NOW).map(|()| profile)
        };
        assert!(born(day(1987, 2, 30)).is_err() && born(day(2999, 1, 1)).is_err());
        let profile = born(day(1987, 3, 5)).unwrap();
        assert_eq!(profile.birth_day, "1987-03-05");
        assert!(Profile { date_of_death: day(1986, 1, 1), ..profile.clone() }.check().is_err());
        Profile { date_of_death: day(2020, 1, 1), ..profile }.check().unwrap();
    }

    #[test]
    fn texts_end_with_the_last_cell_phone() {
        let phone = ProfilePhoneNumber { id: "p".into(), number: "+15125550100".into(), ..Default::default() };
        let agreed = Consent { given: true, ..Consent::default() };
        let with =
            derived(None, Profile { phone_numbers: vec![phone], sms_opt_in: Some(agreed), ..Profile::default() });
        assert!(with.sms_opt_in.as_ref().unwrap().given && with.has_cell());
        let without = derived(Some(&with), Profile { phone_numbers: Vec::new(), ..with.clone() });
        assert!(!without.sms_opt_in.unwrap().given);
    }
}
