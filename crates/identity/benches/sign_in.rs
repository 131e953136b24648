//! The time of a sign-in, with argon2 as configured and at its least cost, and of reading a token, for the first time
//! and again. `cargo bench -p pavise-identity`
#![expect(clippy::expect_used, clippy::print_stdout, reason = "a benchmark")]

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use pavise_identity::contract::v1::identity_service_client::IdentityServiceClient;
use pavise_identity::contract::v1::{CreateIdentityRequest, CreateTokenRequest, IdentityRealm};
use pavise_identity::contract::{DESCRIPTORS, METHODS, MIGRATIONS, TABLES};
use pavise_identity::{Config, DOMAIN, HashCost, LocalKeys, make_signing_key};
use pavise_kernel::caller::{Realm, Verifier};
use pavise_kernel::domain::Settings;
use pavise_kernel::peers::Transport;
use pavise_kernel::time::Ids;
use pavise_kernel::token::{KeySource, MeshCredential, TokenKey, TokenVerifier, VerifyingKey, issue_token};
use pavise_kernel::{Caller, Kernel, async_trait};
use pavise_kernel_sqlite::SqliteStore;
use pavise_transcode::Transcoder;
use prost_reflect::DescriptorPool;

const SIGN_INS: usize = 40;
const TOKENS: usize = 2_000;
const PASSWORD: &str = "correct horse battery";
/// The budget of reading a token for the first time.
const BAR: Duration = Duration::from_micros(60);

/// The key that signs the benchmark's tokens.
#[derive(Debug)]
struct OneKey(TokenKey);

#[async_trait]
impl KeySource for OneKey {
    async fn key(&self, _kid: &str) -> pavise_kernel::Result<Option<VerifyingKey>> {
        Ok(Some(self.0.public()))
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let whole = sign_ins(HashCost::default()).await;
    let rest = sign_ins(HashCost { memory_kib: 8, passes: 1, lanes: 1 }).await;
    println!("a sign-in takes          {:>9.1} µs", micros(whole));
    println!("  of it argon2           {:>9.1} µs", micros(whole.saturating_sub(rest)));
    println!("  of it everything else  {:>9.1} µs", micros(rest));

    let key = TokenKey::random("01900000-0000-7000-8000-000000000001", &Ids::random());
    let now = 1_800_000_000_000_000;
    let caller = |n: usize| Caller {
        identity: format!("member {n}"),
        realm: Realm::User,
        session: n.to_string(),
        ..Caller::default()
    };
    let tokens: Vec<String> =
        (0..TOKENS).map(|n| issue_token(&caller(n), Duration::from_secs(900), &key, now)).collect();
    let verifier = TokenVerifier::new(Arc::new(OneKey(key)), None);
    let first = each(&verifier, &tokens, now).await;
    let again = each(&verifier, &tokens, now).await;
    let verdict = if first <= BAR { "within" } else { "OVER" };
    println!("a token is read in       {:>9.1} µs, {verdict} the bar of {} µs", micros(first), BAR.as_micros());
    println!("  and again in           {:>9.1} µs", micros(again));
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

/// The median of reading each token.
async fn each(verifier: &TokenVerifier, tokens: &[String], now: i64) -> Duration {
    let mut times = Vec::with_capacity(tokens.len());
    for token in tokens {
        let began = Instant::now();
        verifier.verify(token, now).await.expect("the token is good");
        times.push(began.elapsed());
    }
    median(times)
}

/// The median of some sign-ins of one member, each with a session and its journal entry on disk.
async fn sign_ins(hash_cost: HashCost) -> Duration {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Arc::new(SqliteStore::open(folder.path().join("bench.db"), &[&MIGRATIONS]).await.expect("a database"));
    let config = Config { hash_cost, ..Config::for_tests() };
    let mesh = TokenKey::mesh(b"a secret that only the benchmark knows");
    let kernel =
        Kernel::builder(store.clone(), Transcoder::new(&DescriptorPool::decode(DESCRIPTORS).expect("descriptors")))
            .verifier(Arc::new(TokenVerifier::new(Arc::new(LocalKeys::new(store)), Some(mesh.public()))))
            .credential(Arc::new(MeshCredential::new(mesh, "platform")))
            .contract(METHODS, TABLES)
            .build();
    let built = DOMAIN.build(&kernel, &Settings::default().with(config.clone())).expect("the settings are there");
    let transport: Transport = pavise_mesh::local(built.services.into_routes());
    kernel.peers().set_transports(BTreeMap::from([("identity".to_owned(), transport.clone())]));
    make_signing_key(&kernel, &config).await.expect("a signing key");
    let mut identities = IdentityServiceClient::new(transport);
    let email = "ada@example.com".to_owned();
    let sign_up = CreateIdentityRequest {
        realm: IdentityRealm::User.into(),
        emails: vec![email.clone()],
        password: PASSWORD.to_owned(),
        ..CreateIdentityRequest::default()
    };
    identities.create_identity(sign_up).await.expect("a member");
    let mut times = Vec::with_capacity(SIGN_INS);
    for _ in 0..SIGN_INS {
        let request =
            CreateTokenRequest { email: email.clone(), password: PASSWORD.to_owned(), ..CreateTokenRequest::default() };
        let began = Instant::now();
        identities.create_token(request).await.expect("the password is right");
        times.push(began.elapsed());
    }
    kernel.committer().shut_down().await;
    median(times)
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
