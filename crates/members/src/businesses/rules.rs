//! Rules of every stored business, and the fields that follow from others.

use pavise_kernel::common::v1::PhoneType;
use pavise_kernel::{Derive, Error, Invariants, Result, email, time};
use prost_types::Timestamp;

use super::support::identifiers::{identifier_key, normalize_identifiers};
use super::support::lists::{check_distinct, check_one_primary, choose_primary};
use crate::contract::v1::Business;

impl Derive for Business {
    /// Numbers are in their normal form, and one item of each list is primary. A verification ends with what it stood on.
    fn derive(&mut self, before: Option<&Self>, at: &Timestamp) -> Result<()> {
        self.description = self.description.trim().to_owned();
        self.area_of_business = self.area_of_business.trim().to_owned();
        normalize_identifiers(&mut self.identifiers)?;
        for phone in &mut self.phone_numbers {
            if phone.r#type() == PhoneType::Unspecified {
                phone.r#type = PhoneType::Work.into();
            }
        }
        choose_primary(&mut self.addresses, |one| &mut one.primary);
        choose_primary(&mut self.phone_numbers, |one| &mut one.primary);
        choose_primary(&mut self.emails, |one| &mut one.primary);
        if let Some(day) = self.established_date
            && before.is_none_or(|before| before.established_date != Some(day))
            && time::is_real(day)
            && time::start_of(day) > time::to_micros(at)
        {
            return Err(Error::field("established_date", "must not lie in the future"));
        }
        if before.is_some_and(|before| before.proved_parts() != self.proved_parts()) {
            self.verified_at = None;
            self.verified_by_id.clear();
        }
        Ok(())
    }
}

impl Business {
    /// The parts that a verification stands on.
    fn proved_parts(&self) -> impl PartialEq + '_ {
        (&self.name, self.registration, &self.addresses, &self.identifiers)
    }
}

impl Invariants for Business {
    fn check(&self) -> Result<()> {
        if self.established_date.is_some_and(|day| !time::is_real(day)) {
            return Err(Error::field("established_date", "is no day of the calendar"));
        }
        check_one_primary("addresses", &self.addresses, |one| one.primary)?;
        check_one_primary("phone_numbers", &self.phone_numbers, |one| one.primary)?;
        check_one_primary("emails", &self.emails, |one| one.primary)?;
        check_distinct("identifiers", self.identifiers.iter().map(identifier_key))?;
        check_distinct("phone_numbers", self.phone_numbers.iter().map(|one| (&one.number, &one.extension)))?;
        check_distinct("emails", self.emails.iter().map(|one| email::fold_address(&one.address)))?;
        check_distinct("online_presences", self.online_presences.iter().map(|one| &one.url))
    }
}

#[cfg(test)]
mod tests {
    use pavise_kernel::common::v1::Date;

    use super::*;
    use crate::contract::v1::*;

    const AT: Timestamp = Timestamp { seconds: 1_800_000_000, nanos: 0 };

    fn email_of(address: &str, primary: bool) -> BusinessEmail {
        BusinessEmail { address: address.into(), primary, ..BusinessEmail::default() }
    }

    fn identifier(kind: IdentifierType, value: &str) -> BusinessIdentifier {
        BusinessIdentifier { r#type: kind.into(), value: value.into() }
    }

    fn field(business: &Business) -> String {
        business.check().unwrap_err().violations()[0].field.clone()
    }

    fn verified() -> Business {
        Business { name: "Bakery".into(), verified_at: Some(AT), verified_by_id: "sue".into(), ..Business::default() }
    }

    #[test]
    fn the_first_is_primary_unless_another_says_so() {
        let emails = vec![email_of("a@example.com", false), email_of("b@example.com", false)];
        let mut business = Business { emails, ..Business::default() };
        business.derive(None, &AT).unwrap();
        assert!(business.emails[0].primary && !business.emails[1].primary);
        let emails = vec![email_of("a@example.com", false), email_of("b@example.com", true)];
        let mut business = Business { emails, ..Business::default() };
        business.derive(None, &AT).unwrap();
        assert!(!business.emails[0].primary);
        business.check().unwrap();
        business.emails[0].primary = true;
        assert_eq!(field(&business), "emails[1].primary");
    }

    #[test]
    fn a_list_has_nothing_twice_and_one_number_of_a_type() {
        let emails = vec![email_of("a@example.com", true), email_of("A@Example.com", false)];
        assert_eq!(field(&Business { emails, ..Business::default() }), "emails[1]");
        let sic = vec![identifier(IdentifierType::Sic, "5461"), identifier(IdentifierType::Sic, "2051")];
        Business { identifiers: sic, ..Business::default() }.check().unwrap();
        let ein = vec![identifier(IdentifierType::Ein, "123456789"), identifier(IdentifierType::Ein, "123456780")];
        assert_eq!(field(&Business { identifiers: ein, ..Business::default() }), "identifiers[1]");
        let mut wrong = Business { identifiers: vec![identifier(IdentifierType::Duns, "1")], ..Business::default() };
        assert_eq!(wrong.derive(None, &AT).unwrap_err().violations()[0].field, "identifiers[0].value");
    }

    #[test]
    fn a_change_of_what_was_proved_makes_a_verification_void() {
        let before = verified();
        let changes: [fn(&mut Business); 4] = [
            |one| one.name = "Books".into(),
            |one| one.registration = Registration::Cooperative.into(),
            |one| one.addresses.push(BusinessAddress::default()),
            |one| one.identifiers.push(identifier(IdentifierType::Sic, "5461")),
        ];
        for change in changes {
            let mut after = before.clone();
            change(&mut after);
            after.derive(Some(&before), &AT).unwrap();
            assert_eq!((after.verified_at, after.verified_by_id.as_str()), (None, ""));
        }
        let mut other = Business { description: "Bread.".into(), ..before.clone() };
        other.derive(Some(&before), &AT).unwrap();
        assert_eq!(other.verified_at, Some(AT), "what was not proved changes freely");
    }

    #[test]
    fn a_business_was_established() {
        let on = |year, month, day| {
            let established_date = Some(Date { year, month, day });
            Business { established_date, ..Business::default() }
        };
        on(2027, 1, 15).derive(None, &AT).unwrap();
        assert!(on(2027, 1, 16).derive(None, &AT).is_err(), "tomorrow");
        assert_eq!(field(&on(2026, 2, 30)), "established_date");
    }
}
