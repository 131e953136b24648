//! Reads of several entities at once, and counts.

use std::collections::HashMap;

use crate::call::Call;
use crate::entity::aggregate::Aggregate;
use crate::error::{Error, Result};
use crate::port::store::fold_value;
use crate::port::store::storable;
use crate::read::lookup;
use crate::read::range::{ListRange, asked};
use crate::read::visibility::is_withheld_from;

/// The largest batch.
const MOST: usize = 500;

impl Call {
    /// The entities with these ids, or with these values of a unique lookup, in the order asked and each once; and the
    /// ids or values that were not found. An entity that the caller may not see, or that has none of the statuses, is
    /// not found. No statuses mean any.
    ///
    /// # Errors
    /// `INVALID_FIELD` for more than 500.
    pub async fn batch<A: Aggregate>(
        &self,
        asked: &[String],
        name: Option<&str>,
        statuses: &[&str],
    ) -> Result<(Vec<A>, Vec<String>)> {
        if asked.len() > MOST {
            return Err(Error::field(name.unwrap_or("ids"), format!("at most {MOST} at once")));
        }
        let mut found = match name {
            None => self.by_id::<A>(asked).await?,
            Some(name) => self.by_value::<A>(name, asked).await?,
        };
        found.retain(|_, entity| {
            self.can_see_shown(entity) && (statuses.is_empty() || statuses.contains(&entity.head().status))
        });
        let withheld: Vec<A> =
            found.values().filter(|entity| is_withheld_from(self.caller(), *entity)).cloned().collect();
        let admitted = self.admitted_ids(&withheld).await?;
        found.retain(|_, entity| !is_withheld_from(self.caller(), entity) || admitted.contains(entity.head().id));
        let lookup = name.map(lookup::<A>).transpose()?;
        let (mut entities, mut missing, mut known) = (Vec::with_capacity(found.len()), Vec::new(), Vec::new());
        for value in asked {
            let key = lookup.map_or_else(|| value.clone(), |lookup| fold_value(lookup, value).into_owned());
            match found.remove(&key) {
                Some(entity) => {
                    entities.push(entity);
                    known.push(key);
                }
                None if known.contains(&key) || missing.contains(value) => {}
                None => missing.push(value.clone()),
            }
        }
        Ok((entities, missing))
    }

    /// The entities by id, whoever may see them.
    async fn by_id<A: Aggregate>(&self, ids: &[String]) -> Result<HashMap<String, A>> {
        let ids: Vec<String> = ids.iter().filter(|id| storable(id)).cloned().collect();
        let rows = self.kernel().store().get_many(A::TABLE, &ids).await?;
        rows.into_iter().map(|row| Ok((row.id.clone(), self.kernel().documents().read(&row)?))).collect()
    }

    /// The entities by a value of a unique lookup, whoever may see them.
    async fn by_value<A: Aggregate>(&self, name: &str, values: &[String]) -> Result<HashMap<String, A>> {
        let lookup = lookup::<A>(name)?;
        let values: Vec<String> =
            values.iter().filter(|value| storable(value)).map(|value| fold_value(lookup, value).into_owned()).collect();
        let rows = self.kernel().store().find_many(A::TABLE, lookup, &values).await?;
        rows.into_iter().map(|(value, row)| Ok((value, self.kernel().documents().read(&row)?))).collect()
    }

    /// The number of entities that a list holds, and whether there are more than `at_most`, which is then the number.
    ///
    /// # Errors
    /// As [`Call::page`].
    pub async fn count_entities<A: Aggregate>(
        &self,
        role: Option<&'static str>,
        sort_range: ListRange,
        filters: &[(&'static str, String)],
        at_most: u32,
    ) -> Result<(i32, bool)> {
        let Some(mut filter) = self.filter_of::<A>(role, filters)? else { return Ok((0, false)) };
        if !sort_range.from.is_empty() || !sort_range.until.is_empty() {
            filter.sort_range = Some(asked::<A>(&sort_range)?);
        }
        filter.limit = at_most.saturating_add(1);
        let count = self.kernel().store().count(A::TABLE, &filter).await?;
        Ok((i32::try_from(count.min(at_most)).unwrap_or(i32::MAX), count > at_most))
    }
}
