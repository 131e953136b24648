//! Content types, and the small defaults of the options about bytes.

use crate::options::v1::{Raw, Upload};

/// Whether a rule such as `text/csv` or `image/*` takes a content type, whose parameters do not count.
#[must_use]
pub fn takes_type(rule: &str, kind: &str) -> bool {
    let essence = kind.split(';').next().unwrap_or_default().trim();
    let (main, sub) = essence.split_once('/').unwrap_or((essence, ""));
    let (rule_main, rule_sub) = rule.split_once('/').unwrap_or((rule, ""));
    main.eq_ignore_ascii_case(rule_main) && !sub.is_empty() && (rule_sub == "*" || sub.eq_ignore_ascii_case(rule_sub))
}

/// Whether a text is such a rule.
#[must_use]
pub fn is_type_rule(rule: &str) -> bool {
    let plain = |text: &str| {
        let known = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"!#$&-^_.+".contains(&byte);
        !text.is_empty() && text.bytes().all(known)
    };
    rule.split_once('/').is_some_and(|(main, sub)| plain(main) && (sub == "*" || plain(sub)))
}

impl Upload {
    /// The name of the file's part in a form.
    #[must_use]
    pub fn part_name(&self) -> &str {
        if self.part.is_empty() { "file" } else { &self.part }
    }
}

impl Raw {
    /// The most bytes of a body.
    #[must_use]
    pub fn most(&self) -> i64 {
        if self.max_bytes == 0 { 1 << 20 } else { self.max_bytes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_compared_without_case_and_parameters() {
        assert!(takes_type("text/csv", "Text/CSV; charset=utf-8"));
        assert!(takes_type("image/*", "image/png"));
        for other in ["text/plain", "text", "text/", "", "csv"] {
            assert!(!takes_type("text/csv", other) && !takes_type("text/*", "image/png"), "{other}");
        }
        assert!(!takes_type("image/*", "image/"));
        assert!(is_type_rule("application/vnd.ms-excel") && is_type_rule("image/*"));
        assert!(!is_type_rule("text") && !is_type_rule("*/*") && !is_type_rule("text/csv; charset=utf-8"));
    }
}
