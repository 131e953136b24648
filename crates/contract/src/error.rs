//! Errors of a contract.

/// An error of the contract.
#[derive(Debug, thiserror::Error)]
#[error("{place}: {problem}")]
pub struct ContractError {
    /// The full name of the place.
    pub place: String,
    /// The problem.
    pub problem: String,
}

impl ContractError {
    /// A problem at a place.
    pub fn new(place: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { place: place.into(), problem: problem.into() }
    }
}
