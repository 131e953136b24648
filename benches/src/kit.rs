//! The measured service made of our parts: kernel, journal, authentication, tracing, transcoder, facade.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use pavise_kernel::caller::{APPLICATION, Caller, Realm};
use pavise_kernel::peers::{PeerChannel, Peers};
use pavise_kernel::sealed::{FieldSealer, KeyStore, Keys, MasterKeys};
use pavise_kernel::store::Store;
use pavise_kernel::time::{Ids, SystemClock};
use pavise_kernel::token::{KeySource, TokenKey, TokenVerifier, VerifyingKey, issue_token};
use pavise_kernel::{Kernel, Result, async_trait};
use pavise_kernel_postgres::{PostgresKeys, PostgresStore};
use pavise_kernel_sqlite::{SqliteKeys, SqliteStore};
use pavise_transcode::Transcoder;
use prost_reflect::DescriptorPool;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;
use tower::ServiceBuilder;

use crate::contract::{DESCRIPTORS, METHODS, MIGRATIONS, TABLES};

/// More than the open calls of any load generator here.
const MAX_IN_FLIGHT: usize = 4_096;
/// How many connections a process has to PostgreSQL, as `pavise serve` has.
const CONNECTIONS: usize = 16;
/// Longer than any benchmark.
const TOKEN_LIFETIME: Duration = Duration::from_secs(24 * 3600);

/// The key that signs the benchmark's token.
#[derive(Debug)]
struct OneKey(TokenKey);

#[async_trait]
impl KeySource for OneKey {
    async fn key(&self, kid: &str) -> Result<Option<VerifyingKey>> {
        Ok((kid == self.0.kid()).then(|| self.0.public()))
    }
}

/// The service, ready to be called in process or to be served.
pub(crate) struct Kit {
    pub(crate) kernel: Kernel,
    peers: Peers,
    routes: Routes,
    pool: DescriptorPool,
    transcoder: Transcoder,
    pub(crate) token: String,
}

impl Kit {
    /// On a database, which gets its tables. With master keys, it seals fields.
    pub(crate) async fn on(database: &str, masters: Option<MasterKeys>) -> anyhow::Result<Self> {
        let migrations = [&MIGRATIONS];
        let store: Arc<dyn Store> = match crate::engines::sqlite_file(database) {
            Some(file) => Arc::new(SqliteStore::open(file, &migrations).await?),
            None => Arc::new(PostgresStore::connect(database, CONNECTIONS, &migrations).await?),
        };
        let pool = DescriptorPool::decode(DESCRIPTORS)?;
        let transcoder = Transcoder::new(&pool);
        let key = TokenKey::new("bench", &[7; 32]);
        let peers = Peers::default();
        let mut builder = Kernel::builder(store, transcoder.clone());
        if let Some(masters) = masters {
            let keys = data_keys(database, masters)?;
            builder = builder.seal_fields(FieldSealer::new(&pool, transcoder.clone(), Some(keys)));
        }
        let kernel = builder
            .peers(peers.clone())
            .verifier(Arc::new(TokenVerifier::new(Arc::new(OneKey(key.clone())), None)))
            .contract(METHODS, TABLES)
            .build();
        if let Some(file) = crate::engines::sqlite_file(database) {
            kernel.provide(pavise_files::open_folder(&Path::new(file).with_extension("files"))?);
        }
        let (routes, direct) = crate::contract::services(&kernel).into_parts();
        peers.install_with(BTreeMap::from([("bench".to_owned(), pavise_mesh::local(routes.clone()))]), direct);
        let caller = Caller {
            identity: "bench".to_owned(),
            realm: Realm::Machine,
            permissions: BTreeMap::from([(APPLICATION.to_owned(), ["*".to_owned()].into())]),
            ..Caller::default()
        };
        let token = issue_token(&caller, TOKEN_LIFETIME, &key, kernel.machine_clock().now());
        Ok(Self { kernel, peers, routes, pool, transcoder, token })
    }

    /// The service as a channel for its generated client.
    pub(crate) fn channel(&self) -> PeerChannel {
        PeerChannel::new(&self.peers, "bench", &self.token, "", None)
    }
}

/// The keys of sealed fields beside a database.
pub(crate) fn data_keys(database: &str, masters: MasterKeys) -> anyhow::Result<Keys> {
    let store: Arc<dyn KeyStore> = match crate::engines::sqlite_file(database) {
        Some(file) => Arc::new(SqliteKeys::new(format!("{file}.keys"))),
        None => Arc::new(PostgresKeys::new(database)?),
    };
    Ok(Keys::new(store, masters, Ids::random(), Arc::new(SystemClock)))
}

/// Several kits on one database, as several processes would be: each with its own store and committer.
pub(crate) async fn several(database: &str, count: usize, masters: Option<&MasterKeys>) -> anyhow::Result<Vec<Kit>> {
    let mut kits = Vec::new();
    for _ in 0..count {
        kits.push(Kit::on(database, masters.cloned()).await?);
    }
    Ok(kits)
}

/// Serves until the process is ended. The first printed line is the token.
pub(crate) async fn serve(listen: &str, database: &str) -> anyhow::Result<()> {
    tracing_subscriber::fmt()
        .with_ansi(false)
        .with_writer(std::io::stderr)
        .with_max_level(tracing_subscriber::filter::LevelFilter::INFO)
        .init();
    let kit = Kit::on(database, None).await?;
    let grpc = kit.routes.into_axum_router().reset_fallback();
    let layers = ServiceBuilder::new().layer(tonic_web::GrpcWebLayer::new()).layer(pavise_mesh::ReasonLayer);
    let grpc = grpc.layer(layers);
    let rest = pavise_rest::facade(&kit.pool, kit.transcoder, kit.peers, pavise_rest::Options::default())?;
    let router = pavise_mesh::guard(
        rest.clone().before(grpc.fallback_service(rest)),
        MAX_IN_FLIGHT,
        pavise_mesh::Spans::default(),
    );
    let listener = TcpListener::bind(listen).await?;
    {
        let mut out = std::io::stdout().lock();
        writeln!(out, "{}", kit.token)?;
        out.flush()?;
    }
    pavise_mesh::serve(listener, router, None, CancellationToken::new(), Duration::ZERO).await;
    Ok(())
}
