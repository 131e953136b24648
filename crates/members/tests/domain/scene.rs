//! The domain alone, and short names for its calls.

use std::ops::Deref;
use std::sync::{Arc, Mutex};

use pavise_kernel::common::v1::{JournalEntry, PersonName};
use pavise_kernel::domain::Settings;
use pavise_kernel::peers::Transport;
use pavise_kernel::worker::JournalFeed;
use pavise_members::contract::v1::personal_data_service_client::PersonalDataServiceClient;
use pavise_members::contract::v1::profile_service_client::ProfileServiceClient;
use pavise_members::contract::v1::relation_service_client::RelationServiceClient;
use pavise_members::contract::v1::*;
use pavise_members::contract::{DECLARED, DESCRIPTORS, METHODS, MIGRATIONS, TABLES, feeds};
use pavise_testkit::logs::{self, LogWatch};
use pavise_testkit::scene::{Contract, Engine};

use crate::peers::{ORDERS, OWNED_ENTITIES, Peers};

pub(crate) use pavise_testkit::scene::{into_answer, journal_entry, refusal_reason, request_by};

pub(crate) const ADA: &str = "User/ada";
pub(crate) const BEN: &str = "User/ben";
pub(crate) const STAFF: &str = "Internal/staff";
pub(crate) const PLATFORM: &str = "Machine/platform";

/// Personal data in the tests: no log has them.
const PERSONAL: [&str; 19] = [
    "ada@example.com",
    "lee@example.com",
    "new@example.com",
    "other@example.com",
    "shared@example.com",
    "zelda@example.com",
    "r.smith@example.com",
    "ada lee",
    "robert smith",
    "quill",
    "5125550100",
    "15125550100",
    "(512) 555-0100",
    "5125550177",
    "501-12-3456",
    "501123456",
    "1987-03-05",
    "7 main st",
    "congress avenue",
];

/// The entries of the other domains' journals, by the path of ReadJournal.
type Feeds = Arc<Mutex<Vec<(&'static str, JournalEntry)>>>;

pub(crate) struct Scene {
    scene: pavise_testkit::scene::Scene,
    pub(crate) peers: Arc<Peers>,
    feeds: Feeds,
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
    on(Engine::Sqlite).await
}

/// The domain on an empty database of each engine.
pub(crate) async fn scenes() -> [Scene; 2] {
    [on(Engine::Sqlite).await, on(Engine::Postgres).await]
}

pub(crate) fn path_of(feed: JournalFeed) -> &'static str {
    match feed {
        JournalFeed::Journal { path, .. } => path,
        JournalFeed::Every(_) | JournalFeed::Calendar { .. } => unreachable!("a journal"),
    }
}

async fn on(engine: Engine) -> Scene {
    let logs = LogWatch::begin();
    PERSONAL.into_iter().for_each(logs::known_in_any_case);
    let contract = Contract {
        domain: "members",
        descriptors: DESCRIPTORS,
        methods: METHODS,
        tables: TABLES,
        migrations: &MIGRATIONS,
    };
    let (peers, feeds) = (Arc::new(Peers::default()), Feeds::default());
    let setup = contract.start_on(engine).await;
    let mut setup = setup.peers(["billing", "fulfillment", "identity", "orders"], &peers.double().transport());
    for feed in [feeds::IDENTITIES, feeds::ORDERS, feeds::PROVISION, feeds::ENTITLEMENTS] {
        let (path, entries) = (path_of(feed), feeds.clone());
        setup = setup.with_feed(path, move || {
            let all = entries.lock().unwrap();
            all.iter().filter(|(of, _)| *of == path).map(|(_, entry)| entry.clone()).collect()
        });
    }
    let setup = setup.owned_entities(OWNED_ENTITIES).person_calls(DECLARED.person_calls.into_iter().chain([&ORDERS]));
    let scene = setup.begin_scene(|kernel| pavise_members::DOMAIN.build(kernel, &Settings::default()).unwrap());
    Scene { scene, peers, feeds, _logs: logs }
}

pub(crate) fn name(first: &str, last: &str) -> Option<PersonName> {
    Some(PersonName { first_name: first.into(), last_name: last.into(), ..PersonName::default() })
}

pub(crate) fn email(address: &str) -> ProfileEmail {
    ProfileEmail { address: address.into(), ..ProfileEmail::default() }
}

pub(crate) fn phone(number: &str) -> ProfilePhoneNumber {
    ProfilePhoneNumber { number: number.into(), ..ProfilePhoneNumber::default() }
}

impl Scene {
    pub(crate) fn profiles(&self) -> ProfileServiceClient<Transport> {
        ProfileServiceClient::new(self.transport())
    }

    pub(crate) fn personal_data(&self) -> PersonalDataServiceClient<Transport> {
        PersonalDataServiceClient::new(self.transport())
    }

    pub(crate) fn relations(&self) -> RelationServiceClient<Transport> {
        RelationServiceClient::new(self.transport())
    }

    /// Adds an entry to the journal of another domain.
    pub(crate) fn happened<M: prost::Message + prost::Name>(&self, feed: JournalFeed, action: &str, entity: &M) {
        let mut all = self.feeds.lock().unwrap();
        let clock = i64::try_from(all.len()).unwrap() + 1;
        let entry = JournalEntry { version: 1, ..journal_entry(clock, action, "", entity) };
        all.push((path_of(feed), entry));
    }

    /// The profile of a person, made by staff.
    pub(crate) async fn person(&self, identity: &str, of: CreateProfileRequest) -> Profile {
        let request = CreateProfileRequest { identity_id: identity.into(), ..of };
        into_answer(self.profiles().create_profile(request_by(STAFF, request)).await).unwrap()
    }

    pub(crate) async fn profile(&self, who: &str, identity: &str) -> pavise_kernel::Result<Profile> {
        let request = GetProfileRequest { identity_id: identity.into() };
        into_answer(self.profiles().get_profile(request_by(who, request)).await)
    }

    /// Runs every worker, then all again, which must change nothing.
    pub(crate) async fn run(&self) {
        let worked = self.run_workers("").await;
        assert_eq!((worked.left, self.replay().await), (0, 0), "failures are left");
    }
}
