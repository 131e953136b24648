//! Rules of every name: its id, and the form that its space asks for.

use pavise_kernel::aggregate::Invariants;
use pavise_kernel::common::v1::NameSpace;
use pavise_kernel::{Error, Result};

use crate::contract::v1::ReservedName;

/// The least characters of a site name.
const SHORTEST: usize = 3;
/// The most characters of a site name. With the space it fits into an id.
const LONGEST: usize = 50;
/// First parts of the platform's own addresses, and words that a page of its own may need.
const SYSTEM: [&str; 28] = [
    "about",
    "account",
    "admin",
    "api",
    "app",
    "assets",
    "billing",
    "cart",
    "checkout",
    "console",
    "contact",
    "family",
    "health",
    "help",
    "home",
    "invitations",
    "legal-notice",
    "new",
    "openapi",
    "orders",
    "pavise",
    "plans",
    "privacy",
    "profile",
    "security",
    "sign-in",
    "support",
    "terms",
];

impl Invariants for ReservedName {
    fn check(&self) -> Result<()> {
        if let Some(problem) = find_problem(self.space(), &self.name) {
            return Err(Error::field("name", problem));
        }
        if self.id != pavise_names::id(self.space().spelling(), &self.name) {
            return Err(Error::field("id", "must be the space and the name, with a dot between them"));
        }
        Ok(())
    }
}

/// The rule of the space that a name breaks.
pub(super) fn find_problem(space: NameSpace, name: &str) -> Option<&'static str> {
    match space {
        NameSpace::Unspecified => Some("is in no space"),
        NameSpace::SiteName => {
            let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
            if !(SHORTEST..=LONGEST).contains(&name.len()) {
                Some("must have 3 to 50 characters")
            } else if !name.bytes().all(plain) || name.starts_with('-') || name.ends_with('-') {
                Some("must have only a-z, 0-9 and hyphens, and no hyphen at either end")
            } else if SYSTEM.contains(&name) {
                Some("is a word that the platform keeps for its own pages")
            } else {
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_name_is_a_short_word_of_an_address() {
        let problem = |name: &str| find_problem(NameSpace::SiteName, name);
        for good in ["abc", "family-plan", "24-7", &"a".repeat(LONGEST)] {
            assert_eq!(problem(good), None, "{good}");
        }
        for (bad, said) in [
            ("ab", "3 to 50"),
            (&*"a".repeat(LONGEST + 1), "3 to 50"),
            ("Family", "only a-z"),
            ("-abc", "no hyphen"),
            ("abc-", "no hyphen"),
            ("a b", "only a-z"),
            ("a.b", "only a-z"),
            ("äöü", "only a-z"),
            ("checkout", "own pages"),
        ] {
            assert!(problem(bad).is_some_and(|problem| problem.contains(said)), "{bad}: {:?}", problem(bad));
        }
    }

    #[test]
    fn the_longest_name_fits_into_an_id() {
        assert!(pavise_names::id(NameSpace::SiteName.spelling(), &"a".repeat(LONGEST)).len() <= 64);
    }

    #[test]
    fn the_id_is_made_of_the_name() {
        let mut name = ReservedName { name: "family-plan".to_owned(), ..ReservedName::default() };
        name.set_space(NameSpace::SiteName);
        name.id = "SITE_NAME.family-plan".to_owned();
        name.check().unwrap();
        name.id = "SITE_NAME.other".to_owned();
        assert_eq!(name.check().unwrap_err().violations()[0].field, "id");
    }
}
