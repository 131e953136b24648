//! The check of a new child: its parent is there.

use futures::future::BoxFuture;

use crate::call::Call;
use crate::entity::aggregate::Aggregate;
use crate::entity::parent::Parent;
use crate::error::Result;
use crate::port::conditions::Condition;
use crate::port::store::Write;
use crate::write::checks::{Check, Run};

/// A new child of a parent.
struct NewChild {
    parent: &'static Parent,
    id: String,
}

/// The check that the parent of a new child is there, and that the caller of a call about it may still read it.
pub(crate) fn check_new<A: Aggregate>(entity: &A) -> Option<Check<Call>> {
    let id = entity.parent_id().to_owned();
    A::PARENT.map(|parent| Check::new(NewChild { parent, id }))
}

impl Run<Call> for NewChild {
    fn run<'c>(&'c self, call: &'c Call, writes: &'c [Write]) -> BoxFuture<'c, Result<Vec<Condition>>> {
        Box::pin(self.check(call, writes))
    }
}

impl NewChild {
    /// Answers the condition that the parent stays as it is until the commit.
    async fn check(&self, call: &Call, writes: &[Write]) -> Result<Vec<Condition>> {
        let Self { parent, id } = self;
        let own = |write: &&Write| write.table.name == parent.table.name && write.row.id == *id;
        if let Some(write) = writes.iter().find(own) {
            return if write.removed { Err(parent.not_found(id)) } else { Ok(Vec::new()) };
        }
        let found = (parent.find)(call, parent, id).await?;
        let found = found.filter(|found| found.readable || !call.admits(parent, id));
        let found = found.ok_or_else(|| parent.not_found(id))?;
        Ok(vec![Condition::Version { table: parent.table, id: id.clone(), version: Some(found.version) }])
    }
}
