//! Entities for which a day or an instant has come: the question of a worker.

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

/// An entity that is due.
#[derive(Debug, Clone)]
struct Due {
    /// The day or the instant, as text that sorts.
    at: String,
    /// The entity's id.
    id: String,
}

impl Work {
    /// Makes a call for each entity whose day or instant in that lookup has come, the earliest first. A call that fails
    /// does not stop the others.
    ///
    /// # Errors
    /// The last call's that failed; when the database does not answer, or the lookup has neither days nor instants.
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
            for Due { id, .. } in page {
                if let Err(status) = call(id).await {
                    failure = Some(Error::from(status));
                }
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
            let range = Range {
                lookup: Some(lookup),
                prefix: String::new(),
                after,
                filter: Filter::default(),
                limit: PAGE,
                skips: false,
            };
            let found = self.kernel().store().range(A::TABLE, &range).await?;
            let due = found.into_iter().map(|one| Due { at: one.value, id: one.id });
            return Ok(due.take_while(|due| due.at <= until).collect());
        }
        let sort_range = StoredRange { lookup, from: String::new(), until, descending: false, after };
        let filter = Filter { sort_range: Some(sort_range), limit: PAGE, ..Filter::default() };
        let rows = self.kernel().store().list(A::TABLE, &filter).await?;
        let due = rows.iter().map(|row| {
            let entity: A = self.kernel().documents().read(row)?;
            Ok(Due { at: range::value(&entity, name), id: row.id.clone() })
        });
        due.collect()
    }
}
