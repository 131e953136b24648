//! Entities that are checked against their siblings: those with the same value of a lookup.

use futures::future::BoxFuture;
use pavise_contract::table::Lookup;

use crate::call::Call;
use crate::entity::aggregate::Aggregate;
use crate::error::Result;
use crate::port::conditions::{Condition, GroupState, OWNER};
use crate::port::store::{Filter, StoredRow, Write, fold_value};
use crate::read;
use crate::write::checks::{Check, Run};

/// Siblings that are read at once.
const PAGE: u32 = 500;

/// An entity as it is to be stored.
struct Written<A>(A);

impl<A: Aggregate> Run<Call> for Written<A> {
    fn run<'c>(&'c self, call: &'c Call, writes: &'c [Write]) -> BoxFuture<'c, Result<Vec<Condition>>> {
        Box::pin(async move { Ok(check(call, writes, &self.0).await?.into_iter().collect()) })
    }
}

/// The check of an entity that has siblings.
pub(crate) fn check_of<A: Aggregate>(entity: &A) -> Option<Check<Call>> {
    let (_, value) = entity.siblings()?;
    (!value.is_empty() && entity.concerns_siblings()).then(|| Check::new(Written(entity.clone())))
}

async fn check<A: Aggregate>(call: &Call, writes: &[Write], entity: &A) -> Result<Option<Condition>> {
    let Some((name, value)) = entity.siblings() else { return Ok(None) };
    let lookup = if name == OWNER { None } else { Some(read::lookup::<A>(name)?) };
    let fold = |value: &str| lookup.map_or_else(|| value.to_owned(), |lookup| fold_value(lookup, value).into_owned());
    let value = fold(value);
    let (rows, condition) = read_group::<A>(call, lookup, value.clone()).await?;
    let written = |id: &str| writes.iter().any(|write| write.table.name == A::TABLE.name && write.row.id == id);
    let documents = call.kernel().documents();
    let stored = rows.iter().filter(|row| !written(&row.id)).map(|row| documents.read::<A>(row));
    let mut others = stored.collect::<Result<Vec<A>>>()?;
    // The commit's other writes count as they will be stored.
    for write in writes.iter().filter(|write| write.table.name == A::TABLE.name && !write.removed) {
        let other: A = documents.read(&write.row)?;
        let same = other.siblings().is_some_and(|(_, its)| fold(its) == value);
        if same && write.row.id != entity.head().id {
            others.push(other);
        }
    }
    entity.check_siblings(&others)?;
    Ok(Some(condition))
}

/// All rows of a group, newest first, and the condition that the group is still the same at a commit.
pub(crate) async fn read_group<A: Aggregate>(
    call: &Call,
    lookup: Option<&'static Lookup>,
    value: String,
) -> Result<(Vec<StoredRow>, Condition)> {
    let mut rows: Vec<StoredRow> = Vec::new();
    let mut filter = Filter { limit: PAGE, ..Filter::default() };
    match lookup {
        Some(lookup) => filter.lookups.push((lookup, value.clone())),
        None => filter.owner = Some(value.clone()),
    }
    loop {
        filter.before = rows.last().map(|row| row.id.clone());
        let page = call.kernel().store().list(A::TABLE, &filter).await?;
        let more = u32::try_from(page.len()).is_ok_and(|count| count >= PAGE);
        rows.extend(page);
        if !more {
            break;
        }
    }
    let mut state = GroupState::default();
    rows.iter().for_each(|row| state.add(row));
    Ok((rows, Condition::Group { table: A::TABLE, lookup, value, state }))
}
