//! Watches the changes of one entity, of one owner's entities, or of the entities in one scope.
//!
//! A watch sends what the call's access rule lets the caller read, and nothing else of the journal. It is resumed by the
//! clock of the last entry that arrived: no entry is lost, and none comes twice.
//!
//! The entries of an entity come from an index. Those of an owner or a scope are found by reading each new entry of the
//! journal once, a bounded span at a time.

use futures::Stream;
use pavise_contract::common::v1::JournalEntry;
use pavise_contract::table::{Realm, ScopeKind};
use prost_types::Any;

use crate::call::Call;
use crate::entity::aggregate::Aggregate;
use crate::error::{Error, Result};
use crate::kernel::Kernel;
use crate::port::store::storable;
use crate::port::store::{Entry, JournalHead, JournalPart};
use crate::read::journal::epoch_changed;
use crate::read::lookup_of;
use crate::time::to_timestamp;

/// Entries read at once.
const PAGE: u32 = 200;
/// Clocks that one read for an owner or a scope covers.
const SPAN: i64 = 5_000;

/// The entries that a watch is narrowed to.
#[derive(Debug)]
enum Of {
    Entity(String),
    Part(JournalPart),
}

impl Call {
    /// Streams the changes of an entity that the caller may read: those after `clock`, or from its last change on
    /// without a clock. It ends with `NOT_FOUND` when the caller may no longer read the entity.
    ///
    /// # Errors
    /// As [`Call::get`].
    pub async fn watch_entity<A: Aggregate>(
        &self,
        id: &str,
        clock: i64,
        epoch: &str,
    ) -> Result<impl Stream<Item = Result<JournalEntry>> + Send + use<A>> {
        self.get::<A>(id).await?;
        let after = if clock == 0 { self.marked().clock.saturating_sub(1) } else { clock };
        Ok(entries::<A>(self.clone(), Of::Entity(id.to_owned()), after, epoch.to_owned()))
    }

    /// Streams the changes of the owner's entities: those after `clock`, or from now on without a clock.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn watch_owned<A: Aggregate>(
        &self,
        clock: i64,
        epoch: &str,
    ) -> Result<impl Stream<Item = Result<JournalEntry>> + Send + use<A>> {
        let after = if clock == 0 { self.kernel().store().head(A::TABLE.journal).await?.clock } else { clock };
        Ok(entries::<A>(self.clone(), Of::Part(JournalPart::Owner(self.owner().to_owned())), after, epoch.to_owned()))
    }

    /// Streams the changes of the entities in the scope of that kind that the request names, as far as the caller may see
    /// them: those after `clock`, or from now on without a clock.
    ///
    /// # Errors
    /// `INVALID_FIELD` when the request names no such scope, or when the database does not answer.
    pub async fn watch_scope<A: Aggregate>(
        &self,
        kind: ScopeKind,
        clock: i64,
        epoch: &str,
    ) -> Result<impl Stream<Item = Result<JournalEntry>> + Send + use<A>> {
        let parts = self.parts();
        let named = parts.named.iter().find(|(of, id)| *of == kind && storable(id));
        let (_, id) = named.ok_or_else(|| Error::field("scope", "must be named"))?;
        let lookup = lookup_of::<A>(kind)
            .ok_or_else(|| Error::internal(format!("{} has no scope of kind {kind:?}", A::TABLE.name)))?;
        let after = if clock == 0 { self.kernel().store().head(A::TABLE.journal).await?.clock } else { clock };
        let part = JournalPart::Value { table: A::TABLE, lookup, value: id.clone() };
        Ok(entries::<A>(self.clone(), Of::Part(part), after, epoch.to_owned()))
    }

    /// An entry as the caller may see it; `None` if the entity is not theirs to read.
    fn seen<A: Aggregate>(&self, entry: Entry) -> Result<Option<JournalEntry>> {
        let wire = self.kernel().documents().wire(A::TABLE.message, &entry.doc)?;
        let mut entity = A::decode(wire.as_slice()).map_err(Error::internal)?;
        if !self.can_see(&entity) {
            return Ok(None);
        }
        entity.redact();
        entity.hide(self.caller().realm);
        entity.mask(self.caller().mask_realm());
        // Only staff and programs read who worked on an entity.
        let is_staff = matches!(self.caller().realm, Realm::Internal | Realm::Machine);
        let only_staff = |text: String| if is_staff { text } else { String::new() };
        Ok(Some(JournalEntry {
            clock: entry.clock,
            action: entry.action,
            entity_id: entry.entity_id,
            owner_id: entry.owner_id,
            version: entry.version,
            at: Some(to_timestamp(entry.at)),
            actor: only_staff(entry.actor),
            subject: only_staff(entry.subject),
            request_id: only_staff(entry.request_id),
            removed: entry.removed,
            entity: Some(Any {
                type_url: format!("type.googleapis.com/{}", A::TABLE.message),
                value: entity.encode_to_vec(),
            }),
        }))
    }
}

fn entries<A: Aggregate>(
    call: Call,
    of: Of,
    mut after: i64,
    mut epoch: String,
) -> impl Stream<Item = Result<JournalEntry>> + Send + use<A> {
    async_stream::try_stream! {
        let kernel = call.kernel().clone();
        let mut committed = kernel.committer().visible_clock(A::TABLE.journal);
        let mut follower = kernel.heads().follow(kernel.store(), A::TABLE.journal, false);
        while !kernel.stop_token().is_cancelled() {
            committed.mark_unchanged();
            let (page, head, through) = of.page(&kernel, A::TABLE.journal, after).await?;
            if !epoch.is_empty() && epoch != head.epoch {
                let shared = kernel.store().shared_until(A::TABLE.journal, &epoch).await?;
                Err::<(), _>(epoch_changed(&head, shared))?;
            }
            epoch.clone_from(&head.epoch);
            for entry in page.into_iter().filter(|entry| entry.table == A::TABLE.name) {
                let id = entry.entity_id.clone();
                match (call.seen::<A>(entry)?, &of) {
                    (Some(entry), _) => yield entry,
                    (None, Of::Part(_)) => {}
                    (None, Of::Entity(_)) => Err::<(), _>(Error::not_found(A::TABLE.noun, &id))?,
                }
            }
            after = after.max(through);
            if through >= head.clock {
                tokio::select! {
                    _ = committed.changed() => {}
                    () = follower.moves_beyond(&head) => {}
                    () = kernel.stop_token().cancelled() => {}
                }
            }
        }
    }
}

impl Of {
    /// The next entries, the journal's head, and the clock up to which there are no others.
    async fn page(&self, kernel: &Kernel, journal: &'static str, after: i64) -> Result<(Vec<Entry>, JournalHead, i64)> {
        let store = kernel.store();
        let (entries, head, reach) = match self {
            Self::Entity(id) => {
                let (entries, head) = store.journal(journal, id, after, PAGE).await?;
                (entries, head, i64::MAX)
            }
            Self::Part(part) => {
                let reach = after.saturating_add(SPAN);
                let (entries, head) = store.journal_of(journal, part, after, reach, PAGE).await?;
                (entries, head, reach)
            }
        };
        let is_full = entries.len() >= usize::try_from(PAGE).unwrap_or(usize::MAX);
        let last = entries.last().map_or(after, |entry| entry.clock);
        let through = if is_full { last } else { head.clock.min(reach) };
        Ok((entries, head, through))
    }
}
