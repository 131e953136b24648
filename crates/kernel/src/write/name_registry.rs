//! Names that are unique across the aggregates of several services: a lookup with a `unique_across` in the contract.
//!
//! A registry has the names of all services. There is no transaction across services, so a name takes three steps:
//!
//! 1. Before a commit sets a new name, the name is reserved for the entity and for this write of it.
//! 2. The commit. If it writes nothing, the reservation is given back, or runs out.
//! 3. A worker of the entity's domain follows its journal. It confirms the name, and frees the one before.
//!
//! Each step can be repeated, and a late one undoes nothing. The registry knows the versions of the entity that a step is
//! about. A process may end between any two steps: then the worker, or the end of the reservation, does the rest.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use futures::future::BoxFuture;
use pavise_contract::common::v1::JournalEntry;
use pavise_contract::table::{Lookup, Table};

use crate::call::Call;
use crate::call::peers::PeerChannel;
use crate::entity::aggregate::Aggregate;
use crate::error::Result;
use crate::kernel::Kernel;
use crate::port::store::fold_value;
use crate::time::to_micros;
use crate::work::worker::{JournalFeed, Work, Worker, decode_entity};

pub use crate::write::name_request::{NameHolder, NameRequest};

impl NameHolder {
    /// The entity as it is stored, or is to be.
    fn of<A: Aggregate>(entity: &A) -> Self {
        let head = entity.head();
        Self {
            service: A::TABLE.journal,
            aggregate: A::TABLE.message.rsplit('.').next().unwrap_or_default(),
            id: head.id.to_owned(),
            created_at: head.created_at.map_or(0, to_micros),
            version: head.version,
        }
    }
}

/// The name registry, as a peer. Each of its steps can be repeated.
#[async_trait]
pub trait NameRegistryBackend: fmt::Debug + Send + Sync + 'static {
    /// The domain that keeps the names.
    fn domain(&self) -> &'static str;

    /// Reserves a name for a write.
    ///
    /// # Errors
    /// `NAME_TAKEN`, or the rule of the space that the name breaks, for the field `name`.
    async fn reserve(&self, peer: PeerChannel, wanted: &NameRequest) -> Result<()>;

    /// Refuses what [`NameRegistryBackend::reserve`] would refuse, and reserves nothing.
    ///
    /// # Errors
    /// As [`NameRegistryBackend::reserve`].
    async fn check(&self, peer: PeerChannel, wanted: &NameRequest) -> Result<()>;

    /// Gives back what a write reserved that wrote nothing.
    ///
    /// # Errors
    /// When the registry does not answer.
    async fn cancel(&self, peer: PeerChannel, wanted: &NameRequest) -> Result<()>;

    /// Confirms the name that an entity has, and frees its earlier ones; `false` if the reservation ran out.
    ///
    /// # Errors
    /// `NAME_TAKEN` when it ran out and another entity has the name.
    async fn hold(&self, peer: PeerChannel, space: &'static str, holder: &NameHolder, name: &str) -> Result<bool>;

    /// Frees the names of an entity that has none, or was deleted.
    ///
    /// # Errors
    /// When the registry does not answer.
    async fn release(&self, peer: PeerChannel, space: &'static str, holder: &NameHolder) -> Result<()>;
}

/// The registry that a domain with names provides ([`Kernel::provide`]).
#[derive(Debug, Clone)]
pub struct NameRegistry(Arc<dyn NameRegistryBackend>);

impl NameRegistry {
    /// The names of a registry.
    pub fn new(registry: impl NameRegistryBackend) -> Self {
        Self(Arc::new(registry))
    }

    fn of(kernel: &Kernel) -> Result<Arc<dyn NameRegistryBackend>> {
        Ok(kernel.find_provided::<Self>()?.0.clone())
    }
}

/// The names that `after` has and `before` does not.
pub(crate) fn wanted<A: Aggregate>(call: &Call, before: Option<&A>, after: &A) -> Vec<NameRequest> {
    let old = before.map(A::names).unwrap_or_default();
    let new = after.names().into_iter().filter(|name| !name.1.is_empty() && !old.contains(name));
    new.map(|(lookup, name)| NameRequest {
        space: lookup.space,
        name: fold_value(lookup, name).into_owned(),
        holder: NameHolder::of(after),
        claim: call.new_id(),
        field: lookup.name,
    })
    .collect()
}

/// The names that a commit reserved.
#[derive(Debug)]
pub(crate) struct Reserved(Vec<NameRequest>);

impl Reserved {
    /// Reserves names. A call that only validates asks whether it could.
    pub(crate) async fn of(call: &Call, wanted: Vec<NameRequest>) -> Result<Self> {
        let mut reserved = Self(Vec::new());
        if wanted.is_empty() {
            return Ok(reserved);
        }
        let registry = NameRegistry::of(call.kernel())?;
        for one in wanted {
            let peer = call.peer_channel(registry.domain());
            let answer = match call.validate_only() {
                true => registry.check(peer, &one).await,
                false => registry.reserve(peer, &one).await,
            };
            let field = one.field;
            if let Err(error) = answer {
                // The registry may have reserved it before its answer was lost.
                if error.is_transient() {
                    reserved.0.push(one);
                }
                reserved.cancel(call).await;
                return Err(error.map_fields(|path| (path == "name").then(|| field.to_owned())));
            }
            reserved.0.push(one);
        }
        Ok(reserved)
    }

    /// Gives the names back. What cannot be given back runs out.
    pub(crate) async fn cancel(self, call: &Call) {
        if call.validate_only() {
            return;
        }
        for one in self.0 {
            let cancelled = match NameRegistry::of(call.kernel()) {
                Ok(registry) => registry.cancel(call.peer_channel(registry.domain()), &one).await,
                Err(error) => Err(error),
            };
            if let Err(error) = cancelled {
                tracing::info!(space = one.space, cause = %error, "a name stays reserved until the reservation runs out");
            }
        }
    }
}

/// Reads the entity of an entry, if it is of one aggregate, and whether it is the last version.
type Read = for<'w> fn(&'w Work, &'w JournalEntry) -> BoxFuture<'w, Result<Option<ConfirmedNames>>>;

/// A journal of aggregates with names. Generated.
#[derive(Debug)]
pub struct NameFollower {
    /// The name of its worker.
    pub worker: &'static str,
    /// The journal.
    pub feed: JournalFeed,
    /// One function for each aggregate: [`named`].
    pub read: &'static [Read],
}

/// An entity whose names are to be confirmed or freed.
#[derive(Debug)]
pub struct ConfirmedNames {
    holder: NameHolder,
    /// Each space with the name, which is empty for none.
    names: Vec<(&'static str, String)>,
}

/// Reads the entity of an entry if it is an `A` of which no later entry follows.
pub fn follow_names<'w, A: Aggregate>(
    work: &'w Work,
    entry: &'w JournalEntry,
) -> BoxFuture<'w, Result<Option<ConfirmedNames>>> {
    Box::pin(async move {
        let Some(entity) = decode_entity::<A>(entry)? else { return Ok(None) };
        if !is_last(work, A::TABLE, &NameHolder::of(&entity), entry.removed).await? {
            return Ok(None);
        }
        let name = |(lookup, name): (&'static Lookup, &str)| {
            (lookup.space, if entry.removed { String::new() } else { fold_value(lookup, name).into_owned() })
        };
        Ok(Some(ConfirmedNames {
            holder: NameHolder::of(&entity),
            names: entity.names().into_iter().map(name).collect(),
        }))
    })
}

/// Whether the entity still has this version. If not, a later entry settles its names.
async fn is_last(work: &Work, table: &'static Table, holder: &NameHolder, removed: bool) -> Result<bool> {
    Ok(match work.kernel().store().get(table, &holder.id).await? {
        Some(row) => !removed && (row.created_at, row.version) == (holder.created_at, holder.version),
        None => removed,
    })
}

/// Confirms and frees names, by a journal of the entities that have them.
#[derive(Debug)]
pub struct NameWorker(&'static NameFollower);

impl NameWorker {
    /// The worker of a journal.
    #[must_use]
    pub fn new(named: &'static NameFollower) -> Self {
        Self(named)
    }
}

#[async_trait]
impl Worker for NameWorker {
    fn name(&self) -> &'static str {
        self.0.worker
    }

    fn feed(&self) -> JournalFeed {
        self.0.feed
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        for read in self.0.read {
            let Some(ConfirmedNames { holder, names }) = read(work, entry).await? else { continue };
            for (space, name) in names {
                register(work, space, &holder, name).await?;
            }
        }
        Ok(())
    }
}

async fn register(work: &Work, space: &'static str, holder: &NameHolder, name: String) -> Result<()> {
    let registry = NameRegistry::of(work.kernel())?;
    let peer = || work.peer_channel(registry.domain());
    if name.is_empty() {
        return registry.release(peer(), space, holder).await;
    }
    if registry.hold(peer(), space, holder, &name).await? {
        return Ok(());
    }
    // The reservation ran out before the worker came. Nobody else has the name yet.
    let claim = work.kernel().ids().next(work.now());
    let wanted = NameRequest { space, name, holder: holder.clone(), claim, field: "" };
    registry.reserve(peer(), &wanted).await?;
    registry.hold(peer(), space, holder, &wanted.name).await.map(|_| ())
}
