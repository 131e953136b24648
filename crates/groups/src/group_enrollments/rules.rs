//! Rules of every stored enrollment.

use pavise_kernel::{Error, Invariants, Result};

use crate::contract::v1::{DependentType, GroupEnrollment};
use crate::groups::support::lists::{check_day, check_distinct};

impl Invariants for GroupEnrollment {
    fn check(&self) -> Result<()> {
        check_distinct("offers", "offer_id", self.offers.iter().map(|offer| Some(&offer.offer_id)))?;
        check_distinct("dependents", "id", self.dependents.iter().map(|one| Some(&one.id)))?;
        let text = |text: &str| (!text.is_empty()).then(|| text.to_lowercase());
        check_distinct("dependents", "email", self.dependents.iter().map(|one| text(&one.email)))?;
        let mut has_spouse = false;
        for (at, dependent) in self.dependents.iter().enumerate() {
            check_day(&format!("dependents[{at}].birth_date"), dependent.birth_date)?;
            let is_spouse = dependent.r#type() == DependentType::Spouse;
            if is_spouse && has_spouse {
                return Err(Error::field(format!("dependents[{at}].type"), "there is one Spouse at most"));
            }
            has_spouse |= is_spouse;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::{EnrollmentDependent, EnrollmentOffer};

    #[test]
    fn there_is_one_spouse_and_no_offer_twice() {
        let person = |id: &str, kind: DependentType| EnrollmentDependent {
            id: id.to_owned(),
            r#type: kind.into(),
            ..EnrollmentDependent::default()
        };
        let field = |enrollment: GroupEnrollment| enrollment.check().unwrap_err().violations()[0].field.clone();
        let of = |dependents: Vec<EnrollmentDependent>| GroupEnrollment { dependents, ..GroupEnrollment::default() };
        use DependentType::{Dependent, Spouse};
        assert!(of(vec![person("a", Spouse), person("b", Dependent), person("c", Dependent)]).check().is_ok());
        assert_eq!(field(of(vec![person("a", Spouse), person("b", Spouse)])), "dependents[1].type");
        assert_eq!(field(of(vec![person("a", Dependent), person("a", Dependent)])), "dependents[1].id");
        let offers = vec![EnrollmentOffer { offer_id: "one".to_owned(), ..EnrollmentOffer::default() }; 2];
        assert_eq!(field(GroupEnrollment { offers, ..GroupEnrollment::default() }), "offers[1].offer_id");
    }
}
