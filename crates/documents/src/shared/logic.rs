//! The logic of questionnaires: which items are shown with which answers, and what is not right yet. It is pure: it knows
//! neither a kernel nor a clock. `web/packages/rules/src/questionnaire.ts` has the same logic; a test of each compares
//! both on 10,000 random questionnaires.

mod evaluate;
mod index;
mod live;
#[cfg(test)]
mod random;

pub(crate) use evaluate::{Evaluation, Place, evaluate, is_answered};
pub(crate) use index::ContentIndex;
pub(crate) use live::find_faults;
