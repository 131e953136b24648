//! Builds the platform: engine, kernel, domains, channels between them, and the services of a port.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::{Context as _, bail};
use axum::Router;
use pavise_contract::Contract;
use pavise_identity::{LocalKeys, RemoteKeys, Revocations};
use pavise_kernel::forget::Forget;
use pavise_kernel::kernel::Builder;
use pavise_kernel::migrations::Migrations;
use pavise_kernel::peers::Peers;
use pavise_kernel::services::Direct;
use pavise_kernel::store::Store;
use pavise_kernel::table::{Holding, Method};
use pavise_kernel::time::{Clock, Ids};
use pavise_kernel::token::{KeySource, MeshCredential, TokenKey, TokenVerifier, VerifyingKey};
use pavise_kernel::worker::Worker;
use pavise_kernel::{Domain, HandOver, Kernel, Revoked, TableEntry};
use pavise_owned::merge::MergeWorker;
use pavise_rest::Rest;
use pavise_transcode::Transcoder;
use prost_reflect::DescriptorPool;
use tokio::task::JoinHandle;
use tower::{ServiceBuilder, ServiceExt as _};

use crate::settings::DOMAINS;

/// The parts of an app.
#[derive(Debug)]
pub struct Plan {
    /// The engine, migrated for the domains that run.
    pub store: Arc<dyn Store>,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// The source of ids.
    pub ids: Ids,
    /// The domains that run here.
    pub only: Vec<String>,
    /// The transports to the other domains.
    pub peers: BTreeMap<String, pavise_kernel::peers::Transport>,
    /// The secret that all processes of the platform share.
    pub mesh_secret: Vec<u8>,
    /// Further keys that tokens may be signed with; the platform's own come from the identity domain.
    pub keys: Vec<Arc<dyn KeySource>>,
    /// The domains' own settings.
    pub domains: DomainSettings,
    /// The settings of the REST facade.
    pub rest: pavise_rest::Options,
    /// Whether workers run.
    pub workers: bool,
}

/// The domains' own settings.
#[derive(Debug, Clone)]
pub struct DomainSettings {
    /// Passwords and tokens.
    pub identity: pavise_identity::Config,
    /// Vendors.
    pub billing: pavise_billing::Config,
}

/// The platform, or the part of it that runs here.
#[derive(Debug)]
pub struct App {
    /// The kernel.
    pub kernel: Kernel,
    /// All contracts, those of the peers too.
    pub pool: DescriptorPool,
    /// gRPC, gRPC-web and REST.
    pub router: Router,
    /// REST alone, to stand before a router that has more.
    pub rest: Rest,
    /// Signs the calls between the parts.
    pub mesh_key: TokenKey,
    revocations: JoinHandle<()>,
    workers: Option<JoinHandle<()>>,
}

/// Several sources of keys, asked in turn.
#[derive(Debug)]
struct Sources(Vec<Arc<dyn KeySource>>);

#[pavise_kernel::async_trait]
impl KeySource for Sources {
    async fn key(&self, kid: &str) -> pavise_kernel::Result<Option<VerifyingKey>> {
        for source in &self.0 {
            if let Some(key) = source.key(kid).await? {
                return Ok(Some(key));
            }
        }
        Ok(None)
    }
}

/// A domain crate's constants.
struct Declared {
    name: &'static str,
    methods: &'static [&'static Method],
    tables: &'static [&'static TableEntry],
    descriptors: &'static [u8],
    commented: &'static [u8],
    migrations: &'static Migrations,
    holdings: &'static [&'static Holding],
    /// The name of the worker that deletes old idempotency records.
    forget: &'static str,
    /// The name of the worker that transfers ownership when two identities are merged.
    hand_over: &'static str,
}

impl Declared {
    fn forget(&self) -> Arc<dyn Worker> {
        let mut journals: Vec<&'static str> = self.tables.iter().map(|entry| entry.table.journal).collect();
        journals.sort_unstable();
        journals.dedup();
        Arc::new(Forget::new(self.forget, journals))
    }

    /// The domain's worker for merges; `None` where a merge moves nothing of it.
    fn merge_worker(&self, hand_overs: &[Arc<dyn HandOver>]) -> pavise_kernel::Result<Option<Arc<dyn Worker>>> {
        let worker = MergeWorker::new(self.hand_over, self.holdings, hand_overs)?;
        Ok((!self.holdings.is_empty()).then(|| Arc::new(worker) as Arc<dyn Worker>))
    }
}

macro_rules! declared {
    ($name:literal, $domain:ident) => {
        Declared {
            name: $name,
            methods: $domain::contract::METHODS,
            tables: $domain::contract::TABLES,
            descriptors: $domain::contract::DESCRIPTORS,
            commented: $domain::contract::COMMENTED,
            migrations: &$domain::contract::MIGRATIONS,
            holdings: $domain::contract::HOLDINGS,
            forget: concat!($name, ".forget"),
            hand_over: concat!($name, ".hand_over"),
        }
    };
}

/// One line per domain: the place where a new domain joins the platform.
static DECLARED: [Declared; DOMAINS.len()] = [
    declared!("orders", pavise_orders),
    declared!("fulfillment", pavise_fulfillment),
    declared!("identity", pavise_identity),
    declared!("billing", pavise_billing),
    declared!("catalog", pavise_catalog),
];

/// The migrations of these domains.
#[must_use]
pub fn migrations(only: &[String]) -> Vec<&'static Migrations> {
    DECLARED.iter().filter(|domain| only.iter().any(|name| name == domain.name)).map(|domain| domain.migrations).collect()
}

/// The aggregates of all domains.
pub fn tables() -> impl Iterator<Item = &'static TableEntry> {
    DECLARED.iter().flat_map(|domain| domain.tables.iter().copied())
}

/// The holdings that all domains keep for each owner.
pub fn holdings() -> impl Iterator<Item = &'static Holding> {
    DECLARED.iter().flat_map(|domain| domain.holdings.iter().copied())
}

/// The aggregates of these domains.
pub fn tables_of(domains: &[String]) -> impl Iterator<Item = &'static TableEntry> {
    let runs = move |domain: &&Declared| domains.iter().any(|name| name == domain.name);
    DECLARED.iter().filter(runs).flat_map(|domain| domain.tables.iter().copied())
}

/// The whole contract, with comments for documents or without for serving.
///
/// # Errors
/// When an embedded descriptor set does not decode, which the build rules out.
pub fn pool(comments: bool) -> anyhow::Result<DescriptorPool> {
    let mut pool = DescriptorPool::new();
    if comments {
        // No domain's protos import the reasons that all share.
        pool.decode_file_descriptor_set(pavise_contract::DESCRIPTORS).context("the shared descriptors")?;
    }
    for domain in &DECLARED {
        let set = if comments { domain.commented } else { domain.descriptors };
        pool.decode_file_descriptor_set(set).with_context(|| format!("the descriptors of {}", domain.name))?;
    }
    Ok(pool)
}

impl App {
    /// Puts the app together and starts its workers.
    ///
    /// # Errors
    /// When the contract cannot be read, or a domain neither runs here nor is a peer.
    pub async fn start(plan: Plan) -> anyhow::Result<Self> {
        let pool = pool(false)?;
        let transcoder = Transcoder::new(&pool);
        let mesh_key = TokenKey::mesh(&plan.mesh_secret);
        let peers = Peers::default();
        let here = plan.only.iter().any(|name| name == "identity");
        let mut sources = plan.keys.clone();
        let source: Arc<dyn KeySource> = match plan.peers.get("identity") {
            _ if here => Arc::new(LocalKeys::new(plan.store.clone())),
            Some(transport) => Arc::new(RemoteKeys::new(transport.clone())),
            None => bail!("the domain identity neither runs here nor has a --peer"),
        };
        sources.push(source);
        let revoked = Revoked::default();
        let mut builder = Kernel::builder(plan.store.clone(), transcoder.clone())
            .clock(plan.clock.clone())
            .ids(plan.ids.clone())
            .peers(peers.clone())
            .holdings(holdings())
            .verifier(Arc::new(TokenVerifier::new(Arc::new(Sources(sources)), Some(mesh_key.public())).without(revoked.clone())))
            .credential(Arc::new(MeshCredential::new(mesh_key.clone(), "pavise")));
        builder = contract(builder, &plan.only);
        let kernel = builder.build();
        let built = domains(&kernel, &plan);
        let Wired { transports, direct, workers, grpc } = wire(built, &plan)?;
        peers.install_with(transports, direct);
        let grpc = forward(grpc, &Contract::read(&pool)?, &plan.only, &peers);
        let origins = plan.rest.allowed_origins.clone();
        let options = pavise_rest::Options { draining: kernel.stopping().clone(), ..plan.rest };
        let rest = pavise_rest::facade(&pool, transcoder, peers, options)?;
        if here {
            pavise_identity::bootstrap(&kernel, &plan.domains.identity).await.context("the first token key")?;
        }
        if plan.only.iter().any(|name| name == "orders") {
            pavise_orders::bootstrap(&kernel).await.context("the tax rates")?;
        }
        let mut revocations = Revocations::new(kernel.clone(), revoked);
        if here {
            revocations.catch_up().await.context("the ended sessions")?;
        }
        let revocations = tokio::spawn(revocations.follow(here));
        let stop = kernel.stopping().clone();
        let workers = plan.workers.then(|| tokio::spawn(pavise_kernel::runner::run(kernel.clone(), workers, stop)));
        let cookies = pavise_rest::Cookies::new(&Contract::read(&pool)?, &origins);
        let admit = move |request, next| cookies.clone().admit(request, next);
        // Only gRPC paths are translated: on plain HTTP the layer would answer 400. All layers are added at once,
        // since each
        // addition boxes the router's routes anew.
        let grpc = grpc.layer(
            ServiceBuilder::new()
                .option_layer((!origins.is_empty()).then(|| pavise_rest::cors(&origins)))
                .layer(tonic_web::GrpcWebLayer::new())
                .layer(pavise_mesh::ReasonLayer)
                .map_request(|request: http::Request<tonic::body::Body>| request.map(axum::body::Body::new))
                .layer(axum::middleware::from_fn(admit)),
        );
        let router = grpc.fallback_service(rest.clone());
        Ok(Self { kernel, pool, router, rest, mesh_key, revocations, workers })
    }

    /// Stops the workers and commits pending writes.
    pub async fn stop(self) {
        self.kernel.stopping().cancel();
        if let Some(workers) = self.workers {
            let _ = workers.await;
        }
        let _ = self.revocations.await;
        self.kernel.committer().shutdown().await;
    }

    /// The contract as read from the descriptors.
    ///
    /// # Errors
    /// Never for a contract that was built.
    pub fn contract(&self) -> anyhow::Result<Contract> {
        Ok(Contract::read(&self.pool)?)
    }
}

fn contract(mut builder: Builder, only: &[String]) -> Builder {
    for domain in DECLARED.iter().filter(|domain| only.iter().any(|name| name == domain.name)) {
        builder = builder.contract(domain.methods, domain.tables);
    }
    builder
}

/// The domains that run here.
fn domains(kernel: &Kernel, plan: &Plan) -> Vec<Domain> {
    let runs = |name: &str| plan.only.iter().any(|one| one == name);
    let mut built = Vec::new();
    if runs("identity") {
        built.push(pavise_identity::domain(kernel, plan.domains.identity.clone()));
    }
    if runs("catalog") {
        built.push(pavise_catalog::domain(kernel));
    }
    if runs("orders") {
        built.push(pavise_orders::domain(kernel));
    }
    if runs("billing") {
        built.push(pavise_billing::domain(kernel, &plan.domains.billing));
    }
    if runs("fulfillment") {
        built.push(pavise_fulfillment::domain(kernel));
    }
    built
}

/// Forwards gRPC calls of the domains that do not run here to their peers, so that any process serves all calls.
fn forward(mut grpc: Router, contract: &Contract, only: &[String], peers: &Peers) -> Router {
    for service in contract.services.iter().filter(|service| !only.contains(&service.domain)) {
        let (peers, domain) = (peers.clone(), service.domain.clone());
        let pass = move |request: axum::extract::Request| {
            let transport = peers.transport(&domain);
            async move {
                let Some(transport) = transport else { return tonic::Status::unavailable("no such peer").into_http() };
                match transport.oneshot(request.map(tonic::body::Body::new)).await {
                    Ok(response) => response,
                    Err(error) => {
                        tracing::warn!(cause = %error, "a peer does not answer");
                        tonic::Status::unavailable("a part of the platform does not answer; try again").into_http()
                    }
                }
                .map(axum::body::Body::new)
            }
        };
        grpc = grpc.route(&format!("/{}/{{rpc}}", service.descriptor.full_name()), axum::routing::post(pass));
    }
    grpc
}

/// The joined domains of this process.
struct Wired {
    /// The channels between the domains.
    transports: BTreeMap<String, pavise_kernel::peers::Transport>,
    /// The unary calls that need no channel.
    direct: Direct,
    workers: Vec<Arc<dyn Worker>>,
    grpc: Router,
}

/// Joins the domains.
fn wire(built: Vec<Domain>, plan: &Plan) -> anyhow::Result<Wired> {
    let mut transports = plan.peers.clone();
    let (mut direct, mut workers, mut grpc) = (Direct::default(), Vec::new(), Router::new());
    for domain in built {
        workers.extend(domain.workers);
        for declared in DECLARED.iter().filter(|declared| declared.name == domain.name) {
            workers.push(declared.forget());
            workers.extend(declared.merge_worker(&domain.hand_overs)?);
        }
        let (routes, calls) = domain.services.into_parts();
        direct.extend(calls);
        grpc = grpc.merge(routes.clone().into_axum_router().reset_fallback());
        transports.insert(domain.name.to_owned(), pavise_mesh::local(routes));
    }
    if let Some(missing) = DOMAINS.iter().find(|name| !transports.contains_key(**name)) {
        bail!("the domain {missing} neither runs here nor has a --peer");
    }
    Ok(Wired { transports, direct, workers, grpc })
}

/// The services' names by precedence: where two claim one path on the bare domain, the earlier answers.
#[must_use]
pub fn precedence() -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for method in DECLARED.iter().flat_map(|domain| domain.methods) {
        if !names.iter().any(|name| name == method.service) {
            names.push(method.service.to_owned());
        }
    }
    names
}

/// Whether the call of a gRPC path is a read, so that it can be repeated.
#[must_use]
pub fn reads(path: &str) -> bool {
    DECLARED.iter().flat_map(|domain| domain.methods).any(|method| method.reads && method.path == path)
}

/// The encoded descriptors for reflection.
#[must_use]
pub fn encoded(pool: &DescriptorPool) -> Vec<u8> {
    pool.encode_to_vec()
}
