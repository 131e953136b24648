//! Children: entities that are reached through their parent, such as the notes of an order.
//!
//! A call about a child names the parent, and admits it before anything else: the caller may read the parent by the call
//! that answers it alone, and the parent fits the owner and the scopes that the request names. From then on the call sees
//! the children of that parent and no others. Children have no owner of their own, so that the parent's present owner
//! decides.

use std::sync::PoisonError;

use futures::future::BoxFuture;
use pavise_contract::table::{Method, Table};

use crate::call::Call;
use crate::entity::aggregate::Aggregate;
use crate::error::{Error, Result};
use crate::port::conditions::Condition;
use crate::port::store::{Filter, Write};
use crate::read;
use crate::read::titles::may_read;
use crate::write::checks::{Check, Run};

/// The parent of an aggregate whose contract says `parent`. Generated.
#[derive(Debug)]
pub struct Parent {
    /// The parent's table.
    table: &'static Table,
    /// The child's lookup with the parent's id.
    field: &'static str,
    /// The call that answers one parent, whose access rule decides.
    get: &'static Method,
    /// The statuses in which that call answers a parent; empty for all.
    statuses: &'static [&'static str],
    find: Find,
}

/// Finds a parent by its id.
type Find = for<'c> fn(&'c Call, &'c Parent, &'c str) -> BoxFuture<'c, Result<Option<Found>>>;

/// A parent as it is now.
struct Found {
    version: i64,
    owner: String,
    /// Whether the caller may read it.
    readable: bool,
}

/// The parent that a call has admitted: the name of its table, its id, and its owner.
pub(crate) type Admitted = (&'static str, String, String);

impl Parent {
    /// The parent of an aggregate, by the aggregate's lookup.
    #[must_use]
    pub const fn of<P: Aggregate>(
        field: &'static str,
        get: &'static Method,
        statuses: &'static [&'static str],
    ) -> Self {
        Self { table: P::TABLE, field, get, statuses, find: |call, parent, id| Box::pin(find::<P>(call, parent, id)) }
    }

    fn not_found(&self, id: &str) -> Error {
        Error::not_found(self.table.noun, &id.replace('\0', ""))
    }
}

async fn find<P: Aggregate>(call: &Call, parent: &Parent, id: &str) -> Result<Option<Found>> {
    let Some(entity) = call.find_unscoped::<P>(id).await? else { return Ok(None) };
    let in_status = parent.statuses.is_empty() || parent.statuses.contains(&entity.head().status);
    let readable = in_status && may_read(parent.get, call.caller(), &entity) && call.sees(&entity);
    Ok(Some(Found { version: entity.head().version, owner: entity.head().owner_id.to_owned(), readable }))
}

impl Call {
    /// Admits the parent of the children that the call is about. Generated code calls it before a call's own part.
    ///
    /// # Errors
    /// `NOT_FOUND` of the parent when it does not exist or the caller may not read it.
    pub async fn admit_parent<A: Aggregate>(&self, id: &str) -> Result<()> {
        let Some(parent) = A::PARENT else { return Ok(()) };
        match (parent.find)(self, parent, id).await? {
            Some(Found { readable: true, owner, .. }) => {
                let mut admitted = self.parts().parent.lock().unwrap_or_else(PoisonError::into_inner);
                *admitted = Some((parent.table.name, id.to_owned(), owner));
                Ok(())
            }
            _ => Err(parent.not_found(id)),
        }
    }

    /// The id of the parent that the call has admitted.
    fn admitted(&self, parent: &Parent) -> Option<String> {
        let admitted = self.parts().parent.lock().unwrap_or_else(PoisonError::into_inner);
        admitted.as_ref().filter(|(table, ..)| *table == parent.table.name).map(|(_, id, _)| id.clone())
    }

    /// The owner of the parent that the call has admitted; `None` without one.
    pub(crate) fn owner_of_parent(&self) -> Option<String> {
        let admitted = self.parts().parent.lock().unwrap_or_else(PoisonError::into_inner);
        admitted.as_ref().map(|(_, _, owner)| owner.clone()).filter(|owner| !owner.is_empty())
    }

    /// Whether the call has admitted that parent.
    pub(crate) fn admits(&self, parent: &Parent, id: &str) -> bool {
        self.admitted(parent).is_some_and(|admitted| admitted == id)
    }

    /// The filter for the children of the admitted parent; `None` without one.
    pub(crate) fn children_of<A: Aggregate>(&self, parent: &Parent) -> Result<Option<Filter>> {
        let Some(id) = self.admitted(parent) else { return Ok(None) };
        Ok(Some(Filter { lookups: vec![(read::lookup::<A>(parent.field)?, id)], ..Filter::default() }))
    }
}

/// A new child of a parent.
struct NewChild {
    parent: &'static Parent,
    id: String,
}

/// The check that the parent of a new child is there, and that the caller of a call about it may still read it.
pub(crate) fn check_new<A: Aggregate>(entity: &A) -> Option<Check> {
    let id = entity.parent_id().to_owned();
    A::PARENT.map(|parent| Check::new(NewChild { parent, id }))
}

impl Run for NewChild {
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
