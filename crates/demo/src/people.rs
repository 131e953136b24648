//! The members of the demonstration: the same names and places at each load.

use pavise_kernel::common::v1::RegionCode::{
    self, Ab, Az, Bc, Ca, Co, Fl, Ga, Il, Ma, Mb, Mi, Mn, Nc, Nm, Ny, Oh, Ok, On, Or, Pa, Tn, Tx, Wa,
};
use pavise_kernel::common::v1::{Address, CountryCode, Locale};

const ENGLISH: ([&str; 24], [&str; 24]) = (
    [
        "Ada",
        "Alan",
        "Barbara",
        "Brian",
        "Carol",
        "Charles",
        "Dorothy",
        "Edith",
        "Frank",
        "Grace",
        "Hannah",
        "Isaac",
        "James",
        "Katherine",
        "Laura",
        "Margaret",
        "Nathan",
        "Olivia",
        "Peter",
        "Ruth",
        "Samuel",
        "Theresa",
        "Victor",
        "Wendy",
    ],
    [
        "Adams", "Baker", "Carter", "Dawson", "Ellis", "Foster", "Graham", "Hughes", "Irving", "Jensen", "Keller",
        "Lawson", "Mitchell", "Nolan", "Olsen", "Parker", "Quinn", "Reed", "Sawyer", "Turner", "Upton", "Vaughn",
        "Walker", "Young",
    ],
);
const SPANISH: ([&str; 12], [&str; 12]) = (
    ["Ana", "Beatriz", "Carlos", "Diego", "Elena", "Francisco", "Gabriela", "Héctor", "Inés", "José", "Lucía", "Tomás"],
    [
        "Álvarez",
        "Castillo",
        "Delgado",
        "Flores",
        "García",
        "Hernández",
        "Jiménez",
        "Morales",
        "Navarro",
        "Ortega",
        "Ramírez",
        "Vega",
    ],
);
const FRENCH: ([&str; 12], [&str; 12]) = (
    [
        "Amélie",
        "Benoît",
        "Camille",
        "Denise",
        "Étienne",
        "François",
        "Geneviève",
        "Hélène",
        "Julien",
        "Luc",
        "Mathieu",
        "Zoé",
    ],
    [
        "Beaulieu",
        "Bouchard",
        "Côté",
        "Desjardins",
        "Fournier",
        "Gagnon",
        "Lavoie",
        "Lefebvre",
        "Moreau",
        "Pelletier",
        "Roy",
        "Tremblay",
    ],
);
const STREETS: [&str; 10] = [
    "Main Street",
    "Oak Avenue",
    "Maple Street",
    "Cedar Lane",
    "Lake Road",
    "Hill Street",
    "Park Avenue",
    "River Road",
    "Elm Street",
    "Church Street",
];

/// A city in which plans are sold.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) region: RegionCode,
    city: &'static str,
    postal_code: &'static str,
}

const fn place(region: RegionCode, city: &'static str, postal_code: &'static str) -> Place {
    Place { region, city, postal_code }
}

/// About every third place is in Canada.
const PLACES: [Place; 26] = [
    place(Tx, "Austin", "78701"),
    place(Ca, "Los Angeles", "90012"),
    place(On, "Toronto", "M5H 2N2"),
    place(Ny, "New York", "10007"),
    place(Fl, "Miami", "33130"),
    place(Bc, "Vancouver", "V6B 1A1"),
    place(Ok, "Ada", "74820"),
    place(Wa, "Seattle", "98104"),
    place(Oh, "Columbus", "43215"),
    place(Ab, "Calgary", "T2P 2M5"),
    place(Il, "Chicago", "60602"),
    place(Ga, "Atlanta", "30303"),
    place(On, "Ottawa", "K1P 1J1"),
    place(Co, "Denver", "80202"),
    place(Tx, "San Antonio", "78205"),
    place(Mb, "Winnipeg", "R3B 1B9"),
    place(Nc, "Raleigh", "27601"),
    place(Az, "Phoenix", "85003"),
    place(Pa, "Philadelphia", "19107"),
    place(Bc, "Victoria", "V8W 1P6"),
    place(Or, "Portland", "97204"),
    place(Mi, "Detroit", "48226"),
    place(Mn, "Minneapolis", "55415"),
    place(Nm, "Santa Fe", "87501"),
    place(Ma, "Boston", "02201"),
    place(Tn, "Nashville", "37201"),
];

/// A member.
#[derive(Debug)]
pub(crate) struct Person {
    number: u32,
    pub(crate) first: &'static str,
    pub(crate) last: &'static str,
    pub(crate) locale: Locale,
    pub(crate) place: &'static Place,
}

impl Person {
    /// The member of that number.
    pub(crate) fn nth(number: u32) -> Self {
        let place = pick(&PLACES, u64::from(number)).unwrap_or(&PLACES[0]);
        let canadian = matches!(place.region, On | Bc | Ab | Mb);
        // A cycle of seven meets each of the 26 places.
        let locale = match (canadian, number % 7) {
            (true, 2 | 5) => Locale::FrCa,
            (true, _) => Locale::EnCa,
            (false, 1 | 4) => Locale::EsUs,
            (false, _) => Locale::EnUs,
        };
        Self { place, ..Self::of(number, locale) }
    }

    /// The person of that number in that locale.
    pub(crate) fn of(number: u32, locale: Locale) -> Self {
        let (firsts, lasts): (&[&str], &[&str]) = match locale {
            Locale::EsUs => (&SPANISH.0, &SPANISH.1),
            Locale::FrCa => (&FRENCH.0, &FRENCH.1),
            Locale::EnUs | Locale::EnCa | Locale::Unspecified => (&ENGLISH.0, &ENGLISH.1),
        };
        let mixed = mix(u64::from(number));
        let first = pick(firsts, mixed).copied().unwrap_or_default();
        let last = pick(lasts, mixed >> 32).copied().unwrap_or_default();
        Self { number, first, last, locale, place: &PLACES[0] }
    }

    pub(crate) fn email(&self) -> String {
        let mut email = String::with_capacity(48);
        for name in [self.first, self.last] {
            email.extend(name.chars().map(plain));
            email.push('.');
        }
        email.push_str(&self.number.to_string());
        email.push_str("@members.pavise.example");
        email
    }

    pub(crate) fn name(&self) -> String {
        format!("{} {}", self.first, self.last)
    }

    pub(crate) fn street(&self) -> String {
        let mixed = mix(u64::from(self.number) << 8);
        format!("{} {}", mixed % 900 + 1, pick(&STREETS, mixed >> 32).copied().unwrap_or_default())
    }

    pub(crate) fn address(&self) -> Address {
        let canadian = self.is_canadian();
        Address {
            address1: self.street(),
            city: self.place.city.to_owned(),
            locality: self.place.region.into(),
            postal_code: self.place.postal_code.to_owned(),
            country: if canadian { CountryCode::Can } else { CountryCode::Usa }.into(),
            ..Address::default()
        }
    }

    pub(crate) fn is_canadian(&self) -> bool {
        matches!(self.locale, Locale::EnCa | Locale::FrCa)
    }
}

/// Spreads numbers evenly over all 64 bits, each to another.
pub(crate) fn mix(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// The entry of a list that a number falls on.
pub(crate) fn pick<T>(list: &[T], number: u64) -> Option<&T> {
    let length = u64::try_from(list.len()).ok().filter(|length| *length > 0)?;
    list.get(usize::try_from(number % length).ok()?)
}

/// A letter as it is written in an e-mail address.
fn plain(letter: char) -> char {
    match letter.to_lowercase().next().unwrap_or(letter) {
        'á' | 'à' => 'a',
        'é' | 'è' | 'ê' => 'e',
        'í' | 'î' => 'i',
        'ó' | 'ô' => 'o',
        'ú' => 'u',
        'ç' => 'c',
        'ñ' => 'n',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn members_are_of_all_locales_and_both_countries_and_have_addresses_of_their_own() {
        let people: Vec<Person> = (0..300).map(Person::nth).collect();
        let locales: HashSet<i32> = people.iter().map(|person| person.locale.into()).collect();
        assert_eq!(locales.len(), 4);
        let emails: HashSet<String> = people.iter().map(Person::email).collect();
        assert_eq!(emails.len(), 300);
        assert!(emails.iter().all(|email| email.is_ascii() && !email.contains(' ')), "{emails:?}");
        assert!(people.iter().all(|person| matches!(person.place.region, On | Bc | Ab | Mb) == person.is_canadian()));
    }

    #[test]
    fn no_name_needs_escaping_in_json() {
        for number in 0..2000 {
            for locale in [Locale::EnUs, Locale::EsUs, Locale::FrCa] {
                let person = Person::of(number, locale);
                assert!(!format!("{}{}", person.name(), person.street()).contains(['"', '\\']));
            }
        }
    }
}
