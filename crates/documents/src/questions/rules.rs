//! Rules of every stored questionnaire.

use std::collections::HashSet;

use pavise_kernel::{Invariants, Result};
use prost::Message as _;

use crate::contract::v1::Question;
use crate::shared::violations::Violations;

/// The most bytes of a questionnaire.
const MOST_BYTES: usize = 1024 * 1024;
/// The most reminders and apps.
const MOST_REMINDERS: usize = 10;

impl Invariants for Question {
    fn check(&self) -> Result<()> {
        let mut wrong = Violations::default();
        let length = self.encoded_len();
        if length > MOST_BYTES {
            wrong.add("content", format!("it has {length} bytes, and at most {MOST_BYTES} are allowed"));
        }
        let (mut platforms, mut ids) = (HashSet::new(), HashSet::new());
        for (at, supported) in self.supported_mobile_versions.iter().enumerate() {
            let place = format!("supported_mobile_versions[{at}]");
            if !platforms.insert(supported.platform) {
                wrong.add(format!("{place}.platform"), "is there already");
            }
            let ends = (!supported.min.is_empty()).then(|| read_version(&supported.min));
            let ends = ends.zip((!supported.max.is_empty()).then(|| read_version(&supported.max)));
            if ends.is_some_and(|(min, max)| max < min) {
                wrong.add(format!("{place}.max"), "it is before the first version");
            }
        }
        if self.reminder_configs.len() > MOST_REMINDERS {
            wrong.add("reminder_configs", format!("at most {MOST_REMINDERS} are allowed"));
        }
        for (at, config) in self.reminder_configs.iter().enumerate() {
            if !ids.insert(config.id.as_str()) {
                wrong.add(format!("reminder_configs[{at}].id"), "is there already");
            }
        }
        wrong.into_result()
    }
}

/// The numbers of a version: "4.2" is 4, 2, 0, 0.
pub(crate) fn read_version(text: &str) -> [u32; 4] {
    let mut numbers = [0; 4];
    for (number, part) in numbers.iter_mut().zip(text.split('.')) {
        *number = part.parse().unwrap_or(0);
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::SupportedMobileVersion;

    #[test]
    fn versions_are_compared_by_their_numbers() {
        assert!(read_version("4.10") > read_version("4.9.9"));
        assert_eq!(read_version("4.2"), read_version("4.2.0"));
        assert_eq!(read_version(""), [0; 4]);
    }

    #[test]
    fn an_app_ends_with_its_first_version_or_later() {
        let check = |min: &str, max: &str| {
            let supported = SupportedMobileVersion { min: min.to_owned(), max: max.to_owned(), platform: 1 };
            Question { supported_mobile_versions: vec![supported], ..Question::default() }.check()
        };
        check("1.9", "1.10").unwrap();
        check("2", "").unwrap();
        assert_eq!(check("2", "1.9").unwrap_err().violations()[0].field, "supported_mobile_versions[0].max");
    }
}
