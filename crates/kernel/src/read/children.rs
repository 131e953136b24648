//! Children: entities that are reached through their parent, such as the notes of an order.
//!
//! A call about a child names the parent, and admits it before anything else: the caller may read the parent by the call
//! that answers it alone, and the parent fits the owner and the scopes that the request names. From then on the call sees
//! the children of that parent and no others. Children have no owner of their own, so that the parent's present owner
//! decides.

use std::sync::PoisonError;

use pavise_contract::table::Method;

use crate::call::Call;
use crate::entity::aggregate::Aggregate;
use crate::entity::parent::{Found, Parent};
use crate::error::Result;
use crate::port::store::Filter;
use crate::read;
use crate::read::titles::may_read;

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
}

async fn find<P: Aggregate>(call: &Call, parent: &Parent, id: &str) -> Result<Option<Found>> {
    let Some(entity) = call.find_unscoped::<P>(id).await? else { return Ok(None) };
    let in_status = parent.statuses.is_empty() || parent.statuses.contains(&entity.head().status);
    let readable = in_status && may_read(parent.get, call.caller(), &entity) && call.can_see(&entity);
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
