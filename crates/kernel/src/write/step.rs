//! The writes of one commit, and a declared write before it.

use crate::call::Call;
use crate::port::conditions::Condition;
use crate::port::numbers::NumberRequest;
use crate::port::store::Write;
use crate::write::checks::Check;
use crate::write::name_request::NameRequest;

/// The writes of one commit.
#[derive(Debug)]
#[must_use = "nothing is written before commit or answer"]
pub struct Unit<'a> {
    pub(super) call: &'a Call,
    pub(super) writes: Vec<Write>,
    pub(super) numbers: Vec<NumberRequest>,
    pub(super) conditions: Vec<Condition>,
    pub(super) checks: Vec<Check<Call>>,
    pub(super) names: Vec<NameRequest>,
}

/// A declared write before its commit.
#[derive(Debug)]
pub struct Step<'c, A> {
    /// The writes that are committed before the entity itself.
    pub unit: Unit<'c>,
    /// The entity before the write; `None` for a creation.
    pub before: Option<A>,
    /// The entity after the write; `None` for a removal.
    pub after: Option<A>,
    /// The journal action: the call's, or another that it declares.
    pub action: &'static str,
}

impl<A> Step<'_, A> {
    /// Sets another journal action, if the call declares it.
    pub fn set_action(&mut self, action: &'static str) {
        if self.unit.declares(action) {
            self.action = action;
        }
    }
}
