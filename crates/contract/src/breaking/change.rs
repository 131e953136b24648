//! One change of the contract.

use std::fmt;

/// A change that readers of the old contract have to know.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Breaking {
    /// The full name of the call, the aggregate or the field.
    pub place: String,
    /// The difference.
    pub change: String,
}

impl fmt::Display for Breaking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.change)
    }
}
