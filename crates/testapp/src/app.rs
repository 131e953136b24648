//! The platform on a fresh database.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use pavise::app::{App, Plan};
use pavise::domains;
use pavise_kernel::caller::{APPLICATION, Realm};
use pavise_kernel::common::v1::Date;
use pavise_kernel::domain::Settings;
use pavise_kernel::peers::{PeerChannel, Transport};
use pavise_kernel::sealed::{KeyStore, MasterKeys};
use pavise_kernel::store::Store;
use pavise_kernel::test_clock;
use pavise_kernel::time::{Clock, Ids, SystemClock, TestClock};
use pavise_kernel::token::{KeySource, TokenKey, VerifyingKey, issue_token};
use pavise_kernel::{Caller, Result, Scopes};
use pavise_kernel_postgres::{PostgresKeys, PostgresStore};
use pavise_kernel_sqlite::{SqliteKeys, SqliteStore};
use tempfile::TempDir;

use crate::client::Rest;
use crate::mailbox::Mailbox;
use crate::transitions;
use pavise_testkit::logs::{self, LogWatch};
use pavise_testkit::postgres;
use pavise_testkit::scene::Engine;

/// The morning at which every test begins.
const MORNING: i64 = 1_767_258_000_000_000;

/// The secret that the parts of a platform share.
const MESH_SECRET: &str = "a secret that only tests know";

/// The token that proves requests of the text service.
pub const TWILIO_TOKEN: &str = "a token of the text service";

/// A fresh database, and the folder of the files that its records name.
#[derive(Debug, Clone)]
pub struct Database {
    folder: Option<Arc<TempDir>>,
    url: String,
    files: Arc<TempDir>,
}

impl Database {
    /// A folder for SQLite files, or a database of the test cluster.
    ///
    /// # Errors
    /// When neither can be made.
    pub async fn new(engine: Engine) -> anyhow::Result<Self> {
        match engine {
            Engine::Sqlite => Ok(Self { folder: Some(Arc::new(tempfile::tempdir()?)), ..Self::at(String::new())? }),
            Engine::Postgres => Self::at(postgres::make_database().await.context("a database of the test cluster")?),
        }
    }

    /// The PostgreSQL database with that URL, which is there already.
    ///
    /// # Errors
    /// When the folder of the files cannot be made.
    pub fn at(url: String) -> anyhow::Result<Self> {
        Ok(Self { folder: None, url, files: Arc::new(tempfile::tempdir()?) })
    }

    /// The folder of its SQLite files; `None` on PostgreSQL.
    #[must_use]
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_ref().map(|folder| folder.path())
    }

    /// The folder of the files, which all parts share and a restart finds again.
    #[must_use]
    pub fn files(&self) -> &Path {
        self.files.path()
    }

    /// The URL of the PostgreSQL database; empty on SQLite.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Opens it for these domains. Processes that run different domains share a PostgreSQL database, and have an SQLite
    /// file each.
    async fn open(&self, names: &[String]) -> anyhow::Result<Arc<dyn Store>> {
        let migrations = domains::migrations(names);
        Ok(match &self.folder {
            Some(folder) => {
                Arc::new(SqliteStore::open(folder.path().join(format!("{}.db", names.join("-"))), &migrations).await?)
            }
            None => Arc::new(PostgresStore::connect(&self.url, 8, &migrations).await?),
        })
    }

    /// The key database beside it, which all parts share.
    fn keys(&self) -> anyhow::Result<Arc<dyn KeyStore>> {
        Ok(match &self.folder {
            Some(folder) => Arc::new(SqliteKeys::new(folder.path().join("pavise.keys"))),
            None => Arc::new(PostgresKeys::new(&self.url)?),
        })
    }
}

/// The settings of a platform in a test.
#[derive(Debug)]
pub struct TestAppBuilder {
    engine: Engine,
    still: bool,
    /// The day of an empty database's test clock, if there is one.
    test_clock: Option<Option<Date>>,
    workers: bool,
    test_vendor: bool,
    stripe: Option<pavise_billing::StripeConfig>,
    part: Option<Part>,
    identity: pavise_identity::Config,
    mailbox: Mailbox,
    watches_logs: bool,
}

/// A part of a platform that is split.
struct Part {
    database: Database,
    domains: Vec<String>,
    peers: BTreeMap<String, Transport>,
}

impl std::fmt::Debug for Part {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Part({})", self.domains.join(","))
    }
}

/// The platform in a test.
#[derive(Debug)]
pub struct TestApp {
    /// The platform.
    pub app: App,
    /// The clock, when it is fixed.
    pub clock: Option<TestClock>,
    /// The messages to people.
    pub mailbox: Mailbox,
    key: TokenKey,
    ids: Ids,
    _database: Database,
    domains: Vec<String>,
    _logs: Option<LogWatch>,
}

/// The key that signs the tests' tokens.
#[derive(Debug)]
struct TestKey(TokenKey);

#[pavise_kernel::async_trait]
impl KeySource for TestKey {
    async fn key(&self, kid: &str) -> Result<Option<VerifyingKey>> {
        Ok((kid == self.0.kid()).then(|| self.0.public()))
    }
}

impl TestAppBuilder {
    /// Fixes the clock; only the test moves it.
    #[must_use]
    pub fn still(mut self) -> Self {
        self.still = true;
        self
    }

    /// With a test clock. That of an empty database begins on the day, or on that of the machine's clock.
    #[must_use]
    pub fn with_test_clock(mut self, day: Option<Date>) -> Self {
        self.test_clock = Some(day);
        self
    }

    /// Runs no worker.
    #[must_use]
    pub fn without_workers(mut self) -> Self {
        self.workers = false;
        self
    }

    /// Without the test vendor, as in production.
    #[must_use]
    pub fn without_test_vendor(mut self) -> Self {
        self.test_vendor = false;
        self
    }

    /// With an account at Stripe.
    #[must_use]
    pub fn stripe(mut self, account: pavise_billing::StripeConfig) -> Self {
        self.stripe = Some(account);
        self
    }

    /// Where nothing sends messages to telephones.
    #[must_use]
    pub fn without_text_messages(mut self) -> Self {
        self.mailbox = Mailbox::lacking(pavise_messaging::contract::v1::NotificationType::Sms);
        self
    }

    /// With other settings of the identity domain.
    #[must_use]
    pub fn identity(mut self, change: impl FnOnce(pavise_identity::Config) -> pavise_identity::Config) -> Self {
        self.identity = change(self.identity);
        self
    }

    /// Runs only these domains, on a database that other parts may share; the others are peers.
    #[must_use]
    pub fn part(mut self, database: &Database, domains: Vec<String>, peers: BTreeMap<String, Transport>) -> Self {
        self.part = Some(Part { database: database.clone(), domains, peers });
        self
    }

    /// Watches its logs, also where `PAVISE_WATCH_LOGS` does not ask for that.
    #[must_use]
    pub fn watch_logs(mut self) -> Self {
        self.watches_logs = true;
        self
    }

    /// Starts it.
    ///
    /// # Errors
    /// When the database or the platform does not start.
    pub async fn start(self) -> anyhow::Result<TestApp> {
        let (database, names, peers) = match self.part {
            Some(part) => (part.database, part.domains, part.peers),
            None => (Database::new(self.engine).await?, domains::every(), BTreeMap::new()),
        };
        let watches_logs = self.watches_logs || std::env::var_os("PAVISE_WATCH_LOGS").is_some();
        let logs = watches_logs.then(LogWatch::begin);
        logs::known(MESH_SECRET);
        logs::known(&self.identity.key_encryption_secret);
        let store = database.open(&names).await?;
        // Parts of one platform make ids at the same time, so their ids must differ.
        let ids = if peers.is_empty() { Ids::from_seed(1) } else { Ids::random() };
        let still = self.still.then(|| TestClock::at(MORNING));
        let clock: Arc<dyn Clock> = match &still {
            Some(clock) => Arc::new(clock.clone()),
            None => Arc::new(SystemClock),
        };
        let test_clock = match self.test_clock {
            Some(day) => Some(test_clock::open(store.as_ref(), clock.now(), day).await?),
            None => None,
        };
        let key = TokenKey::new("test", &[7; 32]);
        let mailbox = self.mailbox;
        let secure_cookies = self.identity.secure_cookies;
        let messaging = pavise_messaging::Config {
            channels: Arc::new(mailbox.clone()),
            public_url: self.identity.public_url.clone(),
            twilio_auth_token: Some(TWILIO_TOKEN.to_owned()),
            ..pavise_messaging::Config::default()
        };
        // A part without the identity domain asks it for keys.
        let keys = if names.iter().any(|name| name == "identity") { Some(database.keys()?) } else { None };
        let plan = Plan {
            store,
            keys: Some((keys, MasterKeys::new(MESH_SECRET, None))),
            clock,
            test_clock,
            ids: ids.clone(),
            only: names.clone(),
            peers,
            mesh_secret: MESH_SECRET.into(),
            mesh_secret_also: None,
            page_secret: MESH_SECRET.into(),
            page_secret_also: None,
            token_keys: vec![Arc::new(TestKey(key.clone()))],
            domains: Settings::default()
                .with(pavise_files::open_folder(database.files())?)
                .with(self.identity)
                .with(messaging)
                .with(pavise_documents::Config {
                    chromium: Some("chromium".into()),
                    ..pavise_documents::Config::default()
                })
                .with(pavise_billing::Config {
                    test_vendor: self.test_vendor,
                    stripe: self.stripe,
                    ..pavise_billing::Config::default()
                })
                .with(pavise_orders::Config { sample_taxes: self.test_vendor, ..pavise_orders::Config::default() }),
            rest: pavise_rest::Options {
                precedence: domains::precedence(),
                secure_cookies,
                https: false,
                ..pavise_rest::Options::default()
            },
            workers: self.workers,
        };
        Ok(TestApp {
            app: App::start(plan).await?,
            clock: still,
            mailbox,
            key,
            ids,
            _database: database,
            domains: names,
            _logs: logs,
        })
    }
}

impl TestApp {
    /// On an engine; start it with [`TestAppBuilder::start`].
    #[must_use]
    pub fn on(engine: Engine) -> TestAppBuilder {
        let identity = pavise_identity::Config::for_tests();
        TestAppBuilder {
            engine,
            still: false,
            test_clock: None,
            workers: true,
            test_vendor: true,
            stripe: None,
            part: None,
            identity,
            mailbox: Mailbox::default(),
            watches_logs: false,
        }
    }

    /// On SQLite with the machine's clock and all workers.
    ///
    /// # Errors
    /// When it does not start.
    pub async fn start() -> anyhow::Result<Self> {
        Self::on(Engine::Sqlite).start().await
    }

    /// Now, on the platform's clock.
    #[must_use]
    pub fn now(&self) -> i64 {
        self.app.kernel.machine_clock().now()
    }

    /// A new id.
    #[must_use]
    pub fn id(&self) -> String {
        self.ids.next(self.now())
    }

    /// A token with these claims, valid for an hour.
    #[must_use]
    pub fn token(&self, caller: &Caller) -> String {
        let is_person = caller.realm != Realm::Machine && caller.actor.is_none();
        let proved_at = caller.proved_at.or_else(|| is_person.then(|| self.now()));
        let caller = Caller { proved_at, ..caller.clone() };
        let token = issue_token(&caller, Duration::from_secs(3600), &self.key, self.now());
        logs::known(&token);
        token
    }

    /// The key that signs the tests' tokens.
    #[must_use]
    pub fn key(&self) -> &TokenKey {
        &self.key
    }

    /// A member.
    #[must_use]
    pub fn member(identity: &str) -> Caller {
        Caller { identity: identity.to_owned(), realm: Realm::User, ..Caller::default() }
    }

    /// An administrator of groups.
    #[must_use]
    pub fn group_admin(identity: &str, groups: &[&str]) -> Caller {
        let scopes = Scopes::of_groups(groups);
        Caller { identity: identity.to_owned(), realm: Realm::GroupAdmin, scopes, ..Caller::default() }
    }

    /// A caller of a realm that needs permissions, with these (`*` is all).
    #[must_use]
    pub fn with_permissions(realm: Realm, identity: &str, permissions: &[&str]) -> Caller {
        let permissions = permissions.iter().map(|permission| (*permission).to_owned()).collect();
        Caller {
            identity: identity.to_owned(),
            realm,
            permissions: BTreeMap::from([(APPLICATION.to_owned(), permissions)]),
            ..Caller::default()
        }
    }

    /// Staff with all permissions.
    #[must_use]
    pub fn staff() -> Caller {
        Self::with_permissions(Realm::Internal, "staff", &["*"])
    }

    /// A machine with all permissions.
    #[must_use]
    pub fn machine() -> Caller {
        Self::with_permissions(Realm::Machine, "machine", &["*"])
    }

    /// REST as that caller.
    #[must_use]
    pub fn rest(&self, caller: &Caller) -> Rest {
        Rest::new(self.app.router.clone(), self.token(caller))
    }

    /// REST without a token.
    #[must_use]
    pub fn visitor(&self) -> Rest {
        Rest::new(self.app.router.clone(), String::new())
    }

    /// A domain as a channel for its generated client, as that caller.
    #[must_use]
    pub fn channel(&self, domain: &str, caller: &Caller) -> PeerChannel {
        PeerChannel::new(self.app.kernel.peers(), domain, &self.token(caller), "", None)
    }

    /// A domain as a channel for its generated client, without a token.
    #[must_use]
    pub fn visitor_channel(&self, domain: &str) -> PeerChannel {
        PeerChannel::new(self.app.kernel.peers(), domain, "", "", None)
    }

    /// Polls until `ask` answers something, for the work of workers; half a minute at most.
    ///
    /// # Panics
    /// When it never does.
    pub async fn eventually<T, F, Fut>(&self, what: &str, mut ask: F) -> T
    where
        F: FnMut() -> Fut,
        Fut: Future<Output = Option<T>>,
    {
        let until = tokio::time::Instant::now() + Duration::from_secs(30);
        loop {
            if let Some(found) = ask().await {
                return found;
            }
            assert!(tokio::time::Instant::now() < until, "{what} did not happen");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Stops the platform and replays every journal: no gap, equal state, and only declared transitions. Calls have
    /// refused for declared reasons only. With PAVISE_WATCH_LOGS, the logs must hold no secret either.
    ///
    /// # Panics
    /// When a journal is not sound.
    pub async fn finish(self) {
        let store = self.app.kernel.store().clone();
        let undeclared = self.app.kernel.undeclared_reasons();
        assert!(undeclared.is_empty(), "the contract does not declare these reasons: {undeclared:?}");
        self.app.stop().await;
        for journal in pavise::journal::journals_of(&self.domains) {
            let verdict = pavise::journal::verify(&store, journal, false).await;
            assert!(verdict.as_ref().is_ok_and(|verdict| verdict.problems.is_empty()), "{journal}: {verdict:?}");
            let undeclared = transitions::undeclared(&store, journal).await;
            assert!(undeclared.as_ref().is_ok_and(BTreeSet::is_empty), "{journal}: no call declares {undeclared:?}");
        }
    }
}
