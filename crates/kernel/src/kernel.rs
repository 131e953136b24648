//! The kernel: the state that the services of one process share.

use std::any::{Any, TypeId, type_name};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use pavise_contract::table::{Method, OwnedEntity, PersonCalls, Table, WorkerCalls};
use pavise_transcode::Transcoder;
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::call::caller::{NoTokens, Verifier};
use crate::call::disclosures::Disclosures;
use crate::call::open_streams::Open;
use crate::call::peers::{Credential, PeerChannel, Peers};
use crate::call::security::SecurityEvents;
use crate::call::undeclared_reasons::Undeclared;
use crate::entity::document::Documents;
use crate::error::{Error, Result};
use crate::port::committer::{Committer, Options};
use crate::port::counts::{self, Counts};
use crate::port::store::Store;
use crate::read::heads::Heads;
use crate::read::page_token::PageTokens;
use crate::sealed::{FieldSealer, SealedStore};
use crate::time::{BusinessClock, Clock, ClockOffset, Ids, SystemClock};
use crate::work::worker::{KnownWorker, Worker};

pub use crate::port::table_entry::{Encoder, EntityEncoding, Redaction, TableEntry};

/// The state that the services of one process share; cheap to clone.
#[derive(Debug, Clone)]
pub struct Kernel(Arc<KernelState>);

#[derive(Debug)]
struct KernelState {
    store: Arc<dyn Store>,
    /// The engine's own store, which does not open what is sealed.
    engine: Arc<dyn Store>,
    committer: Committer,
    documents: Documents,
    sealer: Option<Arc<FieldSealer>>,
    machine_clock: Arc<dyn Clock>,
    business_clock: BusinessClock,
    ids: Ids,
    verifier: Arc<dyn Verifier>,
    credential: Option<Arc<dyn Credential>>,
    peers: Peers,
    methods: Vec<&'static Method>,
    tables: Vec<&'static TableEntry>,
    owned_entities: Vec<&'static OwnedEntity>,
    person_calls: Vec<&'static PersonCalls>,
    worker_calls: Vec<&'static WorkerCalls>,
    workers: RwLock<BTreeMap<&'static str, Vec<KnownWorker>>>,
    counts: Arc<Counts>,
    undeclared: Undeclared,
    security: Arc<SecurityEvents>,
    disclosures: Disclosures,
    page_tokens: PageTokens,
    heads: Arc<Heads>,
    open: Arc<Open>,
    provided: RwLock<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>,
    stopping: CancellationToken,
    /// Ends the tasks of the kernel when nobody has it any more.
    _tasks: DropGuard,
}

/// Builds a kernel.
#[derive(Debug)]
pub struct Builder {
    store: Arc<dyn Store>,
    transcoder: Transcoder,
    sealer: Option<Arc<FieldSealer>>,
    clock: Arc<dyn Clock>,
    test_clock: Option<ClockOffset>,
    ids: Ids,
    verifier: Arc<dyn Verifier>,
    credential: Option<Arc<dyn Credential>>,
    peers: Peers,
    methods: Vec<&'static Method>,
    tables: Vec<&'static TableEntry>,
    owned_entities: Vec<&'static OwnedEntity>,
    person_calls: Vec<&'static PersonCalls>,
    worker_calls: Vec<&'static WorkerCalls>,
    options: Options,
    exchange: Option<Duration>,
    security: Arc<SecurityEvents>,
    page_tokens: Option<PageTokens>,
}

impl Builder {
    /// Sets the security events that other parts of the process share.
    #[must_use]
    pub fn security(mut self, security: Arc<SecurityEvents>) -> Self {
        self.security = security;
        self
    }

    /// Sets the sealer of the fields that the contract marks. Without one, they are stored as they are.
    #[must_use]
    pub fn seal_fields(mut self, sealer: Arc<FieldSealer>) -> Self {
        self.sealer = Some(sealer);
        self
    }

    /// Sets the machine's clock, which business time follows. Default: that of the operating system.
    #[must_use]
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// Sets the offset of business time from the machine's time. Without one, both times are the same.
    #[must_use]
    pub fn test_clock(mut self, offset: Option<ClockOffset>) -> Self {
        self.test_clock = offset;
        self
    }

    /// Sets the source of ids. Default: random ids.
    #[must_use]
    pub fn ids(mut self, ids: Ids) -> Self {
        self.ids = ids;
        self
    }

    /// Sets the verifier of tokens. Default: every token is refused.
    #[must_use]
    pub fn verifier(mut self, verifier: Arc<dyn Verifier>) -> Self {
        self.verifier = verifier;
        self
    }

    /// Sets the addresses of the other domains, where they are needed before the kernel is built.
    #[must_use]
    pub fn peers(mut self, peers: Peers) -> Self {
        self.peers = peers;
        self
    }

    /// Sets the credential that gives this process's token for calls to others.
    #[must_use]
    pub fn credential(mut self, credential: Arc<dyn Credential>) -> Self {
        self.credential = Some(credential);
        self
    }

    /// Sets the limits of the group committer.
    #[must_use]
    pub fn committer(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// Sets the time between two exchanges of rate limits with other processes. Without one, only
    /// [`Kernel::share_counts`] exchanges them. Default: one second.
    #[must_use]
    pub fn exchange_counts(mut self, every: Option<Duration>) -> Self {
        self.exchange = every;
        self
    }

    /// Sets the secret that seals page tokens: the same in all processes that run the same domains. Without one, a
    /// process opens only its own tokens.
    #[must_use]
    pub fn page_secret(mut self, secret: &[u8]) -> Self {
        self.page_tokens = Some(PageTokens::new(secret));
        self
    }

    /// Opens page tokens of a second secret, too, while the first one is being changed.
    #[must_use]
    pub fn page_secret_also(mut self, also: Option<&[u8]>) -> Self {
        if let Some(also) = also {
            self.page_tokens = self.page_tokens.map(|tokens| tokens.with(also));
        }
        self
    }

    /// Adds the calls and tables that a domain's contract declares.
    #[must_use]
    pub fn contract(mut self, methods: &[&'static Method], tables: &[&'static TableEntry]) -> Self {
        self.methods.extend_from_slice(methods);
        self.tables.extend_from_slice(tables);
        self
    }

    /// Adds the kinds of things that the platform's domains keep for each owner, also in other processes.
    #[must_use]
    pub fn owned_entities(mut self, owned_entities: impl IntoIterator<Item = &'static OwnedEntity>) -> Self {
        self.owned_entities.extend(owned_entities);
        self.owned_entities
            .sort_by_key(|owned_entity| (owned_entity.place, owned_entity.domain, owned_entity.processor));
        self
    }

    /// Adds the calls about one person's data of the platform's domains, also of those in other processes.
    #[must_use]
    pub fn person_calls(mut self, calls: impl IntoIterator<Item = &'static PersonCalls>) -> Self {
        self.person_calls.extend(calls);
        self.person_calls.sort_by_key(|calls| calls.domain);
        self
    }

    /// Adds the calls about workers of the platform's domains, also of those in other processes.
    #[must_use]
    pub fn worker_calls(mut self, calls: impl IntoIterator<Item = &'static WorkerCalls>) -> Self {
        self.worker_calls.extend(calls);
        self.worker_calls.sort_by_key(|calls| calls.domain);
        self
    }

    /// Builds the kernel. Must be called within a tokio runtime.
    #[must_use]
    pub fn build(self) -> Kernel {
        let committer = Committer::start(self.store.clone(), self.options);
        let store: Arc<dyn Store> = match &self.sealer {
            Some(sealer) => Arc::new(SealedStore::new(self.store.clone(), sealer.clone())),
            None => self.store.clone(),
        };
        let (counts, tasks) = (Arc::new(Counts::default()), CancellationToken::new());
        if let Some(every) = self.exchange {
            let (store, clock) = (Arc::downgrade(&self.store), self.clock.clone());
            tokio::spawn(counts::run(counts.clone(), every, store, clock, tasks.clone()));
        }
        Kernel(Arc::new(KernelState {
            store,
            engine: self.store,
            committer,
            documents: Documents::new(self.transcoder),
            sealer: self.sealer,
            business_clock: BusinessClock::new(self.clock.clone(), self.test_clock),
            machine_clock: self.clock,
            ids: self.ids,
            verifier: self.verifier,
            credential: self.credential,
            peers: self.peers,
            methods: self.methods,
            tables: self.tables,
            owned_entities: self.owned_entities,
            person_calls: self.person_calls,
            worker_calls: self.worker_calls,
            workers: RwLock::default(),
            counts,
            undeclared: Undeclared::default(),
            security: self.security,
            disclosures: Disclosures::default(),
            page_tokens: self.page_tokens.unwrap_or_else(PageTokens::of_one_process),
            heads: Arc::default(),
            open: Arc::default(),
            provided: RwLock::default(),
            stopping: CancellationToken::new(),
            _tasks: tasks.drop_guard(),
        }))
    }
}

impl Kernel {
    /// Starts a builder.
    #[must_use]
    pub fn builder(store: Arc<dyn Store>, transcoder: Transcoder) -> Builder {
        Builder {
            store,
            transcoder,
            sealer: None,
            clock: Arc::new(SystemClock),
            test_clock: None,
            ids: Ids::random(),
            verifier: Arc::new(NoTokens),
            credential: None,
            peers: Peers::default(),
            methods: Vec::new(),
            tables: Vec::new(),
            owned_entities: Vec::new(),
            person_calls: Vec::new(),
            worker_calls: Vec::new(),
            options: Options::default(),
            exchange: Some(counts::INTERVAL),
            security: Arc::default(),
            page_tokens: None,
        }
    }

    /// The storage engine.
    #[must_use]
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.0.store
    }

    /// The engine's own store, which answers what is sealed as it lies there.
    pub(crate) fn engine(&self) -> &Arc<dyn Store> {
        &self.0.engine
    }

    /// The group committer.
    #[must_use]
    pub fn committer(&self) -> &Committer {
        &self.0.committer
    }

    /// Keeps a value that the calls of a domain share: vendors, keys, settings. One value is kept per type; a later one
    /// replaces it.
    pub fn provide<T: Any + Send + Sync>(&self, value: impl Into<Arc<T>>) {
        let value: Arc<T> = value.into();
        self.0.provided.write().unwrap_or_else(PoisonError::into_inner).insert(TypeId::of::<T>(), value);
    }

    /// The value of this type that a domain provided when it was built.
    ///
    /// # Errors
    /// `INTERNAL` when no domain provided one: an error of the program.
    pub fn find_provided<T: Any + Send + Sync>(&self) -> Result<Arc<T>> {
        let provided = self.0.provided.read().unwrap_or_else(PoisonError::into_inner);
        let value = provided.get(&TypeId::of::<T>()).cloned();
        value
            .and_then(|value| value.downcast().ok())
            .ok_or_else(|| Error::internal(format!("no domain of this process provided {}", type_name::<T>())))
    }

    /// The addresses of the other domains.
    #[must_use]
    pub fn peers(&self) -> &Peers {
        &self.0.peers
    }

    /// The clock of machine time: leases, deadlines, tokens, codes, throttles.
    #[must_use]
    pub fn machine_clock(&self) -> &Arc<dyn Clock> {
        &self.0.machine_clock
    }

    /// The clock of business time. A call reads it once, as [`Call::now`](crate::Call::now); a worker's work reads it as
    /// [`Work::now`](crate::worker::Work::now).
    #[must_use]
    pub fn business_clock(&self) -> &BusinessClock {
        &self.0.business_clock
    }

    /// The source of ids.
    #[must_use]
    pub fn ids(&self) -> &Ids {
        &self.0.ids
    }

    /// The verifier of tokens.
    #[must_use]
    pub fn verifier(&self) -> &Arc<dyn Verifier> {
        &self.0.verifier
    }

    /// The aggregates of the domains that run here.
    #[must_use]
    pub fn tables(&self) -> &[&'static TableEntry] {
        &self.0.tables
    }

    /// The calls of the domains that run here.
    #[must_use]
    pub fn methods(&self) -> &[&'static Method] {
        &self.0.methods
    }

    /// The kinds of things that the platform's domains keep for each owner, in the order of a merge's record.
    #[must_use]
    pub fn owned_entities(&self) -> &[&'static OwnedEntity] {
        &self.0.owned_entities
    }

    /// The calls about one person's data of the platform's domains, in the order of their names.
    #[must_use]
    pub fn person_calls(&self) -> &[&'static PersonCalls] {
        &self.0.person_calls
    }

    /// The calls about workers of the platform's domains, in the order of their names.
    #[must_use]
    pub fn worker_calls(&self) -> &[&'static WorkerCalls] {
        &self.0.worker_calls
    }

    /// Keeps what the workers of a domain wait for, so that the domain's calls show them. They run in any process of the
    /// domain's database.
    pub fn show_workers<'a>(&self, domain: &'static str, workers: impl IntoIterator<Item = &'a dyn Worker>) {
        let mut known: Vec<_> = workers.into_iter().map(KnownWorker::of).collect();
        known.sort_by_key(|worker| worker.name);
        self.0.workers.write().unwrap_or_else(PoisonError::into_inner).insert(domain, known);
    }

    /// The workers of a domain that runs here, by name.
    pub(crate) fn known_workers(&self, domain: &str) -> Vec<KnownWorker> {
        self.0.workers.read().unwrap_or_else(PoisonError::into_inner).get(domain).cloned().unwrap_or_default()
    }

    /// Cancelled when the process begins to stop. A wait for more entries then ends.
    #[must_use]
    pub fn stop_token(&self) -> &CancellationToken {
        &self.0.stopping
    }

    /// The counts of rate limits, which all processes of the database share.
    #[must_use]
    pub fn counts(&self) -> &Arc<Counts> {
        &self.0.counts
    }

    /// Exchanges the counts with the other processes now, and not only within the next second.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn share_counts(&self) -> Result<()> {
        self.0.counts.exchange_all(&*self.0.store, self.0.machine_clock.now()).await
    }

    /// The security events of this process.
    #[must_use]
    pub fn security(&self) -> &Arc<SecurityEvents> {
        &self.0.security
    }

    /// The reads of personal data that are noted and not yet handed over.
    #[must_use]
    pub fn disclosures(&self) -> &Disclosures {
        &self.0.disclosures
    }

    /// The sealer of fields, if there is one.
    #[must_use]
    pub fn field_sealer(&self) -> Option<&Arc<FieldSealer>> {
        self.0.sealer.as_ref()
    }

    pub(crate) fn undeclared(&self) -> &Undeclared {
        &self.0.undeclared
    }

    pub(crate) fn page_tokens(&self) -> &PageTokens {
        &self.0.page_tokens
    }

    /// The heads of the journals that somebody waits for.
    pub(crate) fn heads(&self) -> &Arc<Heads> {
        &self.0.heads
    }

    /// The waits and streams that callers have open.
    pub(crate) fn open(&self) -> &Arc<Open> {
        &self.0.open
    }

    pub(crate) fn documents(&self) -> &Documents {
        &self.0.documents
    }

    /// A channel to a domain for its generated client. It acts as the platform.
    #[must_use]
    pub fn peer_channel(&self, domain: &str) -> PeerChannel {
        PeerChannel::new(self.peers(), domain, &self.token(), "", None)
            .own()
            .carrying(self.business_clock().test_clock().map(ClockOffset::get))
    }

    /// The platform's token for calls to its other parts; empty if there is none.
    pub(crate) fn token(&self) -> String {
        self.0.credential.as_ref().map_or_else(String::new, |credential| credential.token(self.0.machine_clock.now()))
    }

    /// The names of the calls that an entity's status allows.
    pub(crate) fn legal(&self, table: &Table, status: &str) -> Vec<&'static str> {
        let of_table =
            |method: &&&'static Method| method.aggregate.is_some_and(|aggregate| aggregate.name == table.name);
        let allows = |method: &&&'static Method| !method.reads && method.from.contains(&status);
        self.0.methods.iter().filter(of_table).filter(allows).map(|method| method.rpc).collect()
    }
}
