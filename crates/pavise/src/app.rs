//! Builds the platform: engine, kernel, domains, channels between them, and the services of a port.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::{Context as _, bail};
use axum::Router;
use axum::extract::Request;
use axum::middleware::Next;
use pavise_contract::Contract;
use pavise_identity::{LocalKeys, ReadRecorder, RemoteDataKeys, RemoteKeys, Revocations};
use pavise_kernel::domain::Settings;
use pavise_kernel::kernel::Builder;
use pavise_kernel::peers::Peers;
use pavise_kernel::sealed::{FieldSealer, KeyStore, Keys, MasterKeys};
use pavise_kernel::services::Direct;
use pavise_kernel::store::Store;
use pavise_kernel::test_clock;
use pavise_kernel::time::{Clock, ClockOffset, Ids};
use pavise_kernel::token::{KeySource, MeshCredential, TokenKey, TokenVerifier, VerifyingKey};
use pavise_kernel::worker::Worker;
use pavise_kernel::{Domain, Kernel, RevokedTokens};
use pavise_owned::merge::MergeWorker;
use pavise_rest::Rest;
use pavise_transcode::Transcoder;
use prost_reflect::DescriptorPool;
use tokio::task::JoinHandle;
use tower::{ServiceBuilder, ServiceExt as _};

use crate::{domains, today};

/// The parts of an app.
#[derive(Debug)]
pub struct Plan {
    /// The engine, migrated for the domains that run.
    pub store: Arc<dyn Store>,
    /// The key database and the master keys of what is sealed; `None` without a key secret. Without a key database of its
    /// own, the process asks the identity domain.
    pub keys: Option<(Option<Arc<dyn KeyStore>>, MasterKeys)>,
    /// The clock of machine time.
    pub clock: Arc<dyn Clock>,
    /// By how much business time is ahead of it, where there is a test clock.
    pub test_clock: Option<ClockOffset>,
    /// The source of ids.
    pub ids: Ids,
    /// The domains that run here.
    pub only: Vec<String>,
    /// The transports to the other domains.
    pub peers: BTreeMap<String, pavise_kernel::peers::Transport>,
    /// The secret that all processes of the platform share.
    pub mesh_secret: Vec<u8>,
    /// A second secret that is accepted, too, while the first one is being changed.
    pub mesh_secret_also: Option<Vec<u8>>,
    /// The secret that seals page tokens: the same in all processes that run the same domains.
    pub page_secret: Vec<u8>,
    /// A second secret that opens page tokens, too, while the first one is being changed.
    pub page_secret_also: Option<Vec<u8>>,
    /// Further keys that tokens may be signed with; the platform's own come from the identity domain.
    pub token_keys: Vec<Arc<dyn KeySource>>,
    /// The domains' own settings.
    pub domains: Settings,
    /// The settings of the REST facade.
    pub rest: pavise_rest::Options,
    /// Whether workers run.
    pub workers: bool,
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
    sealing: Option<JoinHandle<()>>,
    workers: Option<JoinHandle<()>>,
    test_clock: JoinHandle<()>,
    reads: JoinHandle<ReadRecorder>,
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

impl App {
    /// Puts the app together and starts its workers.
    ///
    /// # Errors
    /// When the contract cannot be read, or a domain neither runs here nor is a peer.
    pub async fn start(plan: Plan) -> anyhow::Result<Self> {
        let pool = domains::pool(false)?;
        let transcoder = Transcoder::new(&pool);
        let (mesh_key, accepted) = mesh_keys(&plan);
        let peers = Peers::default();
        let here = plan.only.iter().any(|name| name == "identity");
        let mut sources = plan.token_keys.clone();
        let source: Arc<dyn KeySource> = match plan.peers.get("identity") {
            _ if here => Arc::new(LocalKeys::new(plan.store.clone())),
            Some(transport) => Arc::new(RemoteKeys::new(transport.clone())),
            None => bail!("the domain identity neither runs here nor has a --peer"),
        };
        sources.push(source);
        let revoked = RevokedTokens::default();
        let credential = Arc::new(MeshCredential::new(mesh_key.clone(), "pavise"));
        let keys = data_keys(&plan, credential.clone())?;
        let mut builder = Kernel::builder(plan.store.clone(), transcoder.clone())
            .seal_fields(FieldSealer::new(&pool, transcoder.clone(), keys))
            .clock(plan.clock.clone())
            .test_clock(plan.test_clock.clone())
            .ids(plan.ids.clone())
            .page_secret(&plan.page_secret)
            .page_secret_also(plan.page_secret_also.as_deref())
            .peers(peers.clone())
            .owned_entities(domains::owned_entities())
            .person_calls(domains::person_calls())
            .worker_calls(domains::worker_calls())
            .security(plan.rest.security.clone())
            .verifier(Arc::new(TokenVerifier::new(Arc::new(Sources(sources)), accepted).without(revoked.clone())))
            .credential(credential);
        builder = contract(builder, &plan.only);
        let kernel = builder.build();
        let Wired { transports, direct, workers, grpc } = wire(&kernel, &plan)?;
        peers.install_with(transports, direct);
        let grpc = forward(grpc, &Contract::read(&pool)?, &plan.only, &peers);
        let origins = plan.rest.allowed_origins.clone();
        let options = pavise_rest::Options { draining: kernel.stop_token().clone(), ..plan.rest };
        let cookies = pavise_rest::Cookies::new(&Contract::read(&pool)?, &options);
        let rest = pavise_rest::facade(&pool, transcoder, peers, options)?;
        for domain in domains::named(&plan.only) {
            domain
                .bootstrap(&kernel, &plan.domains)
                .await
                .with_context(|| format!("the domain {}", domain.declared().name))?;
        }
        let mut revocations = Revocations::new(&kernel, &revoked);
        if here {
            revocations.catch_up().await.context("the ended sessions")?;
        }
        let revocations = tokio::spawn(revocations.follow(here));
        // A process that asks another one for keys does not wait for it.
        let has_keys = plan.keys.as_ref().is_some_and(|(store, _)| store.is_some());
        if has_keys {
            erase_again(&kernel, &*plan.store).await;
        }
        let rewriting = rewrite_earlier(kernel.clone(), plan.store.clone(), has_keys);
        let sealing = plan.workers.then(|| tokio::spawn(rewriting));
        let reads = tokio::spawn(ReadRecorder::new(kernel.clone()).follow());
        let stop = kernel.stop_token().clone();
        if plan.workers {
            test_clock::register_workers(&kernel, &plan.only, &workers)
                .await
                .context("the workers that the test clock waits for")?;
        }
        let clock = tokio::spawn(test_clock::run(kernel.clone(), stop.clone()));
        let workers = plan.workers.then(|| tokio::spawn(pavise_kernel::runner::run(kernel.clone(), workers, stop)));
        let admit = move |request, next| cookies.clone().admit(request, next);
        let business = kernel.business_clock().clone();
        let tell_today = move |request: Request, next: Next| today::tell_today(business.clone(), request, next);
        // Only gRPC paths are translated: on plain HTTP the layer would answer 400. All layers are added at once, since
        // each addition boxes the router's routes anew.
        let grpc = grpc.layer(
            ServiceBuilder::new()
                .option_layer((!origins.is_empty()).then(|| pavise_rest::cors(&origins)))
                .layer(tonic_web::GrpcWebLayer::new())
                .layer(pavise_mesh::ReasonLayer)
                .map_request(|request: http::Request<tonic::body::Body>| request.map(axum::body::Body::new))
                .layer(axum::middleware::from_fn(tell_today))
                .layer(axum::middleware::from_fn(admit)),
        );
        let router = grpc.fallback_service(rest.clone());
        Ok(Self { kernel, pool, router, rest, mesh_key, revocations, sealing, workers, test_clock: clock, reads })
    }

    /// Stops the workers and commits pending writes.
    pub async fn stop(self) {
        self.kernel.stop_token().cancel();
        if let Some(sealing) = self.sealing {
            sealing.abort();
        }
        if let Some(workers) = self.workers {
            let _ = workers.await;
        }
        let _ = self.test_clock.await;
        let _ = self.revocations.await;
        if let Ok(reads) = self.reads.await {
            reads.write_rest().await;
        }
        self.kernel.committer().shut_down().await;
    }

    /// The contract as read from the descriptors.
    ///
    /// # Errors
    /// Never for a contract that was built.
    pub fn contract(&self) -> anyhow::Result<Contract> {
        Ok(Contract::read(&self.pool)?)
    }
}

/// The keys of sealed fields; `None` without a key secret.
fn data_keys(plan: &Plan, credential: Arc<MeshCredential>) -> anyhow::Result<Option<Keys>> {
    let Some((store, masters)) = plan.keys.clone() else { return Ok(None) };
    let store = match (store, plan.peers.get("identity")) {
        (Some(store), _) => store,
        (None, Some(transport)) => {
            Arc::new(RemoteDataKeys::new(transport.clone(), credential, plan.clock.clone())) as Arc<dyn KeyStore>
        }
        (None, None) => bail!("there is no key database, and no --peer identity that has one"),
    };
    Ok(Some(Keys::new(store, masters, Ids::random(), plan.clock.clone())))
}

/// Erases again those whose keys were destroyed, if the database is older than their erasure. Without the key database their
/// values are unreadable as well, so that the process may serve.
async fn erase_again(kernel: &Kernel, store: &dyn Store) {
    let Some(sealer) = kernel.field_sealer() else { return };
    let holder = kernel.ids().next(kernel.machine_clock().now());
    match sealer.erase_again(store, kernel.tables(), &holder).await {
        Ok(0) => {}
        Ok(documents) => tracing::warn!(documents, "people who were erased are erased again"),
        Err(error) => {
            let cause = error.cause().unwrap_or(error.message());
            tracing::warn!(cause, "it is not known who was erased; the next start asks again");
        }
    }
}

/// Writes anew what an earlier version stored otherwise. After a failure, the next start goes on.
async fn rewrite_earlier(kernel: Kernel, store: Arc<dyn Store>, is_erased: bool) {
    if !is_erased {
        erase_again(&kernel, &*store).await;
    }
    let Some(sealer) = kernel.field_sealer() else { return };
    let holder = kernel.ids().next(kernel.machine_clock().now());
    match sealer.rewrite_earlier(&*store, kernel.tables(), &holder).await {
        Ok(0) => {}
        Ok(documents) => tracing::info!(documents, "earlier documents are written anew"),
        Err(error) => {
            let cause = error.cause().unwrap_or(error.message());
            tracing::warn!(cause, "earlier documents are not all written anew; the next start goes on");
        }
    }
}

/// The key with which this process signs its calls, and the keys that it accepts. With two secrets a key is named, so
/// that logs tell which one a peer uses.
fn mesh_keys(plan: &Plan) -> (TokenKey, Vec<VerifyingKey>) {
    let key = TokenKey::mesh(&plan.mesh_secret);
    let Some(also) = &plan.mesh_secret_also else { return (key.clone(), vec![key.public()]) };
    let (key, also) = (key.with_fingerprint(), TokenKey::mesh(also).with_fingerprint());
    tracing::info!(signs = key.kid(), accepts = also.kid(), "two mesh secrets");
    (key.clone(), vec![key.public(), also.public()])
}

fn contract(mut builder: Builder, only: &[String]) -> Builder {
    for domain in domains::named(only).map(Domain::declared) {
        builder = builder.contract(domain.methods, domain.tables);
    }
    builder
}

/// Passes gRPC calls of the domains that do not run here on to their peers, so that any process serves all of it.
fn forward(mut grpc: Router, contract: &Contract, only: &[String], peers: &Peers) -> Router {
    for service in contract.services.iter().filter(|service| !only.contains(&service.domain)) {
        let (peers, domain) = (peers.clone(), service.domain.clone());
        let uploads: Arc<[String]> = service
            .descriptor
            .methods()
            .filter(|one| one.is_client_streaming())
            .map(|one| one.name().to_owned())
            .collect();
        let pass = move |mut request: axum::extract::Request| {
            let transport = peers.find_transport(&domain);
            let rpc = request.uri().path().rsplit('/').next().unwrap_or_default();
            if uploads.iter().any(|one| one == rpc) {
                pavise_kernel::bytes::pass_on(&mut request);
            }
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

/// Builds the domains that run here, and joins them.
fn wire(kernel: &Kernel, plan: &Plan) -> anyhow::Result<Wired> {
    let mut transports = plan.peers.clone();
    let (mut direct, mut workers, mut grpc) = (Direct::default(), Vec::new(), Router::new());
    for domain in domains::named(&plan.only) {
        let declared = domain.declared();
        let built = domain.build(kernel, &plan.domains).with_context(|| format!("the domain {}", declared.name))?;
        let mut own = built.workers;
        own.push(declared.forget());
        let merges = MergeWorker::new(declared.move_to_owner, declared.owned_entities, &built.moves_to_owner)?;
        if !declared.owned_entities.is_empty() {
            own.push(Arc::new(merges));
        }
        kernel.show_workers(declared.name, own.iter().map(|worker| &**worker));
        workers.extend(own);
        let (routes, calls) = built.services.into_parts();
        direct.extend(calls);
        grpc = grpc.merge(routes.clone().into_axum_router().reset_fallback());
        transports.insert(declared.name.to_owned(), pavise_mesh::local(routes));
    }
    if let Some(missing) = domains::NAMES.iter().find(|name| !transports.contains_key(**name)) {
        bail!("the domain {missing} neither runs here nor has a --peer");
    }
    Ok(Wired { transports, direct, workers, grpc })
}

/// The encoded descriptors for reflection.
#[must_use]
pub fn encoded(pool: &DescriptorPool) -> Vec<u8> {
    pool.encode_to_vec()
}
