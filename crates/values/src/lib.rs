//! The values that several domains have: their rules, beyond what `buf.validate` can say, and their normal forms.
//!
//! A text has a [`Format`], and a message of `pavise.common.v1` with `value_type.checked` is a [`Value`]. The generator
//! writes the code that finds both in the messages of a domain, wherever they stand; the kernel runs it on every request
//! and at every write of an entity. Tables of facts stand beside the code that reads them, each with its source.
//!
//! No reason for a refusal repeats the value: most of these are personal data.

mod address;
pub mod check_digit;
mod digits;
pub mod email;
mod format;
mod hours;
pub mod industry;
pub mod language;
mod name;
pub mod national;
mod person;
pub mod phone;
pub mod postal;
pub mod regions;
pub mod zone;

pub use format::{check_keys, check_text, check_texts, normalize_text, to_normal_form};
pub use hours::to_week;
pub use pavise_calendar as calendar;
pub use pavise_contract::common;
pub use pavise_contract::options::v1::Format;

/// Something wrong with a value, and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueError {
    /// The path in the message: `order.address.postal_code`.
    pub path: String,
    /// The reason, for the caller: "is no telephone number".
    pub why: String,
    /// A fact that helps the caller to mend it, by its name.
    pub fact: Option<(&'static str, String)>,
}

impl ValueError {
    /// Something wrong at a path.
    #[must_use]
    pub fn new(path: impl Into<String>, why: impl Into<String>) -> Self {
        Self { path: path.into(), why: why.into(), fact: None }
    }
}

/// A shared message with rules and a normal form of its own.
pub trait Value {
    /// Adds what is wrong with it. `path` leads to the message, with a dot at its end.
    fn find_value_errors(&self, path: &str, found: &mut Vec<ValueError>);

    /// Brings it into its normal form. What is wrong stays as it is.
    fn normalize(&mut self);
}
