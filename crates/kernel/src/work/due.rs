//! Entities for which a day or an instant has come: the question of a worker.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use futures::StreamExt as _;
use pavise_contract::table::SortKind;
use tonic::Status;

use crate::entity::aggregate::Aggregate;
use crate::error::{Error, Result};
use crate::port::store::{Filter, Range, StoredRange, StoredRow};
use crate::read::lookup;
use crate::read::range::{self, SortKey as _};
use crate::time;
use crate::work::worker::Work;

/// Entities that are read at once.
const PAGE: u32 = 200;
/// Calls that are made at once.
const AT_ONCE: usize = 16;

/// An entity that is due.
#[derive(Debug, Clone)]
struct Due {
    /// The day or the instant, as text that sorts.
    at: String,
    /// The entity's id.
    id: String,
    /// Its owner; empty where it has none, and where the lookup has several values.
    owner: String,
}

impl Work {
    /// Makes a call for each entity whose day or instant in that lookup has come, the earliest first. Calls for several
    /// owners are made at once; those for the entities of one owner follow each other, unless the lookup has several
    /// values. A call that fails does not stop the others.
    ///
    /// # Errors
    /// That of a call which failed; when the database does not answer, or the lookup has neither days nor instants.
    pub async fn call_for_due<A, R, F, Answer>(&self, name: &str, mut call: F) -> Result<()>
    where
        A: Aggregate,
        F: FnMut(String) -> Answer + Send,
        Answer: Future<Output = Result<R, Status>> + Send,
    {
        let (mut failure, mut after) = (None, None);
        loop {
            let page = self.due::<A>(name, after.as_ref()).await?;
            let Some(last) = page.last().cloned() else { return failure.map_or(Ok(()), Err) };
            let mut answers = futures::stream::iter(split_by_owner(page))
                .map(|ids| make_in_order(ids.into_iter().map(&mut call).collect()))
                .buffer_unordered(AT_ONCE);
            while let Some(failed) = answers.next().await {
                failure = failed.map(Error::from).or(failure);
            }
            after = Some(last);
        }
    }

    /// The entity of a row that was read from the store.
    ///
    /// # Errors
    /// When the document cannot be read.
    pub fn read_row<A: Aggregate>(&self, row: &StoredRow) -> Result<A> {
        self.kernel().documents().read(row)
    }

    /// A page of the entities whose value of a sortable lookup lies in a range, in the order of the values; those after
    /// the value and the id `after`. An empty page is the end. No access rule is asked.
    ///
    /// # Errors
    /// When the database does not answer, or the lookup is not sortable.
    pub async fn entities_in_range<A: Aggregate>(
        &self,
        name: &str,
        (from, until): (&str, &str),
        after: Option<(String, String)>,
    ) -> Result<Vec<A>> {
        let lookup = lookup::<A>(name)?;
        let sort_range =
            StoredRange { lookup, from: from.to_owned(), until: until.to_owned(), descending: false, after };
        let filter = Filter { sort_range: Some(sort_range), limit: PAGE, ..Filter::default() };
        let rows = self.kernel().store().list(A::TABLE, &filter).await?;
        rows.iter().map(|row| self.kernel().documents().read(row)).collect()
    }

    /// A page of the entities whose day or instant in that lookup has come, the earliest first; those after `after`.
    /// An empty page is the end.
    async fn due<A: Aggregate>(&self, name: &str, after: Option<&Due>) -> Result<Vec<Due>> {
        let lookup = lookup::<A>(name)?;
        let until = match lookup.sortable {
            Some(SortKind::Day) => time::to_date(self.now()).key(),
            Some(SortKind::Instant) => time::to_timestamp(self.now()).key(),
            _ => return Err(Error::internal(format!("{name} of {} is neither a day nor an instant", A::TABLE.name))),
        };
        let after = after.map(|due| (due.at.clone(), due.id.clone()));
        if lookup.many {
            let range = Range { lookup: Some(lookup), after, limit: PAGE, ..Range::default() };
            let found = self.kernel().store().range(A::TABLE, &range).await?;
            let due = found.matches.into_iter().map(|one| Due { at: one.value, id: one.id, owner: String::new() });
            return Ok(due.take_while(|due| due.at <= until).collect());
        }
        let sort_range = StoredRange { lookup, from: String::new(), until, descending: false, after };
        let filter = Filter { sort_range: Some(sort_range), limit: PAGE, ..Filter::default() };
        let rows = self.kernel().store().list(A::TABLE, &filter).await?;
        let due = rows.iter().map(|row| {
            let entity: A = self.kernel().documents().read(row)?;
            let owner = entity.head().owner_id.to_owned();
            Ok(Due { at: range::value(&entity, name), id: row.id.clone(), owner })
        });
        due.collect()
    }
}

/// The ids of each owner's entities, in their order. One without an owner stands alone.
fn split_by_owner(page: Vec<Due>) -> Vec<Vec<String>> {
    let mut lines: Vec<Vec<String>> = Vec::with_capacity(page.len());
    let mut places: HashMap<String, usize> = HashMap::new();
    for Due { id, owner, .. } in page {
        let owner = if owner.is_empty() { id.clone() } else { owner };
        match places.entry(owner) {
            Entry::Occupied(place) => {
                if let Some(line) = lines.get_mut(*place.get()) {
                    line.push(id);
                }
            }
            Entry::Vacant(place) => {
                place.insert(lines.len());
                lines.push(vec![id]);
            }
        }
    }
    lines
}

/// Makes calls one after the other. Answers the failure of the last one that failed.
async fn make_in_order<R>(calls: Vec<impl Future<Output = Result<R, Status>> + Send>) -> Option<Status> {
    let mut failure = None;
    for call in calls {
        failure = call.await.err().or(failure);
    }
    failure
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_entities_of_an_owner_stay_in_order() {
        let due = |id: &str, owner: &str| Due { at: String::new(), id: id.into(), owner: owner.into() };
        let page = vec![due("1", "ada"), due("2", "ben"), due("3", "ada"), due("4", ""), due("5", ""), due("4", "")];
        assert_eq!(split_by_owner(page), [vec!["1", "3"], vec!["2"], vec!["4", "4"], vec!["5"]]);
    }

    #[tokio::test]
    async fn a_call_that_fails_does_not_stop_the_next() {
        let calls = [Err(Status::aborted("first")), Ok(()), Err(Status::aborted("last")), Ok(())];
        let failed = make_in_order(calls.map(|answer| async { answer }).into()).await;
        assert_eq!(failed.map(|status| status.message().to_owned()).as_deref(), Some("last"));
    }
}
