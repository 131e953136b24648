//! E-mail addresses (001 §5).

/// The longest address, and its longest part before the at sign.
const LONGEST: usize = 254;
const LONGEST_LOCAL: usize = 64;

/// Whether it is an address: the same texts that the pattern of `FORMAT_EMAIL` takes.
#[must_use]
pub fn is_address(text: &str) -> bool {
    let Some((local, host)) = text.split_once('@') else { return false };
    let is_local = |byte: u8| byte.is_ascii_alphanumeric() || b".!#$%&'*+/=?^_`{|}~-".contains(&byte);
    let inner = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    let is_label = |label: &str| {
        let ends = [label.bytes().next(), label.bytes().next_back()];
        label.bytes().all(inner) && ends.iter().all(|end| end.is_some_and(|byte| byte.is_ascii_alphanumeric()))
    };
    let Some((labels, last)) = host.rsplit_once('.') else { return false };
    text.len() <= LONGEST
        && (1..=LONGEST_LOCAL).contains(&local.len())
        && local.bytes().all(is_local)
        && labels.split('.').all(is_label)
        && last.len() >= 2
        && last.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// The address as it is compared and looked for: ASCII letters in lower case. Lookups with `fold` keep it so.
#[must_use]
pub fn fold_address(address: &str) -> String {
    address.to_ascii_lowercase()
}

/// Whether two texts are one address.
#[must_use]
pub fn is_same(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use prost_reflect::DescriptorPool;
    use std::sync::LazyLock;

    /// The pattern that the contract gives a text with the format.
    static PATTERN: LazyLock<regex::Regex> = LazyLock::new(|| {
        let source = include_str!("../../contract/src/expand/format.rs");
        let after = source.split("\"FORMAT_EMAIL\"").nth(1).unwrap();
        let pattern = after.split("pattern: \"").nth(1).unwrap().split('"').next().unwrap();
        regex::Regex::new(&format!("^{}$", pattern.replace("\\\\", "\\"))).unwrap()
    });

    #[test]
    fn addresses_are_known() {
        for address in ["ada@example.com", "a.b+c@mail.example.co", "o'neil@a-b.c_d.org", "1@2.33"] {
            assert!(is_address(address) && PATTERN.is_match(address), "{address}");
        }
        let long = format!("{}@example.com", "a".repeat(65));
        for text in
            ["", "@", "a@b", "a@b.c", "a@.com", "a@-b.com", "a@b-.com", "a b@example.com", "a@b@example.com", &long]
        {
            assert!(!is_address(text) && !PATTERN.is_match(text), "{text}");
        }
        assert!(is_same("Ada@Example.com", "ada@example.COM") && fold_address("Ada@Example.com") == "ada@example.com");
    }

    #[test]
    fn the_contract_knows_each_format() {
        let pool = DescriptorPool::decode(pavise_contract::DESCRIPTORS).unwrap();
        let formats = pool.get_enum_by_name("pavise.contract.v1.Format").unwrap();
        let source = include_str!("../../contract/src/expand/format.rs");
        for format in formats.values().filter(|format| format.number() != 0) {
            assert!(source.contains(&format!("\"{}\"", format.name())), "{} has no rule", format.name());
        }
    }

    proptest! {
        #[test]
        fn the_pattern_of_the_contract_says_the_same(text in "[a-z0-9._'@-]{0,8}@?[a-z0-9._-]{0,6}[.]?[a-z0-9-]{0,3}") {
            prop_assert_eq!(is_address(&text), PATTERN.is_match(&text), "{}", text);
        }
    }
}
