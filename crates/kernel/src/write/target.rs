//! A change whose request names the status afterwards.

use super::Change;
use crate::call::Call;
use crate::entity::aggregate::Aggregate;
use crate::error::{Common, Error, Result};

impl Call {
    /// A declared change to a status that the request names. An entity that has it already is answered unchanged.
    ///
    /// # Errors
    /// As [`Call::apply`]. `STATUS_NOT_ALLOWED` names the statuses that follow.
    pub async fn apply_target<A: Aggregate, S: prost::Message + Default>(
        &self,
        target: ToStatus,
        id: &str,
        answer: impl Fn(&A) -> S + Send,
        edit: impl FnMut(&mut A) -> Result<()> + Send,
    ) -> Result<S> {
        let action = self.method().action;
        Change { call: self, action, declared: true, again: false, target: Some(target) }.make(id, edit, answer).await
    }
}

/// The status that a request names, and the journal actions of the steps that lead there.
#[derive(Debug, Clone, Copy)]
pub struct ToStatus {
    /// The number of the status.
    pub status: i32,
    /// Statuses before and afterwards with their action, where it is another than the call's.
    pub actions: &'static [(&'static str, &'static str, &'static str)],
}

impl ToStatus {
    /// Whether the entity has the status already.
    pub(super) fn is_met<A: Aggregate>(self, entity: &A) -> bool {
        entity.head().status == A::status_spelling(self.status)
    }

    /// The journal action of the step from a status.
    pub(super) fn action<A: Aggregate>(self, call: &Call, from: &str) -> &'static str {
        let to = A::status_spelling(self.status);
        let step = self.actions.iter().find(|(before, after, _)| *before == from && *after == to);
        step.map_or(call.method().action, |(.., action)| action)
    }

    /// Checks that the call leads from the entity's status to this one.
    pub(super) fn check<A: Aggregate>(self, call: &Call, entity: &A) -> Result<()> {
        let (method, from, to) = (call.method(), entity.head().status, A::status_spelling(self.status));
        if method.leads(from, to) {
            return Ok(());
        }
        let next: Vec<&str> = method.to.iter().copied().filter(|next| method.leads(from, next)).collect();
        let (noun, next) = (A::TABLE.noun, next.join(", "));
        let message = format!("{} does not lead to {to} while the {noun} is {from}, but to {next}", method.rpc);
        let description = format!("it allows {}", call.kernel().legal(A::TABLE, from).join(", "));
        let error = Error::new(Common::StatusNotAllowed, message).with("status", from).with("to", to);
        Err(error.precondition("STATUS", format!("{}/{}", A::TABLE.name, entity.head().id), description))
    }
}
