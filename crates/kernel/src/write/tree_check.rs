//! Entities that lie one below the other: none is below itself, and none loses the one above it.

use futures::future::BoxFuture;

use crate::call::Call;
use crate::entity::aggregate::Aggregate;
use crate::error::{Common, Error, Result};
use crate::port::conditions::{Condition, GroupState};
use crate::port::store::{Filter, Write};
use crate::read;
use crate::write::checks::{Check, Run};

/// The check of an entity that is put below another one. `before` is its stored state.
pub(crate) fn check_put<A: Aggregate>(before: Option<&A>, after: &A) -> Option<Check<Call>> {
    let place = after.place()?;
    let was = before.and_then(Aggregate::place).map_or("", |place| place.above);
    (!place.above.is_empty() && place.above != was).then(|| Check::new(Put(after.clone())))
}

/// The check of an entity that is removed.
pub(crate) fn check_removed<A: Aggregate>(entity: &A) -> Option<Check<Call>> {
    entity.place().map(|_| Check::new(Removed(entity.clone())))
}

/// An entity with another one above it than before.
struct Put<A>(A);

impl<A: Aggregate> Run<Call> for Put<A> {
    fn run<'c>(&'c self, call: &'c Call, writes: &'c [Write]) -> BoxFuture<'c, Result<Vec<Condition>>> {
        Box::pin(climb(call, writes, &self.0))
    }
}

/// An entity that is removed.
struct Removed<A>(A);

impl<A: Aggregate> Run<Call> for Removed<A> {
    fn run<'c>(&'c self, call: &'c Call, writes: &'c [Write]) -> BoxFuture<'c, Result<Vec<Condition>>> {
        Box::pin(look_below(call, writes, &self.0))
    }
}

/// Reads the entities above, up to the top. The result holds while they keep their versions.
async fn climb<A: Aggregate>(call: &Call, writes: &[Write], entity: &A) -> Result<Vec<Condition>> {
    let Some(place) = entity.place() else { return Ok(Vec::new()) };
    let (field, id) = (place.field, entity.head().id);
    let (mut above, mut height) = (place.above.to_owned(), 1);
    let mut conditions = Vec::new();
    while !above.is_empty() {
        height += 1;
        if above == id {
            let message = format!("{field}: leads back to this {}", A::TABLE.noun);
            return Err(Error::new(Common::CircularReference, message).violation(field, "leads back to this one"));
        }
        if height > place.depth {
            let message = format!("at most {} of them are one below the other", place.depth);
            return Err(Error::field(field, message));
        }
        let next: Option<A> = match written::<A>(writes, &above) {
            Some(write) if write.removed => None,
            Some(write) => Some(call.kernel().documents().read(&write.row)?),
            None => read_above(call, &above, &mut conditions).await?,
        };
        // Only the entity right above is named by the caller. The others were checked when they were put there.
        let Some(next) = next else {
            return if height > 2 {
                Ok(conditions)
            } else {
                Err(Error::field(field, format!("names no {}", A::TABLE.noun)))
            };
        };
        above = next.place().map_or_else(String::new, |place| place.above.to_owned());
    }
    Ok(conditions)
}

/// The commit's own write of an entity.
fn written<'w, A: Aggregate>(writes: &'w [Write], id: &str) -> Option<&'w Write> {
    writes.iter().find(|write| write.table.name == A::TABLE.name && write.row.id == id)
}

/// Reads an entity, and adds the condition that it stays as it is.
async fn read_above<A: Aggregate>(call: &Call, id: &str, conditions: &mut Vec<Condition>) -> Result<Option<A>> {
    let row = call.kernel().store().get(A::TABLE, id).await?;
    let version = row.as_ref().map(|row| row.version);
    conditions.push(Condition::Version { table: A::TABLE, id: id.to_owned(), version });
    row.map(|row| call.kernel().documents().read(&row)).transpose()
}

/// Refuses a removal that would leave entities below without the one above. The result holds while none comes.
async fn look_below<A: Aggregate>(call: &Call, writes: &[Write], entity: &A) -> Result<Vec<Condition>> {
    let Some(place) = entity.place() else { return Ok(Vec::new()) };
    let lookup = read::lookup::<A>(place.field)?;
    let id = entity.head().id;
    // The commit itself may move one away or remove it, besides one that stays.
    let limit = u32::try_from(writes.len()).unwrap_or(u32::MAX).saturating_add(1);
    let filter = Filter { limit, lookups: vec![(lookup, id.to_owned())], ..Filter::default() };
    let rows = call.kernel().store().list(A::TABLE, &filter).await?;
    if let Some(row) = rows.iter().find(|row| written::<A>(writes, &row.id).is_none()) {
        let message = format!("the {} {} is below this one", A::TABLE.noun, row.id);
        return Err(Error::new(Common::HasEntitiesBelow, message).with("id", row.id.clone()));
    }
    let mut state = GroupState::default();
    rows.iter().for_each(|row| state.add(row));
    Ok(vec![Condition::Group { table: A::TABLE, lookup: Some(lookup), value: id.to_owned(), state }])
}
