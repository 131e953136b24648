//! `pavise serve` and `pavise migrate`.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context as _;
use pavise_kernel::files::Files;
use pavise_kernel::peers::Transport;
use pavise_kernel::sealed::{FieldSealer, KeyStore, Keys, MasterKeys};
use pavise_kernel::store::Store;
use pavise_kernel::test_clock;
use pavise_kernel::time::{Clock as _, ClockOffset, Ids, SystemClock};
use pavise_mesh::{AddressLayer, Addressed, ClientTls, Drained, Endpoint, Guarded, ServerTls, Serving, Spans};
use pavise_rest::Front;
use pavise_transcode::Transcoder;
use tokio::net::{TcpListener, TcpSocket};
use tokio::signal::unix::{SignalKind, signal};
use tokio::task::JoinSet;
use tower::Layer as _;

use crate::admin::{self, Opened};
use crate::app::{self, App, Plan};
use crate::channels::Post;
use crate::settings::{Settings, TestClockStart};
use crate::telemetry::{self, Telemetry};
use crate::{demo, domains, engine, openapi, print_out, sellers, web};

/// Connections that may wait to be accepted.
const BACKLOG: u32 = 1024;

/// Serves until shutdown, then drains.
///
/// # Errors
/// When the server cannot start; the text says what to do.
pub async fn serve(settings: Settings) -> anyhow::Result<ExitCode> {
    let began = Instant::now();
    let telemetry = Telemetry::start(&settings)?;
    let metrics = telemetry::metrics()?;
    let post = Post::new(&settings)?;
    // A server without a valid certificate is not ready, and touches nothing.
    let certificates =
        settings.tls.clone().map(|(cert, key)| ServerTls { cert, key, client_ca: settings.tls_client_ca.clone() });
    let tls = certificates.map(|files| files.config()).transpose().context("--tls-cert, --tls-key, --tls-client-ca")?;
    let app = App::start(plan(&settings, &post).await?).await?;
    let place = Place::reserve(&settings.listen).await?;
    let admin_place = Place::reserve(&settings.admin_listen).await?;
    let stop = app.kernel.stop_token().clone();
    let router = surface(&app, &settings, telemetry.spans())?;
    let (mut ports, opened) = (JoinSet::new(), Opened::default());
    let admin = admin::router(app.kernel.clone(), opened.clone(), metrics, post.outbox());
    let serving = Serving { shutdown: stop.clone(), grace: settings.grace, ..Serving::default() };
    ports.spawn(serving.clone().run(admin_place.listen()?, admin));
    let mut told = Box::pin(catch_signals()?);
    // The data are loaded before anybody is served: a caller could take addresses of the demonstration.
    let mut ended = match until_told(&mut ports, demonstration(&app, &settings), &mut told).await {
        Ok(Some(sign_ins)) => {
            let serving = Serving { tls, strict_transport: settings.https(), ..serving };
            ports.spawn(serving.run(place.listen()?, router));
            opened.set();
            let millis = began.elapsed().as_millis();
            tracing::info!(listen = settings.listen, domains = settings.only.join(","), millis, "ready");
            greet(&settings, post.outbox().is_some());
            warn_of_tests(&settings);
            demo::print(&settings, sign_ins);
            until_told(&mut ports, std::future::pending(), told).await.map(|_: Option<()>| ())
        }
        other => other.map(drop),
    };
    eprintln!("Pavise stops: requests in progress have {} s to end", settings.grace.as_secs());
    stop.cancel();
    while let Some(port) = ports.join_next().await {
        ended = ended.and(port.map(drop).context("a port ended badly"));
    }
    let store = app.kernel.store().clone();
    app.stop().await;
    engine::close(&store).await;
    telemetry.stop();
    ended.map(|()| ExitCode::SUCCESS)
}

/// Loads the demonstration's data, where the settings ask for them.
async fn demonstration(app: &App, settings: &Settings) -> anyhow::Result<Vec<demo::DemoSignIn>> {
    if !settings.demo_data {
        return Ok(Vec::new());
    }
    demo::load(app, settings).await.context("the demonstration's data")
}

/// Prints the addresses of the server.
fn greet(settings: &Settings, outbox: bool) {
    let scheme = if settings.tls.is_some() { "https" } else { "http" };
    let (only, admin) = (settings.only.join(", "), &settings.admin_listen);
    eprintln!("Pavise serves {only} at {scheme}://{} (admin: http://{admin})", settings.listen);
    if outbox {
        eprintln!("Messages that no mail server takes are shown at http://{admin}/outbox");
    }
}

/// Warns that payments of this server may move no money, and that its days may not be those of the calendar.
fn warn_of_tests(settings: &Settings) {
    if settings.test_vendor {
        tracing::warn!("the test vendor is on: its charges move no money, and purchases use sample tax rates");
    }
    if settings.test_clock.is_some() {
        tracing::warn!("the test clock is on: staff can move the days of this database, forward alone");
    }
}

/// The result of the work; `None` at shutdown before its end. A port that ends unasked is an error: a process that does
/// not serve helps nobody.
async fn until_told<T>(
    ports: &mut JoinSet<Drained>,
    work: impl Future<Output = anyhow::Result<T>>,
    told: impl Future<Output = ()>,
) -> anyhow::Result<Option<T>> {
    tokio::select! {
        () = told => Ok(None),
        done = work => done.map(Some),
        Some(port) = ports.join_next() => {
            port.context("a port ended badly")?;
            anyhow::bail!("a port ended before it was told to")
        }
    }
}

/// Brings the tables up to date.
///
/// # Errors
/// When the database does not answer or a landed migration was changed.
pub async fn migrate(settings: &Settings) -> anyhow::Result<ExitCode> {
    let store =
        engine::open(&settings.database, settings.database_connections, &domains::migrations(&settings.only)).await?;
    let written = rewrite_earlier(settings, store.as_ref()).await;
    engine::close(&store).await;
    let written = written.context("earlier documents could not be written anew")?;
    print_out(&format!("the tables of {} are up to date\n", settings.only.join(", ")))?;
    if written > 0 {
        print_out(&format!(
            "{written} earlier documents were written anew: sealed, or with lookups that were added since\n"
        ))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes anew what an earlier version stored otherwise. Answers the number of documents. Without a key secret it leaves that
/// to the servers, which do it while they run: a migration on PostgreSQL needs none.
async fn rewrite_earlier(settings: &Settings, store: &dyn Store) -> anyhow::Result<u64> {
    if settings.key_secret.is_none() && engine::sqlite_file(&settings.database).is_none() {
        return Ok(0);
    }
    let (ids, clock) = (Ids::random(), Arc::new(SystemClock));
    let keys = sealed_with(settings, &key_secret(settings, &ids)?)?.filter(|_| has_key_database(settings));
    if let Some((keys, _)) = &keys {
        // A server may lack the right to make the key database's table.
        keys.keys(&[]).await.context("--key-database")?;
    }
    let keys = keys.map(|(keys, masters)| Keys::new(keys, masters, ids.clone(), clock.clone()));
    let pool = domains::pool(false)?;
    let sealer = FieldSealer::new(&pool, Transcoder::new(&pool), keys);
    let tables: Vec<_> = domains::tables_of(&settings.only).collect();
    let written = sealer.rewrite_earlier(store, &tables, &ids.next(clock.now())).await;
    sealer.close_keys().await;
    written.map_err(|error| anyhow::anyhow!("{}", error.cause().unwrap_or(error.message())))
}

/// The key database and the master keys; `None` without a key secret.
fn sealed_with(settings: &Settings, secret: &str) -> anyhow::Result<Option<(Arc<dyn KeyStore>, MasterKeys)>> {
    if secret.is_empty() {
        return Ok(None);
    }
    let masters = MasterKeys::new(secret, settings.key_secret_also.as_deref());
    Ok(Some((engine::keys(&key_database(settings))?, masters)))
}

/// The plan of the app, from the settings.
async fn plan(settings: &Settings, post: &Post) -> anyhow::Result<Plan> {
    let store =
        engine::open(&settings.database, settings.database_connections, &domains::migrations(&settings.only)).await?;
    let test_clock = open_test_clock(settings, store.as_ref()).await?;
    let ids = Ids::random();
    let mut secret = [0; 32];
    ids.fill_random(&mut secret);
    let mesh_secret =
        settings.mesh_secret.as_ref().map_or_else(|| secret.to_vec(), |secret| secret.as_bytes().to_vec());
    let key_secret = key_secret(settings, &ids)?;
    // A process without a key secret has the mesh secret, or else runs alone.
    let page_secret = if key_secret.is_empty() { mesh_secret.clone() } else { key_secret.as_bytes().to_vec() };
    let keys = sealed_with(settings, &key_secret)?;
    let keys = keys.map(|(store, masters)| (has_key_database(settings).then_some(store), masters));
    let mut identity = pavise_identity::Config {
        public_url: settings.public_url.clone(),
        passkey_domain: settings.passkey_domain.clone(),
        passkey_origins: settings.passkey_origins.clone(),
        secure_cookies: settings.secure_cookies(),
        second_factor_realms: settings.second_factor_realms.clone(),
        key_encryption_secret_also: settings.key_secret_also.clone(),
        ..pavise_identity::Config::new(key_secret)
    };
    if let Some(file) = &settings.leaked_passwords {
        let leaked = pavise_identity::LeakedPasswords::open(file);
        identity.leaked_passwords =
            Some(Arc::new(leaked.with_context(|| format!("--leaked-passwords {}", file.display()))?));
    }
    if let Some(applications) = &settings.sign_in_apps {
        identity.applications.clone_from(applications);
    }
    let messaging = pavise_messaging::Config {
        channels: Arc::new(post.clone()),
        public_url: settings.public_url.clone(),
        sendgrid_verification_key: settings.sendgrid_verification_key.clone(),
        twilio_auth_token: settings.twilio_auth_token.clone(),
    };
    let documents = pavise_documents::Config {
        public_url: settings.public_url.clone(),
        chromium: Some(settings.chromium.clone().unwrap_or_else(|| "chromium".into())),
        print_hosts: settings.print_hosts.clone(),
        clamd: settings.clamd.clone(),
    };
    let billing = pavise_billing::Config {
        test_vendor: settings.test_vendor,
        stripe: settings.stripe.clone(),
        public_url: settings.public_url.clone(),
        sellers: settings.sellers.as_deref().map(sellers::read_sellers).transpose()?.unwrap_or_default(),
        unused_days: settings.unused_days,
        repricing_notice_days: settings.repricing_notice_days,
    };
    let rest = pavise_rest::Options {
        base_domain: settings.base_domain.clone(),
        max_body: settings.max_body,
        allowed_origins: settings.allowed_origins.clone(),
        secure_cookies: settings.secure_cookies(),
        https: settings.https(),
        public_url: settings.public_url.clone(),
        precedence: domains::precedence(),
        ..pavise_rest::Options::default()
    };
    Ok(Plan {
        store,
        keys,
        clock: Arc::new(SystemClock),
        test_clock,
        ids,
        only: settings.only.clone(),
        peers: remotes(settings)?,
        mesh_secret,
        mesh_secret_also: settings.mesh_secret_also.as_ref().map(|secret| secret.as_bytes().to_vec()),
        page_secret,
        page_secret_also: settings.key_secret_also.as_ref().map(|secret| secret.as_bytes().to_vec()),
        token_keys: Vec::new(),
        domains: pavise_kernel::domain::Settings::default()
            .with(files(settings)?)
            .with(identity)
            .with(messaging)
            .with(documents)
            .with(billing)
            .with(pavise_orders::Config { sample_taxes: settings.test_vendor, cooling_off: settings.cooling_off }),
        rest,
        workers: true,
    })
}

/// The test clock of the database; `None` without one.
async fn open_test_clock(settings: &Settings, store: &dyn Store) -> anyhow::Result<Option<ClockOffset>> {
    let now = SystemClock.now();
    let opened = match settings.test_clock {
        None => test_clock::stay_with_machine(store, now).await.map(|()| None),
        Some(TestClockStart::Today) => test_clock::open(store, now, None).await.map(Some),
        Some(TestClockStart::On(day)) => test_clock::open(store, now, Some(day)).await.map(Some),
    };
    opened.map_err(|error| anyhow::anyhow!("{}", error.cause().unwrap_or(error.message())))
}

/// The store of files: as set, or a folder beside an SQLite database.
fn files(settings: &Settings) -> anyhow::Result<Files> {
    if let Some(place) = &settings.files {
        return pavise_files::open(place).with_context(|| format!("--files {place}"));
    }
    match engine::sqlite_file(&settings.database) {
        Some(database) => pavise_files::open_folder(&database.with_extension("files")),
        None => Ok(Files::not_configured()),
    }
}

/// The transports to the domains that do not run here.
fn remotes(settings: &Settings) -> anyhow::Result<BTreeMap<String, Transport>> {
    let mut transports = BTreeMap::new();
    for (domain, url) in settings.peers.iter().filter(|(domain, _)| !settings.only.contains(domain)) {
        let (cert, key) = settings.peer_cert.clone().unzip();
        let tls = settings.peer_ca.clone().map(|ca| ClientTls { ca: Some(ca), cert, key, ..ClientTls::default() });
        let endpoint = Endpoint { url: url.clone(), tls, ..Endpoint::default() };
        let transport =
            pavise_mesh::remote(&endpoint, domains::reads).with_context(|| format!("--peer {domain}={url}"))?;
        transports.insert(domain.clone(), transport);
    }
    Ok(transports)
}

/// Whether the process has the key database: it runs the identity domain, or is told where the database is. Others ask the
/// identity domain, and make no keys of their own.
fn has_key_database(settings: &Settings) -> bool {
    settings.key_database.is_some() || settings.only.iter().any(|name| name == "identity")
}

/// The URL of the key database.
fn key_database(settings: &Settings) -> String {
    settings.key_database.clone().unwrap_or_else(|| engine::keys_beside(&settings.database))
}

/// The secret that seals the token keys: as set, or kept beside an SQLite database.
fn key_secret(settings: &Settings, ids: &Ids) -> anyhow::Result<String> {
    if let Some(secret) = &settings.key_secret {
        return Ok(secret.clone());
    }
    let Some(file) = engine::sqlite_file(&settings.database) else {
        anyhow::ensure!(
            !settings.only.iter().any(|name| name == "identity"),
            "on PostgreSQL, set --key-secret (or PAVISE_KEY_SECRET): it seals the token keys in the database"
        );
        return Ok(String::new());
    };
    let kept = file.with_extension("key");
    if let Ok(secret) = std::fs::read_to_string(&kept) {
        return Ok(secret);
    }
    let mut secret = [0; 32];
    ids.fill_random(&mut secret);
    let secret = pavise_kernel::hex::to_hex(&secret);
    write_private(&kept, secret.as_bytes())
        .with_context(|| format!("the key file {} cannot be written", kept.display()))?;
    Ok(secret)
}

/// Writes a file that only its owner may read.
fn write_private(file: &Path, content: &[u8]) -> std::io::Result<()> {
    use std::io::Write as _;
    use std::os::unix::fs::OpenOptionsExt as _;
    let mut options = std::fs::OpenOptions::new();
    let mut file = options.write(true).create_new(true).mode(0o600).open(file)?;
    file.write_all(content)?;
    file.sync_all()
}

/// All services of the port: gRPC, gRPC-web, REST, health, web apps, and reflection where the settings ask for it.
fn surface(app: &App, settings: &Settings, spans: Spans) -> anyhow::Result<Addressed<Guarded<Front>>> {
    let (health, health_service) = tonic_health::server::health_reporter();
    drop(health);
    let mut extra = tonic::service::Routes::new(health_service);
    if settings.reflection {
        let descriptors = app::encoded(&app.pool);
        let reflection =
            || tonic_reflection::server::Builder::configure().register_encoded_file_descriptor_set(&descriptors);
        extra = extra.add_service(reflection().build_v1()?).add_service(reflection().build_v1alpha()?);
    }
    let mut router = app.router.clone().merge(extra.into_axum_router().reset_fallback());
    router = router.merge(openapi::router()).merge(web::contract(&app.pool)?).merge(web::apps(&settings.web));
    let guarded = pavise_mesh::guard(app.rest.clone().before(router), settings.max_in_flight, spans);
    Ok(AddressLayer::new(settings.trusted_proxies.clone()).layer(guarded))
}

/// An address that is reserved for this process, and refuses connections until it listens.
struct Place {
    socket: TcpSocket,
    address: String,
}

impl Place {
    async fn reserve(address: &str) -> anyhow::Result<Self> {
        let refused = || refused(address);
        let mut last = None;
        for found in tokio::net::lookup_host(address).await.with_context(refused)? {
            match bind(found) {
                Ok(socket) => return Ok(Self { socket, address: address.to_owned() }),
                Err(error) => last = Some(error),
            }
        }
        Err(last.map_or_else(|| anyhow::anyhow!("the name has no address"), anyhow::Error::new)).with_context(refused)
    }

    fn listen(self) -> anyhow::Result<TcpListener> {
        self.socket.listen(BACKLOG).with_context(|| refused(&self.address))
    }
}

fn bind(address: SocketAddr) -> std::io::Result<TcpSocket> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    Ok(socket)
}

fn refused(address: &str) -> String {
    format!("cannot listen on {address}: is another server running there?")
}

/// Waits for Ctrl-C or SIGTERM. From the call on, not from the first poll, neither ends the process by itself.
fn catch_signals() -> anyhow::Result<impl Future<Output = ()>> {
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The result when a port does this while the work goes on.
    async fn ended(
        port: impl Future<Output = Drained> + Send + 'static,
        work: impl Future<Output = anyhow::Result<()>>,
    ) -> String {
        let mut ports = JoinSet::new();
        ports.spawn(port);
        let ended = until_told(&mut ports, work, std::future::pending()).await;
        ended.map_or_else(|error| format!("{error:#}"), |done| format!("{done:?}"))
    }

    #[tokio::test]
    async fn a_port_that_ends_ends_the_process() {
        let drained = Drained { open: 0, cut: 0 };
        let (never, done) = (std::future::pending, || async { Ok(()) });
        assert!(ended(async { panic!("no more descriptors") }, never()).await.starts_with("a port ended badly"));
        assert_eq!(ended(async move { drained }, never()).await, "a port ended before it was told to");
        assert_eq!(ended(std::future::pending(), async { Err(anyhow::anyhow!("no data")) }).await, "no data");
        assert_eq!(ended(std::future::pending(), done()).await, "Some(())");
        let mut ports = JoinSet::new();
        ports.spawn(std::future::pending());
        let told = until_told(&mut ports, never(), async {}).await.unwrap();
        assert_eq!(told, None::<()>);
    }

    #[tokio::test]
    async fn a_reserved_place_refuses_callers_until_it_listens() {
        let place = Place::reserve("127.0.0.1:0").await.unwrap();
        let address = place.socket.local_addr().unwrap();
        let early = tokio::net::TcpStream::connect(address).await.unwrap_err();
        assert_eq!(early.kind(), std::io::ErrorKind::ConnectionRefused);
        let listener = place.listen().unwrap();
        tokio::net::TcpStream::connect(address).await.unwrap();
        let taken = Place::reserve(&address.to_string()).await.err().unwrap();
        assert!(format!("{taken:#}").contains("is another server running there?"), "{taken:#}");
        drop(listener);
    }
}
