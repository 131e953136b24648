//! The domain alone, with a clock that stands still.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use pavise_identity::contract::v1::factor_service_client::FactorServiceClient;
use pavise_identity::contract::v1::identity_service_client::IdentityServiceClient;
use pavise_identity::contract::v1::session_service_client::SessionServiceClient;
use pavise_identity::contract::v1::token_service_client::TokenServiceClient;
use pavise_identity::contract::v1::{
    AccessToken, CreateIdentityRequest, CreateTokenRequest, Identity, IdentityRealm, NoticeChannel,
};
use pavise_identity::contract::{DESCRIPTORS, HOLDINGS, METHODS, MIGRATIONS, TABLES};
use pavise_identity::{Config, Courier, DOMAIN, LocalKeys, Message, RemoteKeys, Revocations, Undelivered, bootstrap};
use pavise_kernel::caller::{APPLICATION, Realm, Verifier};
use pavise_kernel::common::v1::{JournalEntry, ReadJournalRequest};
use pavise_kernel::domain::Settings;
use pavise_kernel::peers::Transport;
use pavise_kernel::store::Store;
use pavise_kernel::time::{Clock, Ids, Micros, TestClock};
use pavise_kernel::token::{MeshCredential, TokenKey, TokenVerifier, issue};
use pavise_kernel::worker::{Work, Worker};
use pavise_kernel::{Caller, Error, Kernel, Revoked, async_trait};
use pavise_kernel_postgres::PostgresStore;
use pavise_kernel_sqlite::SqliteStore;
use pavise_owned::merge::MergeWorker;
use pavise_testkit::logs::{self, Watch};
use pavise_transcode::Transcoder;
use prost_reflect::DescriptorPool;
use tonic::Request;

use crate::outside::{self, Outside};

pub(crate) const NOW: Micros = 1_800_000_000_000_000;
pub(crate) const PASSWORD: &str = "correct horse battery";
const MESH_SECRET: &str = "a secret that all parts share in this test";

/// The domain in a process of its own.
pub(crate) struct Scene {
    pub(crate) kernel: Kernel,
    pub(crate) clock: TestClock,
    pub(crate) config: Config,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) transport: Transport,
    pub(crate) workers: Vec<Arc<dyn Worker>>,
    /// The delivered messages, and whether the courier delivers.
    pub(crate) post: Arc<Post>,
    /// The other domains.
    pub(crate) outside: Arc<Outside>,
    revoked: Revoked,
    mesh: TokenKey,
    _logs: Watch,
}

/// The domain on an empty SQLite file.
pub(crate) async fn scene() -> Scene {
    on(Arc::new(SqliteStore::open(":memory:", &[&MIGRATIONS]).await.unwrap()), Config::for_tests()).await
}

/// The domain on an empty database of each engine.
pub(crate) async fn scenes() -> [Scene; 2] {
    let url = pavise_testkit::postgres::database().await.unwrap();
    let postgres = PostgresStore::connect(&url, 6, &[&MIGRATIONS]).await.unwrap();
    [scene().await, on(Arc::new(postgres), Config::for_tests()).await]
}

/// The domain on a database.
pub(crate) async fn on(store: Arc<dyn Store>, config: Config) -> Scene {
    let logs = Watch::begin();
    for secret in [PASSWORD, config.key_encryption_secret.as_str(), MESH_SECRET] {
        logs::known(secret);
    }
    let pool = DescriptorPool::decode(DESCRIPTORS).unwrap();
    let mesh = TokenKey::mesh(MESH_SECRET.as_bytes());
    let clock = TestClock::at(NOW);
    let revoked = Revoked::default();
    let kernel = Kernel::builder(store.clone(), Transcoder::new(&pool))
        .clock(Arc::new(clock.clone()))
        .ids(Ids::random())
        .verifier(Arc::new(
            TokenVerifier::new(Arc::new(LocalKeys::new(store.clone())), Some(mesh.public())).without(revoked.clone()),
        ))
        .credential(Arc::new(MeshCredential::new(mesh.clone(), "platform")))
        .contract(METHODS, TABLES)
        .holdings(HOLDINGS.iter().copied().chain(outside::HOLDINGS))
        .build();
    let post = Arc::new(Post::default());
    let config = Config { courier: post.clone(), ..config };
    let domain = DOMAIN.build(&kernel, &Settings::default().with(config.clone())).unwrap();
    let transport = pavise_mesh::local(domain.services.into_routes());
    let outside = Arc::new(Outside::default());
    let others = ["billing", "fulfillment", "orders"].map(|name| (name.to_owned(), outside.transport()));
    kernel.peers().install(others.into_iter().chain([("identity".to_owned(), transport.clone())]).collect());
    bootstrap(&kernel, &config).await.unwrap();
    let mut workers = domain.workers;
    workers.push(Arc::new(MergeWorker::new("identity.hand_over", HOLDINGS, &domain.hand_overs).unwrap()));
    workers.extend(outside.workers());
    Scene { kernel, clock, config, store, transport, workers, post, outside, revoked, mesh, _logs: logs }
}

impl Scene {
    pub(crate) fn identities(&self) -> IdentityServiceClient<Transport> {
        IdentityServiceClient::new(self.transport.clone())
    }

    pub(crate) fn factors(&self) -> FactorServiceClient<Transport> {
        FactorServiceClient::new(self.transport.clone())
    }

    pub(crate) fn sessions(&self) -> SessionServiceClient<Transport> {
        SessionServiceClient::new(self.transport.clone())
    }

    /// Reads the ended sessions, as every process does.
    pub(crate) async fn learn_what_ended(&self) {
        Revocations::new(self.kernel.clone(), self.revoked.clone()).catch_up().await.unwrap();
    }

    /// The time.
    pub(crate) fn now(&self) -> prost_types::Timestamp {
        pavise_kernel::time::timestamp(self.clock.now())
    }

    pub(crate) fn tokens(&self) -> TokenServiceClient<Transport> {
        TokenServiceClient::new(self.transport.clone())
    }

    /// A request as the platform itself.
    pub(crate) fn platform<M>(&self, message: M) -> Request<M> {
        let caller = Caller::platform("platform");
        with_token(message, &issue(&caller, Duration::from_secs(600), &self.mesh, self.clock.now()))
    }

    /// A request as a program with these permissions.
    pub(crate) fn program<M>(&self, message: M, permissions: &[&str]) -> Request<M> {
        let permissions = permissions.iter().map(|one| (*one).to_owned()).collect();
        let caller = Caller {
            identity: "a program".into(),
            realm: Realm::Machine,
            permissions: BTreeMap::from([(APPLICATION.to_owned(), permissions)]),
            ..Caller::default()
        };
        with_token(message, &issue(&caller, Duration::from_secs(600), &self.mesh, self.clock.now()))
    }

    /// A member with an address and a password.
    pub(crate) async fn member(&self, email: &str) -> Identity {
        self.identities().create_identity(Request::new(sign_up(email))).await.unwrap().into_inner()
    }

    /// Staff with these permissions.
    pub(crate) async fn staff(&self, email: &str, permissions: &[&str]) -> Identity {
        let permissions = vec![pavise_identity::contract::v1::ApplicationPermissions {
            application: APPLICATION.to_owned(),
            permissions: permissions.iter().map(|one| (*one).to_owned()).collect(),
        }];
        let request = CreateIdentityRequest { realm: IdentityRealm::Internal.into(), permissions, ..sign_up(email) };
        self.identities().create_identity(self.platform(request)).await.unwrap().into_inner()
    }

    /// Signs in.
    pub(crate) async fn sign_in(&self, email: &str, password: &str) -> Result<AccessToken, Error> {
        let answer = self.identities().create_token(Request::new(sign_in(email, password))).await;
        let answer = answer.map(tonic::Response::into_inner).map_err(Error::from);
        logs::known(password);
        if let Ok(token) = &answer {
            logs::known(&token.access_token);
            logs::known(&token.refresh_token);
        }
        answer
    }

    /// The caller of a token, as another process finds out with the public keys of this one.
    pub(crate) async fn caller(&self, token: &str) -> Result<Arc<Caller>, Error> {
        let remote = TokenVerifier::new(Arc::new(RemoteKeys::new(self.transport.clone())), None);
        remote.verify(token, self.clock.now()).await
    }

    /// The journal of identities.
    pub(crate) async fn journal(&self) -> Vec<JournalEntry> {
        let ask = ReadJournalRequest { limit: 1000, ..ReadJournalRequest::default() };
        self.identities().read_journal(self.platform(ask)).await.unwrap().into_inner().entries
    }

    /// All of it, where it is long.
    pub(crate) async fn journal_of_everything(&self) -> Vec<JournalEntry> {
        let (mut all, mut clock) = (Vec::new(), 0);
        loop {
            let ask = ReadJournalRequest { clock, limit: 1000, ..ReadJournalRequest::default() };
            let page = self.identities().read_journal(self.platform(ask)).await.unwrap().into_inner();
            if page.entries.is_empty() {
                return all;
            }
            (clock, all) = (page.clock, all.into_iter().chain(page.entries).collect());
        }
    }

    /// The actions in it.
    pub(crate) async fn actions(&self) -> Vec<String> {
        self.journal().await.into_iter().map(|entry| entry.action).collect()
    }

    /// Lets the worker `name` handle every entry of the journal of identities, as after a restart, and says how many it
    /// could not handle.
    pub(crate) async fn handle_all(&self, name: &str) -> usize {
        let worker = self.workers.iter().find(|worker| worker.name() == name).unwrap();
        let mut failed = 0;
        for entry in self.journal().await {
            let work = Work::new(&self.kernel, worker.name(), entry.clock.to_string(), "");
            failed += usize::from(worker.handle(&work, &entry).await.is_err());
        }
        failed
    }

    /// Delivers what waits and answers what was delivered since the last time.
    pub(crate) async fn delivered(&self) -> Vec<Message> {
        self.handle_all("identity.notices").await;
        let delivered = std::mem::take(&mut *self.post.delivered.lock().unwrap());
        for word in delivered.iter().flat_map(|message| message.text.split_whitespace()).filter(|word| is_code(word)) {
            logs::known(word);
        }
        delivered
    }

    /// Lets every worker look at what is due.
    pub(crate) async fn tick(&self, occasion: &str) {
        for worker in &self.workers {
            worker.tick(&Work::new(&self.kernel, worker.name(), occasion.to_owned(), "")).await.unwrap();
        }
    }
}

/// A courier that keeps what it is given, or fails as told.
#[derive(Debug, Default)]
pub(crate) struct Post {
    pub(crate) delivered: Mutex<Vec<Message>>,
    pub(crate) failure: Mutex<Option<Undelivered>>,
    pub(crate) missing: Mutex<Option<&'static str>>,
}

#[async_trait]
impl Courier for Post {
    fn missing(&self, _channel: NoticeChannel) -> Option<&'static str> {
        *self.missing.lock().unwrap()
    }

    async fn deliver(&self, message: &Message) -> Result<(), Undelivered> {
        if let Some(failure) = *self.failure.lock().unwrap() {
            return Err(failure);
        }
        self.delivered.lock().unwrap().push(message.clone());
        Ok(())
    }
}

/// A sign-up.
pub(crate) fn sign_up(email: &str) -> CreateIdentityRequest {
    CreateIdentityRequest {
        realm: IdentityRealm::User.into(),
        emails: vec![email.to_owned()],
        password: PASSWORD.to_owned(),
        ..CreateIdentityRequest::default()
    }
}

/// A sign-in by address.
pub(crate) fn sign_in(email: &str, password: &str) -> CreateTokenRequest {
    CreateTokenRequest { email: email.to_owned(), password: password.to_owned(), ..CreateTokenRequest::default() }
}

/// A request with a token.
pub(crate) fn with_token<M>(message: M, token: &str) -> Request<M> {
    with(Request::new(message), "authorization", &format!("Bearer {token}"))
}

/// A request with a further header.
pub(crate) fn with<M>(mut request: Request<M>, name: &'static str, value: &str) -> Request<M> {
    request.metadata_mut().insert(name, value.parse().unwrap());
    request
}

/// A code as letters have them: capitals and digits in groups.
fn is_code(word: &str) -> bool {
    word.contains('-') && word.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit() || byte.is_ascii_uppercase())
}

/// Why a call was refused.
pub(crate) fn reason<T: std::fmt::Debug>(answer: Result<tonic::Response<T>, tonic::Status>) -> String {
    Error::from(answer.unwrap_err()).reason().to_owned()
}
