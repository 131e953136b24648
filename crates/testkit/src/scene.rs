//! One scene for the tests of every domain: the domain alone on a database of either engine. It has a fixed clock,
//! callers by name, workers that the test steps, a wire that can be cut, and doubles of the other domains.
//!
//! The journals of a scene are checked when it ends: no gap, each version once, and the replay is the current state. Each
//! call has refused only for reasons that the contract declares.

mod callers;
mod double;
mod engine;
mod wire;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use pavise_kernel::caller::Verifier;
use pavise_kernel::common::v1::{JournalEntry, JournalPage, ReadJournalRequest};
use pavise_kernel::domain::BuiltDomain;
use pavise_kernel::migrations::Migrations;
use pavise_kernel::peers::{Credential, Transport};
use pavise_kernel::sealed::{FieldSealer, Keys, MasterKeys};
use pavise_kernel::store::Store;
use pavise_kernel::table::{Method, OwnedEntity, PersonCalls};
use pavise_kernel::time::{Clock, ClockOffset, Ids, Micros, TestClock};
use pavise_kernel::worker::{JournalFeed, Work, Worker};
use pavise_kernel::{Error, Kernel, MoveToOwner, Result, TableEntry};
use pavise_transcode::Transcoder;
use prost::{Message, Name};
use prost_reflect::DescriptorPool;
use tonic::{Request, Response, Status};
use tonic_prost::ProstCodec;

pub use callers::{NamedTokens, request_by, request_with_key};
pub use double::{PeerDouble, RecordedCall};
pub use engine::{Database, Engine};
pub use wire::{Wire, WireFault};

/// The most rounds of workers that fail.
const ROUNDS: usize = 20;
/// The secret of the master key of every scene.
pub const MASTER: &str = "a master key that only tests know";

/// The generated declarations of a domain.
#[derive(Debug, Clone, Copy)]
pub struct Contract {
    /// The domain's name.
    pub domain: &'static str,
    /// Its descriptors.
    pub descriptors: &'static [u8],
    /// Its calls.
    pub methods: &'static [&'static Method],
    /// Its aggregates.
    pub tables: &'static [&'static TableEntry],
    /// Its tables.
    pub migrations: &'static Migrations,
}

/// The entries that another domain's journal has now.
type Entries = dyn Fn() -> Vec<JournalEntry> + Send + Sync;

/// A scene that is being set.
pub struct Setup {
    contract: Contract,
    database: Database,
    clock: TestClock,
    offset: Option<ClockOffset>,
    ids: Ids,
    verifier: Arc<dyn Verifier>,
    credential: Arc<dyn Credential>,
    peers: BTreeMap<&'static str, Transport>,
    feeds: BTreeMap<&'static str, Box<Entries>>,
    owned_entities: Vec<&'static OwnedEntity>,
    person_calls: Vec<&'static PersonCalls>,
    masters: Option<MasterKeys>,
}

/// A served domain.
pub struct Scene {
    /// The kernel.
    pub kernel: Kernel,
    /// The clock, which only the test moves.
    pub clock: TestClock,
    /// The wire between the domain and all that it calls, itself too.
    pub wire: Wire,
    database: Database,
    credential: Arc<dyn Credential>,
    transport: Transport,
    workers: Vec<Arc<dyn Worker>>,
    moves_to_owner: Vec<Arc<dyn MoveToOwner>>,
    feeds: BTreeMap<&'static str, Box<Entries>>,
}

impl Contract {
    /// The domain on an empty database of an engine.
    ///
    /// # Panics
    /// When the engine does not start.
    pub async fn start_on(self, engine: Engine) -> Setup {
        self.start_with(Database::new(engine, self.migrations).await)
    }

    /// The domain on that database, at noon of 15 January 2026.
    #[must_use]
    pub fn start_with(self, database: Database) -> Setup {
        Setup {
            contract: self,
            database,
            clock: TestClock::at(1_768_478_400_000_000),
            offset: None,
            ids: Ids::from_seed(1),
            verifier: Arc::new(NamedTokens),
            credential: Arc::new(NamedTokens),
            peers: BTreeMap::new(),
            feeds: BTreeMap::new(),
            owned_entities: Vec::new(),
            person_calls: Vec::new(),
            masters: Some(MasterKeys::new(MASTER, None)),
        }
    }
}

impl Setup {
    /// Sets another time.
    #[must_use]
    pub fn at(self, now: Micros) -> Self {
        Self { clock: TestClock::at(now), ..self }
    }

    /// With a test clock, whose offset is that of business time.
    #[must_use]
    pub fn with_test_clock(self, offset: Option<ClockOffset>) -> Self {
        Self { offset, ..self }
    }

    /// Uses other ids than those that every scene begins with.
    #[must_use]
    pub fn ids(self, ids: Ids) -> Self {
        Self { ids, ..self }
    }

    /// With other tokens than [`NamedTokens`].
    #[must_use]
    pub fn tokens(self, verifier: Arc<dyn Verifier>, credential: Arc<dyn Credential>) -> Self {
        Self { verifier, credential, ..self }
    }

    /// With a double of these other domains.
    #[must_use]
    pub fn peers<const N: usize>(mut self, names: [&'static str; N], transport: &Transport) -> Self {
        self.peers.extend(names.map(|name| (name, transport.clone())));
        self
    }

    /// With a double of another domain's journal, by the gRPC path of its ReadJournal.
    #[must_use]
    pub fn with_feed(
        mut self,
        path: &'static str,
        entries: impl Fn() -> Vec<JournalEntry> + Send + Sync + 'static,
    ) -> Self {
        self.feeds.insert(path, Box::new(entries));
        self
    }

    /// With the things that a merge of two identities moves.
    #[must_use]
    pub fn owned_entities(mut self, owned_entities: impl IntoIterator<Item = &'static OwnedEntity>) -> Self {
        self.owned_entities.extend(owned_entities);
        self
    }

    /// With the domains that have data of people.
    #[must_use]
    pub fn person_calls(mut self, calls: impl IntoIterator<Item = &'static PersonCalls>) -> Self {
        self.person_calls.extend(calls);
        self
    }

    /// With other master keys, or with none.
    #[must_use]
    pub fn with_masters(self, masters: Option<MasterKeys>) -> Self {
        Self { masters, ..self }
    }

    /// The database.
    #[must_use]
    pub fn store(&self) -> &Arc<dyn Store> {
        self.database.store()
    }

    /// The clock.
    #[must_use]
    pub fn clock(&self) -> &TestClock {
        &self.clock
    }

    /// Builds the domain and serves it.
    ///
    /// # Panics
    /// When the descriptors cannot be read.
    #[expect(clippy::unwrap_used, reason = "the descriptors are generated")]
    pub fn begin_scene(self, build: impl FnOnce(&Kernel) -> BuiltDomain) -> Scene {
        let pool = DescriptorPool::decode(self.contract.descriptors).unwrap();
        let transcoder = Transcoder::new(&pool);
        let clock: Arc<dyn Clock> = Arc::new(self.clock.clone());
        let masters = self
            .masters
            .map(|masters| Keys::new(self.database.key_store().clone(), masters, Ids::from_seed(2), clock.clone()));
        let kernel = Kernel::builder(self.database.store().clone(), transcoder.clone())
            .seal_fields(FieldSealer::new(&pool, transcoder, masters))
            .clock(clock)
            .test_clock(self.offset)
            .ids(self.ids)
            .verifier(self.verifier)
            .credential(self.credential.clone())
            .contract(self.contract.methods, self.contract.tables)
            .owned_entities(self.owned_entities)
            .person_calls(self.person_calls)
            .page_secret(b"the page tokens of all processes of a test")
            .exchange_counts(None)
            .build();
        let domain = build(&kernel);
        kernel.show_workers(self.contract.domain, domain.workers.iter().map(|worker| &**worker));
        let transport = pavise_mesh::local(domain.services.into_routes());
        let wire = Wire::default();
        let own = (self.contract.domain, transport.clone());
        let all = self.peers.into_iter().chain([own]);
        kernel
            .peers()
            .set_transports(all.map(|(name, transport)| (name.to_owned(), wire.around(name, transport))).collect());
        let (clock, database) = (self.clock, self.database);
        let (workers, moves_to_owner, credential, feeds) =
            (domain.workers, domain.moves_to_owner, self.credential, self.feeds);
        Scene { kernel, clock, wire, database, credential, transport, workers, moves_to_owner, feeds }
    }
}

impl Scene {
    /// The domain, for generated clients. These calls do not go over the wire.
    #[must_use]
    pub fn transport(&self) -> Transport {
        self.transport.clone()
    }

    /// The database, for another scene as a second process.
    #[must_use]
    pub fn database(&self) -> Database {
        self.database.clone()
    }

    /// The store of the database.
    #[must_use]
    pub fn store(&self) -> &Arc<dyn Store> {
        self.database.store()
    }

    /// Writes earlier documents anew, as a process does at its start. Answers their number.
    ///
    /// # Errors
    /// When a database does not answer.
    pub async fn rewrite_earlier(&self) -> Result<u64> {
        let Some(sealer) = self.kernel.field_sealer() else { return Ok(0) };
        sealer.rewrite_earlier(self.store().as_ref(), self.kernel.tables(), "a test").await
    }

    /// Erases again those whose keys were destroyed, as a process does before it serves.
    ///
    /// # Errors
    /// When a database does not answer.
    pub async fn erase_again(&self) -> Result<u64> {
        let Some(sealer) = self.kernel.field_sealer() else { return Ok(0) };
        sealer.erase_again(self.store().as_ref(), self.kernel.tables(), "a test").await
    }

    /// Now.
    #[must_use]
    pub fn now(&self) -> prost_types::Timestamp {
        pavise_kernel::time::to_timestamp(self.kernel.business_clock().now())
    }

    /// All workers.
    #[must_use]
    pub fn workers(&self) -> &[Arc<dyn Worker>] {
        &self.workers
    }

    /// A worker by its name.
    ///
    /// # Panics
    /// When there is none.
    #[must_use]
    #[expect(clippy::panic, reason = "a test asked for what is not there")]
    pub fn find_worker(&self, name: &str) -> &Arc<dyn Worker> {
        let found = self.workers.iter().find(|worker| worker.name() == name);
        found.unwrap_or_else(|| panic!("{name} is none of {:?}", self.workers))
    }

    /// The hand-over of a processor in a merge.
    ///
    /// # Panics
    /// When the domain has no code for it.
    #[must_use]
    #[expect(clippy::panic, reason = "a test asked for what is not there")]
    pub fn move_to_owner(&self, processor: &str) -> &Arc<dyn MoveToOwner> {
        let found = self.moves_to_owner.iter().find(|one| one.processor() == processor);
        found.unwrap_or_else(|| panic!("{processor} is none of {:?}", self.moves_to_owner))
    }

    /// All of a journal, by the gRPC path of its ReadJournal.
    ///
    /// # Panics
    /// When it cannot be read.
    #[expect(clippy::unwrap_used, reason = "a journal is always there")]
    pub async fn read_journal(&self, path: &'static str) -> Vec<JournalEntry> {
        let mut client = tonic::client::Grpc::new(self.transport());
        let (mut all, mut clock) = (Vec::new(), 0);
        loop {
            let mut request = Request::new(ReadJournalRequest { clock, limit: 1000, ..ReadJournalRequest::default() });
            let token = format!("Bearer {}", self.credential.token(self.kernel.machine_clock().now()));
            request.metadata_mut().insert("authorization", token.parse().unwrap());
            client.ready().await.unwrap();
            let codec = ProstCodec::<ReadJournalRequest, JournalPage>::default();
            let page =
                client.unary(request, http::uri::PathAndQuery::from_static(path), codec).await.unwrap().into_inner();
            if page.entries.is_empty() {
                return all;
            }
            clock = page.clock;
            all.extend(page.entries);
        }
    }

    /// Hands an entry to a worker.
    ///
    /// # Errors
    /// The error of the worker.
    pub async fn handle_entry(&self, worker: &str, entry: &JournalEntry) -> Result<()> {
        let worker = self.find_worker(worker);
        worker
            .handle(&Work::of_worker(&self.kernel, worker.as_ref(), entry.clock.to_string(), &entry.request_id), entry)
            .await
    }

    /// Lets a worker handle all of its own journal, as after a restart. Answers the number of entries that failed.
    pub async fn handle_all(&self, worker: &str) -> usize {
        let mut failed = 0;
        for entry in self.feed(self.find_worker(worker).as_ref()).await {
            failed += usize::from(self.handle_entry(worker, &entry).await.is_err());
        }
        failed
    }

    /// Runs a timer. The same occasion again is a repeat.
    ///
    /// # Errors
    /// The error of the worker.
    pub async fn run_timer(&self, worker: &str, occasion: &str) -> Result<()> {
        let worker = self.find_worker(worker);
        worker.tick(&Work::of_worker(&self.kernel, worker.as_ref(), occasion.to_owned(), "")).await
    }

    /// Runs every timer.
    ///
    /// # Errors
    /// The error of the first worker that fails.
    pub async fn tick_all(&self, occasion: &str) -> Result<()> {
        for worker in &self.workers {
            self.run_timer(worker.name(), occasion).await?;
        }
        Ok(())
    }

    /// Runs every timer, and every worker over each entry of its journal once, in rounds until nothing is new. The next
    /// round repeats the failures.
    pub async fn run_workers(&self, occasion: &str) -> WorkReport {
        let mut done = BTreeSet::new();
        let mut worked = WorkReport::default();
        for round in 0..ROUNDS {
            worked.left = 0;
            let before = done.len();
            for worker in &self.workers {
                if worker.feed().is_timed() {
                    let ticked = self.run_timer(worker.name(), &format!("{occasion} {round}")).await;
                    worked.count(ticked.is_err());
                }
                for entry in self.feed(worker.as_ref()).await {
                    if done.contains(&(worker.name(), entry.clock)) {
                        continue;
                    }
                    let handled = self.handle_entry(worker.name(), &entry).await;
                    worked.count(handled.is_err());
                    if handled.is_ok() {
                        done.insert((worker.name(), entry.clock));
                    }
                }
            }
            // A timer may write what an earlier worker of the same round reads.
            if round >= 2 && done.len() == before {
                break;
            }
        }
        worked
    }

    /// Hands every worker all entries of its journal again, as after a lost cursor. Answers the number of failures.
    pub async fn replay(&self) -> usize {
        let mut failed = 0;
        for worker in &self.workers {
            failed += self.handle_all(worker.name()).await;
        }
        failed
    }

    /// The entries of a worker's feed: of this domain's journal, or of a double.
    async fn feed(&self, worker: &dyn Worker) -> Vec<JournalEntry> {
        match worker.feed() {
            JournalFeed::Journal { path, .. } if self.serves(path) => self.read_journal(path).await,
            JournalFeed::Journal { path, .. } => self.feeds.get(path).map(|entries| entries()).unwrap_or_default(),
            JournalFeed::Every(_) | JournalFeed::Calendar { .. } => Vec::new(),
        }
    }

    fn serves(&self, path: &str) -> bool {
        self.kernel.methods().iter().any(|method| method.path == path)
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        self.wire.forget_transports();
        if !std::thread::panicking() {
            let undeclared = self.kernel.undeclared_reasons();
            assert!(undeclared.is_empty(), "the contract does not declare these reasons: {undeclared:?}");
            self.database.check(self.kernel.tables());
        }
    }
}

/// The result of the workers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WorkReport {
    /// The number of failures.
    pub failures: usize,
    /// The number of failures in the last round.
    pub left: usize,
}

impl WorkReport {
    fn count(&mut self, failed: bool) {
        self.failures += usize::from(failed);
        self.left += usize::from(failed);
    }
}

/// An entry of a journal with the new state of an entity.
#[must_use]
pub fn journal_entry<M: Message + Name>(clock: i64, action: &str, id: &str, entity: &M) -> JournalEntry {
    let entity = prost_types::Any { type_url: M::type_url(), value: entity.encode_to_vec() };
    let (action, entity_id) = (action.to_owned(), id.to_owned());
    JournalEntry { clock, action, entity_id, entity: Some(entity), ..JournalEntry::default() }
}

/// The answer of a call, or its refusal.
///
/// # Errors
/// The refusal.
pub fn into_answer<T>(answer: Result<Response<T>, Status>) -> Result<T> {
    answer.map(Response::into_inner).map_err(Error::from)
}

/// The reason of a refusal.
///
/// # Panics
/// When the call was not refused.
#[expect(clippy::panic, reason = "a test asserts by it")]
#[track_caller]
pub fn refusal_reason<T: std::fmt::Debug>(answer: Result<T, impl Into<Error>>) -> String {
    match answer {
        Ok(answer) => panic!("nothing was refused: {answer:?}"),
        Err(refusal) => refusal.into().reason().to_owned(),
    }
}
