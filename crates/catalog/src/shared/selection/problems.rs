//! The problems of a choice.

use crate::contract::v1::{SelectionProblem, SelectionProblemKind};

/// Problems in the order found, each once.
#[derive(Debug, Default)]
pub(super) struct Problems(pub(super) Vec<SelectionProblem>);

impl Problems {
    /// Adds a problem.
    pub(super) fn add(&mut self, field: impl Into<String>, kind: SelectionProblemKind, description: impl Into<String>) {
        let problem = SelectionProblem { field: field.into(), kind: kind.into(), description: description.into() };
        if !self.0.contains(&problem) {
            self.0.push(problem);
        }
    }
}
