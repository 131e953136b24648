//! Staff find identities by how their names begin; nobody else does, and nobody reads them all in a moment.

use std::collections::BTreeSet;

use pavise_identity::contract::IDENTITY_TABLE;
use pavise_identity::contract::v1::{
    AddEmailRequest, ClassicIdInput, CreateIdentityRequest, DeleteIdentityRequest, Identity, IdentityRealm,
    SearchIdentitiesRequest,
};
use pavise_kernel::store::{Command, StoredRow, Write};
use pavise_kernel::time::MINUTE;
use tonic::{Code, Request};

use crate::scene::{PASSWORD, Scene, refusal_reason, request_by, scene, scenes, sign_up};

/// Staff who may search: a token.
async fn searcher(scene: &Scene) -> String {
    scene.staff("desk@staff.example", &["identity.identities.search"]).await;
    scene.sign_in("desk@staff.example", PASSWORD).await.unwrap().access_token
}

fn begins(text: &str) -> SearchIdentitiesRequest {
    SearchIdentitiesRequest { text: text.into(), ..SearchIdentitiesRequest::default() }
}

async fn found(scene: &Scene, token: &str, request: SearchIdentitiesRequest) -> (Vec<Identity>, String) {
    let page = scene.identities().search_identities(request_by(token, request)).await.unwrap().into_inner();
    (page.identities, page.next_page_token)
}

async fn ids(scene: &Scene, token: &str, text: &str) -> Vec<String> {
    found(scene, token, begins(text)).await.0.into_iter().map(|identity| identity.id).collect()
}

#[tokio::test]
async fn by_an_address_a_username_a_number_or_the_id_without_case() {
    for scene in scenes().await {
        let token = searcher(&scene).await;
        let number = ClassicIdInput { r#type: 1, value: "A12345".into() };
        let named = CreateIdentityRequest {
            usernames: vec!["Countess".into()],
            classic_ids: vec![number],
            ..sign_up("Ada@Example.com")
        };
        let ada = scene.identities().create_identity(scene.platform(named)).await.unwrap().into_inner();
        let adam = scene.member("adam@example.com").await;
        for text in [
            "ada@",
            "ADA@exa",
            " ada@example.com ",
            "count",
            "COUNTESS",
            "a123",
            "A12345",
            &ada.id,
            &ada.id.to_uppercase(),
        ] {
            assert_eq!(ids(&scene, &token, text).await, [ada.id.as_str()], "{text}");
        }
        // By rising value: "ada@…" comes before "adam@…".
        assert_eq!(ids(&scene, &token, "ada").await, [ada.id.as_str(), adam.id.as_str()]);
        for text in ["example.com", "da@", "Member/A1", "%", "_", "' OR true --", "zoë"] {
            assert!(ids(&scene, &token, text).await.is_empty(), "{text}");
        }
        let staff = SearchIdentitiesRequest { realm: IdentityRealm::Internal.into(), ..begins("ada") };
        assert!(found(&scene, &token, staff).await.0.is_empty());
        let newest: Vec<_> = ids(&scene, &token, "  ").await.into_iter().take(2).collect();
        assert_eq!(newest, [adam.id.as_str(), ada.id.as_str()], "without a text, newest first");
        scene
            .identities()
            .delete_identity(scene.platform(DeleteIdentityRequest { identity_id: ada.id }))
            .await
            .unwrap();
        assert_eq!(ids(&scene, &token, "ada").await, [adam.id.as_str()]);
    }
}

#[tokio::test]
async fn a_page_token_is_only_what_a_list_made() {
    use base64::Engine as _;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;

    for scene in scenes().await {
        let token = searcher(&scene).await;
        scene.member("ada@example.com").await;
        let first = SearchIdentitiesRequest { page_size: 1, ..begins("ada") };
        let (page, good) =
            found(&scene, &token, SearchIdentitiesRequest { text: String::new(), ..first.clone() }).await;
        let bytes = URL_SAFE_NO_PAD.decode(&good).unwrap();
        let readable = String::from_utf8_lossy(&bytes);
        assert!(!readable.contains(&page[0].id) && !readable.contains("ada"), "{readable}");
        let mut forged = vec![URL_SAFE_NO_PAD.encode(format!("0\0ada@example.com\0{}", page[0].id)), good.clone()];
        forged.extend([0, 11, 12, bytes.len() - 1].map(|at| {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            URL_SAFE_NO_PAD.encode(changed)
        }));
        for forged in forged {
            let ask = SearchIdentitiesRequest { page_token: forged.clone(), ..first.clone() };
            let refused = scene.identities().search_identities(request_by(&token, ask)).await;
            assert_eq!(refusal_reason(refused), "INVALID_PAGE_TOKEN", "{forged}");
        }
    }
}

#[tokio::test]
async fn each_once_however_many_of_its_names_begin_so_page_by_page() {
    for scene in scenes().await {
        let token = searcher(&scene).await;
        let mut all = Vec::new();
        for number in 0..9 {
            let request = CreateIdentityRequest {
                usernames: vec![format!("team{number}")],
                ..sign_up(&format!("team{number}@example.com"))
            };
            let one = scene.identities().create_identity(scene.platform(request)).await.unwrap().into_inner();
            let more = AddEmailRequest {
                identity_id: one.id.clone(),
                email: format!("team-{number}@example.com"),
                primary: false,
            };
            scene.identities().add_email(scene.platform(more.clone())).await.unwrap();
            scene.prove(&one.id, &more.email).await;
            all.push(one.id);
        }
        for size in [1, 4, 9, 500] {
            let mut request = SearchIdentitiesRequest { page_size: size, ..begins("team") };
            let mut read: Vec<String> = Vec::new();
            loop {
                let (page, next) = found(&scene, &token, request.clone()).await;
                assert!(page.len() <= usize::try_from(size).unwrap());
                read.extend(page.into_iter().map(|identity| identity.id));
                request.page_token.clone_from(&next);
                if next.is_empty() {
                    break;
                }
            }
            assert_eq!(read, all, "pages of {size}");
            let of_staff =
                SearchIdentitiesRequest { page_size: size, realm: IdentityRealm::Internal.into(), ..begins("team") };
            assert_eq!(found(&scene, &token, of_staff).await, (Vec::new(), String::new()), "pages of {size}");
        }
        let (_, token_of_team) =
            found(&scene, &token, SearchIdentitiesRequest { page_size: 1, ..begins("team") }).await;
        let mixed = SearchIdentitiesRequest { page_token: token_of_team, ..begins("tea") };
        let refused = scene.identities().search_identities(request_by(&token, mixed)).await;
        assert_eq!(refusal_reason(refused), "INVALID_PAGE_TOKEN");
    }
}

#[tokio::test]
async fn staff_with_the_permission_and_nobody_else() {
    let scene = scene().await;
    scene.member("ada@example.com").await;
    scene.staff("reader@staff.example", &["identity.identities.read"]).await;
    let ask = |token: String| {
        let mut identities = scene.identities();
        async move { refusal_reason(identities.search_identities(request_by(&token, begins("ada"))).await) }
    };
    for (name, expected) in [("ada@example.com", "REALM_NOT_ALLOWED"), ("reader@staff.example", "PERMISSION_MISSING")] {
        assert_eq!(ask(scene.sign_in(name, PASSWORD).await.unwrap().access_token).await, expected, "{name}");
    }
    assert_eq!(
        refusal_reason(scene.identities().search_identities(Request::new(begins("ada"))).await),
        "TOKEN_MISSING"
    );
    assert_eq!(
        refusal_reason(scene.identities().search_identities(scene.program(begins("ada"), &["*"])).await),
        "REALM_NOT_ALLOWED"
    );
}

#[tokio::test]
async fn frequent_searches_wait() {
    let scene = scene().await;
    let token = searcher(&scene).await;
    scene.staff("other@staff.example", &["*"]).await;
    let other = scene.sign_in("other@staff.example", PASSWORD).await.unwrap().access_token;
    for _ in 0..120 {
        found(&scene, &token, begins("a")).await;
    }
    let refused = scene.identities().search_identities(request_by(&token, begins("a"))).await.unwrap_err();
    assert_eq!(refused.code(), Code::ResourceExhausted);
    assert_eq!(refusal_reason::<()>(Err(refused)), "TOO_MANY_CALLS");
    found(&scene, &other, begins("a")).await;
    scene.clock.move_forward(std::time::Duration::from_micros(u64::try_from(MINUTE / 120).unwrap()));
    found(&scene, &token, begins("a")).await;
    let seen: BTreeSet<String> = ids(&scene, &other, "").await.into_iter().collect();
    assert_eq!(seen.len(), 2, "nothing was written");
}

/// An earlier version of the platform stored identities without the words of their names.
async fn forget_words(scene: &Scene, id: &str) {
    let row = scene.store().get(&IDENTITY_TABLE, id).await.unwrap().unwrap();
    let mut doc: serde_json::Value = serde_json::from_str(&row.doc).unwrap();
    let version = row.version + 1;
    let fields = doc.as_object_mut().unwrap();
    fields.insert("version".to_owned(), version.to_string().into());
    fields.insert("displayName".to_owned(), "Augusta Lovelace".into());
    assert!(fields.remove("searchWords").is_some(), "{doc}");
    let row = StoredRow { version, doc: doc.to_string(), ..row };
    let stored = scene.store().lookup_values(&IDENTITY_TABLE, &[id.to_owned()]).await.unwrap();
    let others = stored.into_iter().filter(|(_, name, _)| name != "search_words");
    let lookups = others.map(|(_, name, value)| (IDENTITY_TABLE.lookup(&name).unwrap(), value)).collect();
    let (table, expected, action) = (&IDENTITY_TABLE, Some(version - 1), "UPDATED".to_owned());
    let write = Write { table, row, expected, removed: false, action, lookups };
    let command = Command { journal: IDENTITY_TABLE.journal, writes: vec![write], at: 1, ..Command::default() };
    scene.store().commit(&[command]).await.unwrap();
}

#[tokio::test]
async fn stored_before_the_words_were_kept_and_found_by_them_after_a_start() {
    for scene in scenes().await {
        let token = searcher(&scene).await;
        let ada = scene.member("ada@example.com").await;
        forget_words(&scene, &ada.id).await;
        assert!(ids(&scene, &token, "lovelace augusta").await.is_empty());
        assert_eq!(scene.rewrite_earlier().await.unwrap(), 2, "the row and its last entry");
        assert_eq!(ids(&scene, &token, "lovelace augusta").await, [ada.id.as_str()]);
        assert_eq!(ids(&scene, &token, "ada@").await, [ada.id.as_str()], "the other lookups are there");
        let row = scene.store().get(&IDENTITY_TABLE, &ada.id).await.unwrap().unwrap();
        assert_eq!(row.version, ada.version + 1, "no version says so");
        assert_eq!(scene.rewrite_earlier().await.unwrap(), 0, "a repeat does nothing");
    }
}
