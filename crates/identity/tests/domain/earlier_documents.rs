//! Documents of earlier versions: what they lack is filled in when they are read.

use pavise_identity::contract::IDENTITY_TABLE;
use pavise_identity::contract::v1::{GetIdentityRequest, Identity, ListIdentitiesRequest, UpdateReferrerRequest};
use pavise_kernel::store::{Command, Outcome, StoredRow, Write};
use pavise_kernel::time::Clock as _;
use prost_types::Timestamp;
use serde_json::{Value, json};

use crate::scene::{Scene, scenes};

const ADDED: Timestamp = Timestamp { seconds: 1_600_000_000, nanos: 0 };
const MADE: Timestamp = Timestamp { seconds: 1_500_000_000, nanos: 0 };

/// Writes an identity past the calls, as a version wrote it that knew no proofs.
async fn store_earlier(scene: &Scene, id: &str, emails: Value) {
    let lookup = IDENTITY_TABLE.lookup("emails.address").unwrap();
    let addresses = emails.as_array().unwrap().iter().map(|email| email["address"].as_str().unwrap().to_owned());
    let lookups = addresses.map(|address| (lookup, address)).collect();
    let doc = json!({
        "id": id, "ownerId": id, "status": "ACTIVE", "version": "1", "realm": "User",
        "createdAt": "2017-07-14T02:40:00Z", "emails": emails,
    });
    let row = StoredRow {
        id: id.to_owned(),
        owner_id: id.to_owned(),
        status: "ACTIVE".to_owned(),
        version: 1,
        created_at: scene.clock.now(),
        updated_at: scene.clock.now(),
        doc: doc.to_string(),
        ..StoredRow::default()
    };
    let write =
        Write { table: &IDENTITY_TABLE, row, expected: None, removed: false, action: "CREATED".to_owned(), lookups };
    let command =
        Command { journal: IDENTITY_TABLE.journal, writes: vec![write], at: scene.clock.now(), ..Command::default() };
    let outcomes = scene.store().commit(&[command]).await.unwrap();
    assert!(matches!(outcomes.as_slice(), [Outcome::Committed(_)]), "{outcomes:?}");
}

fn proved(identity: &Identity) -> Vec<Option<Timestamp>> {
    identity.emails.iter().map(|email| email.verified_at).collect()
}

#[tokio::test]
async fn addresses_from_before_proofs_count_as_proved_since_they_were_added() {
    for scene in scenes().await {
        let id = "01900000-0000-7000-8000-0000000000ea";
        let emails = json!([
            {"address": "old@example.com", "primary": true, "addedAt": "2020-09-13T12:26:40Z"},
            {"address": "older@example.com"},
        ]);
        store_earlier(&scene, id, emails).await;
        let expected = [Some(ADDED), Some(MADE)];
        let get = GetIdentityRequest { identity_id: id.into() };
        let read = scene.identities().get_identity(scene.platform(get)).await.unwrap().into_inner();
        assert_eq!(proved(&read), expected);
        let find = ListIdentitiesRequest { email: "OLD@example.com".into(), ..ListIdentitiesRequest::default() };
        let found = scene.identities().list_identities(scene.platform(find)).await.unwrap().into_inner().identities;
        assert_eq!(found.iter().map(proved).collect::<Vec<_>>(), [expected.to_vec()], "in a list, too");
        let change = UpdateReferrerRequest { identity_id: id.into(), referrer: "a friend".into() };
        let written = scene.identities().update_referrer(scene.platform(change)).await.unwrap().into_inner();
        assert_eq!(proved(&written), expected, "and the next write keeps it");
        let entry = scene.entries().await.pop().unwrap();
        let stored = <Identity as prost::Message>::decode(entry.entity.unwrap().value.as_slice()).unwrap();
        assert_eq!(proved(&stored), expected);
    }
}
