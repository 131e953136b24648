//! The domain alone, with a clock that stands still.

use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use pavise_identity::contract::v1::factor_service_client::FactorServiceClient;
use pavise_identity::contract::v1::identity_service_client::IdentityServiceClient;
use pavise_identity::contract::v1::session_service_client::SessionServiceClient;
use pavise_identity::contract::v1::token_service_client::TokenServiceClient;
use pavise_identity::contract::v1::{
    AccessToken, CreateIdentityRequest, CreateTokenRequest, GetIdentityRequest, Identity, IdentityRealm,
    ProveEmailRequest,
};
use pavise_identity::contract::{DESCRIPTORS, EMAIL_ADDRESS_TABLE, METHODS, MIGRATIONS, OWNED_ENTITIES, TABLES};
use pavise_identity::{Config, DOMAIN, LocalKeys, RemoteKeys, Revocations, make_signing_key};
use pavise_kernel::caller::{APPLICATION, Realm, Verifier};
use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::domain::Settings;
use pavise_kernel::peers::Transport;
use pavise_kernel::time::{Clock as _, ClockOffset, Ids, Micros};
use pavise_kernel::token::{MeshCredential, TokenKey, TokenVerifier, issue_token};
use pavise_kernel::{Caller, Error, RevokedTokens};
use pavise_owned::merge::MergeWorker;
use pavise_testkit::logs::{self, LogWatch};
use pavise_testkit::scene::{Contract, Database};
use tonic::Request;

use crate::messages::{Message, Post};
use crate::peers::{self, Peers};

pub(crate) use pavise_testkit::scene::{Engine, WireFault, refusal_reason, request_by};

/// The gRPC path of the journal of identities.
const JOURNAL: &str = "/pavise.identity.v1.IdentityService/ReadJournal";
pub(crate) const NOW: Micros = 1_800_000_000_000_000;
pub(crate) const PASSWORD: &str = "correct horse battery";
const MESH_SECRET: &str = "a secret that all parts share in this test";

/// The domain in a process of its own.
pub(crate) struct Scene {
    scene: pavise_testkit::scene::Scene,
    pub(crate) config: Config,
    /// The messages that messaging was given, and whether it sends.
    pub(crate) post: Arc<Post>,
    /// The other domains.
    pub(crate) peers: Arc<Peers>,
    revoked: RevokedTokens,
    mesh: TokenKey,
    _logs: LogWatch,
}

impl Deref for Scene {
    type Target = pavise_testkit::scene::Scene;

    fn deref(&self) -> &Self::Target {
        &self.scene
    }
}

/// The domain on an empty SQLite file.
pub(crate) async fn scene() -> Scene {
    configured(Engine::Sqlite, Config::for_tests()).await
}

/// The domain on an empty database of each engine.
pub(crate) async fn scenes() -> [Scene; 2] {
    [scene().await, configured(Engine::Postgres, Config::for_tests()).await]
}

/// The domain on an empty database, with other settings.
pub(crate) async fn configured(engine: Engine, config: Config) -> Scene {
    on(Database::new(engine, &MIGRATIONS).await, config).await
}

/// The domain on a database, as a further process.
pub(crate) async fn on(database: Database, config: Config) -> Scene {
    with_test_clock(database, config, None).await
}

/// The domain on a database, in a process whose business time has that offset.
pub(crate) async fn with_test_clock(database: Database, config: Config, offset: Option<ClockOffset>) -> Scene {
    let logs = LogWatch::begin();
    for secret in [PASSWORD, config.key_encryption_secret.as_str(), MESH_SECRET] {
        logs::known(secret);
    }
    let contract = Contract {
        domain: "identity",
        descriptors: DESCRIPTORS,
        methods: METHODS,
        tables: TABLES,
        migrations: &MIGRATIONS,
    };
    let mesh = TokenKey::mesh(MESH_SECRET.as_bytes());
    let revoked = RevokedTokens::default();
    let keys = Arc::new(LocalKeys::new(database.store().clone()));
    let verifier = TokenVerifier::new(keys, Some(mesh.public())).without(revoked.clone());
    let peers = Arc::new(Peers::default());
    let setup = contract.start_with(database).at(NOW).with_test_clock(offset).ids(Ids::random());
    let setup = setup.tokens(Arc::new(verifier), Arc::new(MeshCredential::new(mesh.clone(), "platform")));
    let post = Arc::new(Post::default());
    let setup = setup.peers(["billing", "fulfillment", "orders"], &peers.double().transport());
    let setup = setup.peers(["messaging"], &post.double().transport());
    let setup = setup.owned_entities(OWNED_ENTITIES.iter().copied().chain(peers::OWNED_ENTITIES));
    let scene = setup.begin_scene(|kernel| {
        let mut domain = DOMAIN.build(kernel, &Settings::default().with(config.clone())).unwrap();
        let move_to_owner = MergeWorker::new("identity.hand_over", OWNED_ENTITIES, &domain.moves_to_owner).unwrap();
        domain.workers.push(Arc::new(move_to_owner));
        domain.workers.extend(peers.workers());
        domain
    });
    make_signing_key(&scene.kernel, &config).await.unwrap();
    Scene { scene, config, post, peers, revoked, mesh, _logs: logs }
}

impl Scene {
    pub(crate) fn identities(&self) -> IdentityServiceClient<Transport> {
        IdentityServiceClient::new(self.transport())
    }

    pub(crate) fn factors(&self) -> FactorServiceClient<Transport> {
        FactorServiceClient::new(self.transport())
    }

    pub(crate) fn sessions(&self) -> SessionServiceClient<Transport> {
        SessionServiceClient::new(self.transport())
    }

    /// Reads the ended sessions, as every process does.
    pub(crate) async fn learn_what_ended(&self) {
        Revocations::new(&self.kernel, &self.revoked).catch_up().await.unwrap();
    }

    pub(crate) fn tokens(&self) -> TokenServiceClient<Transport> {
        TokenServiceClient::new(self.transport())
    }

    /// A request as the platform itself.
    pub(crate) fn platform<M>(&self, message: M) -> Request<M> {
        let caller = Caller::platform("platform");
        request_by(&issue_token(&caller, Duration::from_secs(600), &self.mesh, self.clock.now()), message)
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
        request_by(&issue_token(&caller, Duration::from_secs(600), &self.mesh, self.clock.now()), message)
    }

    /// A member with a proved address and a password.
    pub(crate) async fn member(&self, email: &str) -> Identity {
        self.identities().create_identity(self.platform(sign_up(email))).await.unwrap().into_inner()
    }

    /// A visitor signs up: the address waits for its proof.
    pub(crate) async fn newcomer(&self, email: &str) -> Identity {
        self.identities().create_identity(Request::new(sign_up(email))).await.unwrap().into_inner()
    }

    /// A request of an identity itself, which signs in with the first address that it has or claims.
    pub(crate) async fn owner<M>(&self, id: &str, message: M) -> Request<M> {
        let request = GetIdentityRequest { identity_id: id.to_owned() };
        let identity = self.identities().get_identity(self.platform(request)).await.unwrap().into_inner();
        let name = match identity.emails.into_iter().next() {
            Some(email) => email.address,
            None => self.claimed(id).await,
        };
        request_by(&self.sign_in(&name, PASSWORD).await.unwrap().access_token, message)
    }

    /// The address of the sign-up of an identity, which waits for its proof.
    async fn claimed(&self, id: &str) -> String {
        let row = self.store().get(&EMAIL_ADDRESS_TABLE, id).await.unwrap().unwrap();
        let doc = row.doc.replace("\": \"", "\":\"");
        doc.split("\"address\":\"").nth(1).unwrap().split('"').next().unwrap().to_owned()
    }

    /// The code of the last letter to an address that asks for its proof.
    pub(crate) async fn email_code(&self, email: &str) -> String {
        let delivered = self.delivered().await;
        let text = delivered.into_iter().rev().find(|message| message.address == email).unwrap().text;
        text.split_whitespace().find(|word| word.len() == 11 && is_code(word)).unwrap().to_owned()
    }

    /// Proves a claimed address with the code of its letter.
    pub(crate) async fn prove(&self, id: &str, email: &str) -> Identity {
        let code = self.email_code(email).await;
        let request = ProveEmailRequest { identity_id: id.to_owned(), email: email.to_owned(), code };
        self.identities().prove_email(self.owner(id, request).await).await.unwrap().into_inner()
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
        let remote = TokenVerifier::new(Arc::new(RemoteKeys::new(self.transport())), None);
        remote.verify(token, self.clock.now()).await
    }

    /// The journal of identities.
    pub(crate) async fn entries(&self) -> Vec<JournalEntry> {
        self.read_journal(JOURNAL).await
    }

    /// The actions in it.
    pub(crate) async fn actions(&self) -> Vec<String> {
        self.entries().await.into_iter().map(|entry| entry.action).collect()
    }

    /// Delivers what waits and answers what was delivered since the last time.
    pub(crate) async fn delivered(&self) -> Vec<Message> {
        self.handle_all("identity.deliver_notices").await;
        let delivered = std::mem::take(&mut *self.post.delivered.lock().unwrap());
        for word in delivered.iter().flat_map(|message| message.text.split_whitespace()).filter(|word| is_code(word)) {
            logs::known(word);
        }
        delivered
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

/// A request with a further header.
pub(crate) fn with<M>(mut request: Request<M>, name: &'static str, value: &str) -> Request<M> {
    request.metadata_mut().insert(name, value.parse().unwrap());
    request
}

/// A code as letters have them: capitals and digits in groups.
fn is_code(word: &str) -> bool {
    word.contains('-') && word.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit() || byte.is_ascii_uppercase())
}
