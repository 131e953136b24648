//! Erases one person's data in portions.

use pavise_contract::options::v1::erasure::Decision;
use serde_json::Value;

use super::ERASED_ANSWER;
use super::portion::{Candidate, PersonPlace, Scan};
use super::walk::Slot;
use crate::error::Result;
use crate::port::store::{PersonTraces, RowRewrite, Store, StoredRow};
use crate::port::table_entry::TableEntry;
use crate::sealed::sealer::{FieldSealer, parse};

/// Entries that are written at once.
const PAGE: usize = 200;
/// The text in the place of the cause of a failed entry.
const ERASED_CAUSE: &str = "erased with a person's data; another try tells the cause anew";

/// The counts of an erasure in a journal.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ErasureCounts {
    /// The entities.
    pub entities: u64,
    /// The journal entries.
    pub entries: u64,
    /// The kept answers.
    pub answers: u64,
    /// The causes of failed entries.
    pub failed_entries: u64,
}

/// A part of an erasure.
#[derive(Debug)]
pub struct RedactPart {
    /// The journal.
    pub journal: &'static str,
    /// The counts of the part.
    pub redacted: ErasureCounts,
    /// The ids of entities with something of the person that must stay as they are for now.
    pub held: Vec<String>,
    /// Where the next part begins; `None` at the end.
    pub next: Option<PersonPlace>,
}

/// The row of an entity without the person.
enum RedactedRow {
    /// The entity has no row, or one of another entry.
    Missing,
    /// It has nothing of the person.
    Same,
    Changed(RowRewrite),
}

impl ErasureCounts {
    /// Whether there was nothing to erase.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

impl FieldSealer {
    /// Erases a part of what a domain's tables have of a person. `store` is the engine's own. With `preview` it writes
    /// nothing, and counts entities and entries only. An entity on legal hold stays as it is.
    ///
    /// # Errors
    /// When the database does not answer, or a master key is missing.
    pub async fn redact_person(
        &self,
        store: &dyn Store,
        tables: &[&'static TableEntry],
        person: &str,
        place: &PersonPlace,
        preview: bool,
    ) -> Result<RedactPart> {
        let mut scan = Scan::new(self, store, tables, person);
        let portion = scan.portion(place).await?;
        let (mut redacted, mut held) = (ErasureCounts::default(), Vec::new());
        let mut traces = PersonTraces {
            journal: portion.journal.to_owned(),
            person: if portion.ends_journal { person.to_owned() } else { String::new() },
            answer: ERASED_ANSWER.to_vec(),
            cause: ERASED_CAUSE.to_owned(),
            ..PersonTraces::default()
        };
        for candidate in &portion.candidates {
            let entries = scan.redact_entity(candidate, preview, &mut traces, &mut held).await?;
            redacted.entries += entries;
            redacted.entities += u64::from(entries > 0);
        }
        if !preview && (portion.ends_journal || !traces.clocks.is_empty()) {
            let erased = store.erase_traces(&traces).await?;
            (redacted.answers, redacted.failed_entries) = (erased.answers, erased.causes);
        }
        Ok(RedactPart { journal: portion.journal, redacted, held, next: portion.next })
    }
}

impl Scan<'_> {
    /// Erases the person in all entries of an entity, and in its row. Answers the number of changed entries.
    ///
    /// A hold that is set meanwhile is obeyed, too: the row is written only if it has the version that was read.
    async fn redact_entity(
        &mut self,
        candidate: &Candidate,
        preview: bool,
        traces: &mut PersonTraces,
        held: &mut Vec<String>,
    ) -> Result<u64> {
        let history = self.history(candidate).await?;
        let table = candidate.entry.table;
        let (mut changed, mut clocks) = (Vec::new(), Vec::new());
        for (entry, is_own) in history.entries.iter().zip(&history.own) {
            let redacted = self.redact_doc(candidate, &entry.doc, *is_own);
            if redacted.is_some() || *is_own {
                clocks.push(entry.clock);
            }
            changed.extend(redacted.map(|doc| (entry.clock, doc)));
        }
        let is_theirs = history.own.contains(&true) || !changed.is_empty();
        let last = history.entries.last().map(|entry| entry.clock).zip(history.own.last().copied());
        let mut row = None;
        if let Some((clock, is_own)) = last {
            let redacted = self.redact_row(candidate, clock, is_own).await?;
            if !matches!(redacted, RedactedRow::Missing) {
                // The last entry is the state.
                changed.retain(|(other, _)| *other != clock);
            }
            if let RedactedRow::Changed(rewrite) = redacted {
                changed.push((clock, rewrite.doc.clone()));
                row = Some(rewrite);
            }
        }
        if !preview && !changed.is_empty() && self.is_held(candidate).await? {
            held.push(candidate.id.clone());
            return Ok(0);
        }
        traces.clocks.extend(clocks);
        if is_theirs {
            traces.entities.push(candidate.id.clone());
        }
        let count = u64::try_from(changed.len()).unwrap_or(u64::MAX);
        if preview || changed.is_empty() {
            return Ok(count);
        }
        let rows: Vec<RowRewrite> = row.into_iter().collect();
        let pages = changed.chunks(PAGE).count();
        for (at, page) in changed.chunks(PAGE).enumerate() {
            // The row goes with its entry, which is in the last page.
            let rows = if at + 1 == pages { rows.as_slice() } else { &[] };
            self.store.rewrite(table.journal, rows, page).await?;
        }
        Ok(count)
    }

    /// Whether the entity is the person's and must stay as it is. What others have of it keeps nobody from being erased.
    async fn is_held(&self, candidate: &Candidate) -> Result<bool> {
        let table = candidate.entry.table;
        let plan = self.sealer.personal().of_table(table.name);
        let Some(key) = plan.and_then(|plan| plan.held.as_ref()) else { return Ok(false) };
        let row = self.store.get(table, &candidate.id).await?.filter(|row| row.owner_id == self.person);
        let doc = row.and_then(|row| parse(&row.doc).ok());
        Ok(doc.is_some_and(|doc| doc.get(key) == Some(&Value::Bool(true))))
    }

    /// The row with that clock as it is stored without the person.
    async fn redact_row(&self, candidate: &Candidate, clock: i64, is_own: bool) -> Result<RedactedRow> {
        let table = candidate.entry.table;
        let row = self.store.get(table, &candidate.id).await?.filter(|row| row.clock == clock);
        let Some(row) = row else { return Ok(RedactedRow::Missing) };
        let stored = row.doc.clone();
        let redacted = self.redact_doc(candidate, &stored, is_own);
        let is_changed = redacted.is_some();
        let row = StoredRow { doc: redacted.unwrap_or_else(|| stored.clone()), ..row };
        let (id, version, doc) = (row.id.clone(), row.version, row.doc.clone());
        // Lookups and hidden words are made of what is left.
        let encoded = self.sealer.encode_rows(self.store, candidate.entry, vec![row]).await?.pop();
        let encoded = encoded.map(|(_, rewrite)| rewrite);
        let rewrite = encoded.or_else(|| is_changed.then_some(RowRewrite { table, id, version, doc, lookups: None }));
        // Words of what stays, such as those of a city, are taken out and made anew.
        let is_same = |rewrite: &RowRewrite| parse(&rewrite.doc).ok() == parse(&stored).ok();
        let rewrite = rewrite.filter(|rewrite| !(is_changed && is_same(rewrite)));
        Ok(rewrite.map_or(RedactedRow::Same, RedactedRow::Changed))
    }

    /// The document without the person; `None` if there is nothing to change.
    fn redact_doc(&self, candidate: &Candidate, doc: &str, is_own: bool) -> Option<String> {
        // Readers report a document that cannot be read; it stays as it is.
        let mut value = parse(doc).ok()?;
        let mut is_changed = false;
        let table = candidate.entry.table.name;
        self.sealer.personal().walk(
            table,
            &mut value,
            self.person,
            is_own,
            &mut |slot: Slot<'_>| match slot.decision {
                Decision::Keep(_) => true,
                Decision::Blank(_) => {
                    is_changed = true;
                    false
                }
                Decision::Value(text) => {
                    let text = Value::String(text.replace("{id}", &candidate.id));
                    let new = if slot.value.is_array() { Value::Array(vec![text]) } else { text };
                    is_changed |= *slot.value != new;
                    *slot.value = new;
                    true
                }
            },
        );
        is_changed.then(|| value.to_string())
    }
}
