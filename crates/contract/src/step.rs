//! The transitions between statuses that calls make.

use crate::options::v1 as options;

/// One transition of an entity that a call makes. A creation has no status before, and a removal none afterwards.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Step {
    /// Full name of the aggregate.
    pub aggregate: String,
    /// The status before; `None` for a new entity.
    pub from: Option<String>,
    /// The status afterwards; `None` for a removal.
    pub to: Option<String>,
}

impl Step {
    /// Each status of `from` to each other one of `to`.
    pub(crate) fn of(aggregate: &str, transition: &options::Transition) -> Vec<Self> {
        let side = |side: &[String]| -> Vec<Option<String>> {
            if side.is_empty() { vec![None] } else { side.iter().cloned().map(Some).collect() }
        };
        let to = side(&transition.to);
        let pairs =
            side(&transition.from).into_iter().flat_map(|from| to.iter().map(move |to| (from.clone(), to.clone())));
        pairs
            .filter(|(from, to)| from != to)
            .map(|(from, to)| Self { aggregate: aggregate.to_owned(), from, to })
            .collect()
    }
}
