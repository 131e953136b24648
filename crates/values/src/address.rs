//! Postal addresses: region, country and postal code agree.

use crate::common::v1::{Address, CountryCode, RegionCode};
use crate::regions::country_of;
use crate::{Format, Value, ValueError, format, postal};

impl Value for Address {
    fn find_value_errors(&self, path: &str, found: &mut Vec<ValueError>) {
        let (region, country) = (self.locality(), country_of(self.locality()));
        format::check_text(Format::PostalCode, &self.postal_code, || format!("{path}postal_code"), found);
        if region == RegionCode::Unspecified {
            return;
        }
        if self.country() != CountryCode::Unspecified && self.country() != country {
            let why = format!("{} is in {}", region.spelling(), country.spelling());
            found.push(ValueError::new(format!("{path}country"), why));
        }
        let place = format!("{path}postal_code");
        if let Err(wrong) = postal::check(&place, &self.postal_code, region) {
            found.push(wrong);
        } else if postal::is_code(&self.postal_code) && postal::country(&self.postal_code) != country {
            // Some codes belong to a country and to no region.
            found.push(ValueError::new(place, format!("is no postal code of {}", country.spelling())));
        }
    }

    fn normalize(&mut self) {
        format::normalize_text(Format::PostalCode, &mut self.postal_code);
        if self.country() == CountryCode::Unspecified {
            self.country = country_of(self.locality()).into();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::v1::GeoPoint;
    use RegionCode::{On, Tx};
    use prost_protovalidate::Validate as _;

    fn address(locality: RegionCode, postal_code: &str) -> Address {
        Address {
            address1: "1 Main St".into(),
            locality: locality.into(),
            postal_code: postal_code.into(),
            ..Address::default()
        }
    }

    fn wrong(address: &Address) -> Vec<(String, Option<String>)> {
        let mut found = Vec::new();
        address.find_value_errors("order.address.", &mut found);
        found.into_iter().map(|wrong| (wrong.path, wrong.fact.map(|(_, fact)| fact))).collect()
    }

    #[test]
    fn a_point_lies_on_the_earth() {
        let is_point = |latitude, longitude| GeoPoint { latitude, longitude }.validate().is_ok();
        for (latitude, longitude) in [(0.0, 0.0), (90.0, 180.0), (-90.0, -180.0), (30.27, -97.74)] {
            assert!(is_point(latitude, longitude), "{latitude} {longitude}");
        }
        for (latitude, longitude) in [(90.1, 0.0), (-90.1, 0.0), (0.0, 180.1), (0.0, -180.1), (f64::NAN, 0.0)] {
            assert!(!is_point(latitude, longitude), "{latitude} {longitude}");
        }
    }

    #[test]
    fn the_country_follows_from_the_region() {
        let mut toronto = address(On, "k1a0b1");
        assert_eq!(wrong(&toronto), []);
        toronto.normalize();
        assert_eq!((toronto.country(), toronto.postal_code.as_str()), (CountryCode::Can, "K1A 0B1"));
        let mut nowhere = address(RegionCode::Unspecified, "");
        nowhere.normalize();
        assert_eq!((nowhere.country(), wrong(&nowhere)), (CountryCode::Unspecified, vec![]));
    }

    #[test]
    fn a_contradiction_is_refused_with_its_field() {
        let code = |fact: Option<&str>| vec![("order.address.postal_code".to_owned(), fact.map(str::to_owned))];
        assert_eq!(wrong(&address(On, "74820")), code(Some("OK")));
        assert_eq!(wrong(&address(Tx, "74820")), code(Some("OK")));
        assert_eq!(wrong(&address(On, "09001")), code(None), "of the armed forces");
        assert_eq!(wrong(&address(Tx, "7500")), code(None));
        let canadian = Address { country: CountryCode::Can.into(), ..address(Tx, "75001") };
        assert_eq!(wrong(&canadian), [("order.address.country".to_owned(), None)]);
    }
}
