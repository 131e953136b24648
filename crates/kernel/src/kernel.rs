//! The kernel: what the services of one process share.

use std::any::{Any, TypeId, type_name};
use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use pavise_contract::table::{Holding, Method, Table};
use pavise_transcode::Transcoder;
use tokio_util::sync::CancellationToken;

use crate::caller::{NoTokens, Verifier};
use crate::committer::{Committer, Options};
use crate::document::Documents;
use crate::error::{Error, Result};
use crate::pace::Paces;
use crate::peers::{Credential, Peers};
use crate::store::Store;
use crate::time::{Clock, Ids, SystemClock};

/// What the services of one process share; cheap to clone.
#[derive(Debug, Clone)]
pub struct Kernel(Arc<Parts>);

#[derive(Debug)]
struct Parts {
    store: Arc<dyn Store>,
    committer: Committer,
    documents: Documents,
    clock: Arc<dyn Clock>,
    ids: Ids,
    verifier: Arc<dyn Verifier>,
    credential: Option<Arc<dyn Credential>>,
    peers: Peers,
    methods: Vec<&'static Method>,
    tables: Vec<&'static TableEntry>,
    holdings: Vec<&'static Holding>,
    paces: Paces,
    provided: RwLock<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>,
    stopping: CancellationToken,
}

/// Takes what must not leave the service out of an encoded entity.
pub type Redaction = fn(&[u8]) -> Vec<u8>;

/// An aggregate as the kernel needs it where the type is not known: for journals and verification.
#[derive(Debug)]
pub struct TableEntry {
    /// Where it is kept.
    pub table: &'static Table,
    /// Takes what must not leave the service out of an encoded entity; `None` where there is nothing to take out.
    pub redact: Option<Redaction>,
}

/// Puts a kernel together.
#[derive(Debug)]
pub struct Builder {
    store: Arc<dyn Store>,
    transcoder: Transcoder,
    clock: Arc<dyn Clock>,
    ids: Ids,
    verifier: Arc<dyn Verifier>,
    credential: Option<Arc<dyn Credential>>,
    peers: Peers,
    methods: Vec<&'static Method>,
    tables: Vec<&'static TableEntry>,
    holdings: Vec<&'static Holding>,
    options: Options,
}

impl Builder {
    /// The clock; default: the machine's.
    #[must_use]
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// Where ids come from; default: random.
    #[must_use]
    pub fn ids(mut self, ids: Ids) -> Self {
        self.ids = ids;
        self
    }

    /// Who reads tokens; default: nobody is admitted.
    #[must_use]
    pub fn verifier(mut self, verifier: Arc<dyn Verifier>) -> Self {
        self.verifier = verifier;
        self
    }

    /// Where the other domains are, when somebody needs to know before the kernel is built.
    #[must_use]
    pub fn peers(mut self, peers: Peers) -> Self {
        self.peers = peers;
        self
    }

    /// The token with which this process calls others.
    #[must_use]
    pub fn credential(mut self, credential: Arc<dyn Credential>) -> Self {
        self.credential = Some(credential);
        self
    }

    /// How the group committer is sized.
    #[must_use]
    pub fn committer(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// What a domain's contract declares.
    #[must_use]
    pub fn contract(mut self, methods: &[&'static Method], tables: &[&'static TableEntry]) -> Self {
        self.methods.extend_from_slice(methods);
        self.tables.extend_from_slice(tables);
        self
    }

    /// What the domains of the platform keep for each owner, those of other processes too.
    #[must_use]
    pub fn holdings(mut self, holdings: impl IntoIterator<Item = &'static Holding>) -> Self {
        self.holdings.extend(holdings);
        self.holdings.sort_by_key(|holding| (holding.place, holding.domain, holding.processor));
        self
    }

    /// The kernel. Must be called within a tokio runtime.
    #[must_use]
    pub fn build(self) -> Kernel {
        let committer = Committer::start(self.store.clone(), self.options);
        Kernel(Arc::new(Parts {
            store: self.store,
            committer,
            documents: Documents::new(self.transcoder),
            clock: self.clock,
            ids: self.ids,
            verifier: self.verifier,
            credential: self.credential,
            peers: self.peers,
            methods: self.methods,
            tables: self.tables,
            holdings: self.holdings,
            paces: Paces::default(),
            provided: RwLock::default(),
            stopping: CancellationToken::new(),
        }))
    }
}

impl Kernel {
    /// Starts putting a kernel together.
    #[must_use]
    pub fn builder(store: Arc<dyn Store>, transcoder: Transcoder) -> Builder {
        Builder {
            store,
            transcoder,
            clock: Arc::new(SystemClock),
            ids: Ids::random(),
            verifier: Arc::new(NoTokens),
            credential: None,
            peers: Peers::default(),
            methods: Vec::new(),
            tables: Vec::new(),
            holdings: Vec::new(),
            options: Options::default(),
        }
    }

    /// The engine.
    #[must_use]
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.0.store
    }

    /// The group committer.
    #[must_use]
    pub fn committer(&self) -> &Committer {
        &self.0.committer
    }

    /// Keeps what the calls of a domain share: vendors, keys, settings. One value of each type; a later one replaces it.
    pub fn provide<T: Any + Send + Sync>(&self, value: impl Into<Arc<T>>) {
        let value: Arc<T> = value.into();
        self.0.provided.write().unwrap_or_else(PoisonError::into_inner).insert(TypeId::of::<T>(), value);
    }

    /// The value of this type that a domain provided when it was built.
    ///
    /// # Errors
    /// `INTERNAL` when no domain provided one: an error of the program.
    pub fn provided<T: Any + Send + Sync>(&self) -> Result<Arc<T>> {
        let provided = self.0.provided.read().unwrap_or_else(PoisonError::into_inner);
        let value = provided.get(&TypeId::of::<T>()).cloned();
        value
            .and_then(|value| value.downcast().ok())
            .ok_or_else(|| Error::internal(format!("no domain of this process provided {}", type_name::<T>())))
    }

    /// Where the other domains are.
    #[must_use]
    pub fn peers(&self) -> &Peers {
        &self.0.peers
    }

    /// The clock.
    #[must_use]
    pub fn clock(&self) -> &Arc<dyn Clock> {
        &self.0.clock
    }

    /// Where ids come from.
    #[must_use]
    pub fn ids(&self) -> &Ids {
        &self.0.ids
    }

    /// Who reads tokens.
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

    /// What the domains of the platform keep for each owner, in the order of a merge's record.
    #[must_use]
    pub fn holdings(&self) -> &[&'static Holding] {
        &self.0.holdings
    }

    /// Cancelled when the process begins to stop: what waits for more to come ends then.
    #[must_use]
    pub fn stopping(&self) -> &CancellationToken {
        &self.0.stopping
    }

    pub(crate) fn paces(&self) -> &Paces {
        &self.0.paces
    }

    pub(crate) fn documents(&self) -> &Documents {
        &self.0.documents
    }

    /// The platform's own token for calls to other parts of it; empty where there is none.
    pub(crate) fn token(&self) -> String {
        self.0.credential.as_ref().map_or_else(String::new, |credential| credential.token(self.0.clock.now()))
    }

    /// The calls that an entity's status allows, by name.
    pub(crate) fn legal(&self, table: &Table, status: &str) -> Vec<&'static str> {
        let of_table = |method: &&&'static Method| method.aggregate.is_some_and(|aggregate| aggregate.name == table.name);
        let allows = |method: &&&'static Method| !method.reads && method.from.contains(&status);
        self.0.methods.iter().filter(of_table).filter(allows).map(|method| method.rpc).collect()
    }
}
