//! Entities with a value of a lookup, for checks whose result the caller does not see.

use pavise_kernel::store::Filter;
use pavise_kernel::{Aggregate, Call, Error, Result};

/// The entities with that value of a lookup, newest first, without the ownership check. `filter` says what else they have,
/// and how many are read at most.
pub(crate) async fn find_by<A: Aggregate>(
    call: &Call,
    lookup: &str,
    value: &str,
    mut filter: Filter,
) -> Result<Vec<A>> {
    let found = A::TABLE.lookup(lookup);
    let found = found.ok_or_else(|| Error::internal(format!("{} has no lookup {lookup}", A::TABLE.name)))?;
    filter.lookups.push((found, value.to_owned()));
    let rows = call.kernel().store().list(A::TABLE, &filter).await?;
    let ids: Vec<String> = rows.into_iter().map(|row| row.id).collect();
    call.find_many(&ids).await
}
