//! Passwords that come from another system, and passwords that are taken away.

use std::time::Duration;

use pavise_identity::contract::v1::{
    BulkAddPasswordsRequest, CreateIdentityRequest, Identity, ImportPasswordsRequest, ImportPasswordsResponse,
    InvalidatePasswordsRequest, PasswordRow, PasswordRowOutcome, PasswordRowResult, SetPasswordRequest,
};
use pavise_kernel::time::to_timestamp;
use tonic::Request;

use crate::scene::{NOW, PASSWORD, Scene, refusal_reason, scene, scenes, sign_up};

const WRITE: &[&str] = &["identity.passwords.write"];
/// Of the password that all tests use; made with Python's hashlib, libcrypt and OpenSSL.
const HASHES: [&str; 5] = [
    "$pbkdf2-sha256$1000$AAECAwQFBgcICQoLDA0ODw$AhaeZ02AwPxykuhhDI8XvhQN8GKvmqM.qF6qvs/98I0",
    "$pbkdf2-sha512$i=1000,l=64$++++++++++++++++++++/w$BIznknMc2ov6WQHv1jspLPyq4EPoxWC1tSIGhxET4+n+y5AfHAR6DWOVK9YeZcLgA0Y8NPPl1GYwP1HhYvT6kg",
    "$scrypt$ln=10,r=8,p=1$AAECAwQFBgcICQoLDA0ODw$hKGWL22WtdGfIbxEPAZ06BS2bWyYKuZIKvypfAlYOWk",
    "$2b$05$abcdefghijklmnopqrstuuD3mHdCr44zlIZ.VZCaYRpfQhXMYnEo.",
    "$argon2id$v=19$m=1024,t=2,p=1$AAECAwQFBgcICQoLDA0ODw$y2EsH71PG1ZVDWC2noonfvKwpNJH+bZBE4n9zVdS9xo",
];

/// A member who has no password yet.
async fn newcomer(scene: &Scene, name: &str) -> Identity {
    let request = CreateIdentityRequest { password: String::new(), ..sign_up(&format!("{name}@example.com")) };
    scene.identities().create_identity(scene.platform(request)).await.unwrap().into_inner()
}

fn hashed(id: &str, hash: &str) -> PasswordRow {
    PasswordRow { user_id: id.into(), password_hash: hash.into(), ..PasswordRow::default() }
}

fn plain(id: &str, password: &str) -> PasswordRow {
    PasswordRow { user_id: id.into(), password: password.into(), ..PasswordRow::default() }
}

async fn add(scene: &Scene, user_id: &str, rows: Vec<PasswordRow>) -> Vec<PasswordRowResult> {
    let request = BulkAddPasswordsRequest { user_id: user_id.into(), rows };
    scene.identities().bulk_add_passwords(scene.program(request, WRITE)).await.unwrap().into_inner().results
}

fn outcomes(results: &[PasswordRowResult]) -> Vec<(PasswordRowOutcome, &str)> {
    results.iter().map(|result| (result.outcome(), result.reason.as_str())).collect()
}

#[tokio::test]
async fn hashes_of_other_systems_open_the_door_and_become_ours() {
    for scene in scenes().await {
        let mut rows = Vec::new();
        for (number, hash) in HASHES.iter().enumerate() {
            rows.push(hashed(&newcomer(&scene, &format!("member{number}")).await.id, hash));
        }
        let results = add(&scene, "-", rows.clone()).await;
        assert_eq!(outcomes(&results), [(PasswordRowOutcome::Added, ""); 5]);
        assert_eq!(
            outcomes(&add(&scene, "-", rows).await),
            [(PasswordRowOutcome::Kept, ""); 5],
            "an import can be repeated"
        );
        for number in 0..HASHES.len() {
            let email = format!("member{number}@example.com");
            assert!(scene.sign_in(&email, "correct horse batterz").await.is_err());
            scene.sign_in(&email, PASSWORD).await.unwrap();
            scene.sign_in(&email, PASSWORD).await.unwrap();
        }
        let renewals = scene.actions().await.iter().filter(|action| *action == "PASSWORD_REHASHED").count();
        assert_eq!(renewals, HASHES.len(), "once each");
        assert!(!format!("{:?}", scene.entries().await).contains("$2b$05"), "no hash leaves the service");
    }
}

#[tokio::test]
async fn refused_rows_of_an_import_say_why() {
    let scene = scene().await;
    let [ada, bob, cid] = [newcomer(&scene, "ada").await, newcomer(&scene, "bob").await, newcomer(&scene, "cid").await];
    let eve = scene.member("eve@example.com").await;
    let rows = vec![
        plain(&ada.id, "staple of another kind"),
        plain(&bob.id, "password123"),
        hashed(&bob.id, HASHES[0]),
        hashed(&cid.id, "$md5$0123"),
        plain(&eve.id, "staple of another kind"),
        hashed("nobody", HASHES[0]),
        PasswordRow { password: PASSWORD.into(), ..hashed("x", HASHES[0]) },
        hashed("", HASHES[0]),
    ];
    let results = add(&scene, "-", rows).await;
    let (added, kept, refused) = (PasswordRowOutcome::Added, PasswordRowOutcome::Kept, PasswordRowOutcome::Refused);
    let expected = [
        (added, ""),
        (refused, "PASSWORD_NOT_ALLOWED"),
        (refused, "INVALID_FIELD"),
        (refused, "PASSWORD_HASH_NOT_SUPPORTED"),
        (kept, ""),
        (refused, "NOT_FOUND"),
        (refused, "NOT_FOUND"),
        (refused, "INVALID_FIELD"),
    ];
    assert_eq!(outcomes(&results), expected);
    assert!(!format!("{results:?}").contains("password123"));
    scene.sign_in("ada@example.com", "staple of another kind").await.unwrap();
    scene.sign_in("eve@example.com", PASSWORD).await.unwrap();
    assert_eq!(outcomes(&add(&scene, &cid.id, vec![hashed("", HASHES[3])]).await), [(added, "")]);
    scene.sign_in("cid@example.com", PASSWORD).await.unwrap();
}

#[tokio::test]
async fn an_import_is_bounded_and_permitted() {
    let scene = scene().await;
    let ask = |rows: Vec<PasswordRow>| BulkAddPasswordsRequest { user_id: "-".into(), rows };
    let mut client = scene.identities();
    assert_eq!(
        refusal_reason(client.bulk_add_passwords(Request::new(ask(vec![hashed("a", HASHES[0])]))).await),
        "TOKEN_MISSING"
    );
    let weak = scene.program(ask(vec![hashed("a", HASHES[0])]), &["identity.identities.*"]);
    assert_eq!(refusal_reason(client.bulk_add_passwords(weak).await), "PERMISSION_MISSING");
    assert_eq!(refusal_reason(client.bulk_add_passwords(scene.program(ask(Vec::new()), WRITE)).await), "INVALID_FIELD");
    let many = (0..1001).map(|n| hashed(&n.to_string(), HASHES[0])).collect();
    assert_eq!(refusal_reason(client.bulk_add_passwords(scene.program(ask(many), WRITE)).await), "INVALID_FIELD");
    let dear = (0..201).map(|n| plain(&n.to_string(), PASSWORD)).collect();
    assert_eq!(refusal_reason(client.bulk_add_passwords(scene.program(ask(dear), WRITE)).await), "INVALID_FIELD");
    let most: Vec<_> = (0..1000).map(|n| hashed(&n.to_string(), HASHES[0])).collect();
    assert_eq!(add(&scene, "-", most).await.len(), 1000);
}

#[tokio::test]
async fn passwords_are_taken_away_one_by_one_or_by_age() {
    for scene in scenes().await {
        let ada = scene.member("ada@example.com").await;
        let bob = scene.member("bob@example.com").await;
        let cid = newcomer(&scene, "cid").await;
        add(&scene, "-", vec![hashed(&cid.id, HASHES[3])]).await;
        scene.clock.move_forward(Duration::from_secs(60));
        scene.member("dan@example.com").await;
        scene.sign_in("ada@example.com", PASSWORD).await.unwrap();
        let invalidate = |user: &str, before: Option<i64>| {
            let set_before = before.map(|at| to_timestamp(NOW + at * 1_000_000));
            let request = InvalidatePasswordsRequest { user_id: user.into(), set_before, page_token: String::new() };
            scene.program(request, WRITE)
        };
        let mut client = scene.identities();
        assert_eq!(
            refusal_reason(client.invalidate_passwords(invalidate("-", None)).await),
            "INVALID_FIELD",
            "not everybody by mistake"
        );
        assert_eq!(refusal_reason(client.invalidate_passwords(invalidate("nobody", None)).await), "NOT_FOUND");
        let count = |answer: tonic::Response<pavise_identity::contract::v1::InvalidatePasswordsResponse>| {
            let answer = answer.into_inner();
            (answer.invalidated, answer.next_page_token)
        };
        let one = client.invalidate_passwords(invalidate(&ada.id, None)).await.unwrap();
        assert_eq!(count(one), (1, String::new()));
        let again = client.invalidate_passwords(invalidate(&ada.id, None)).await.unwrap();
        assert_eq!(count(again), (0, String::new()));
        assert!(scene.sign_in("ada@example.com", PASSWORD).await.is_err());
        assert_eq!(scene.actions().await.iter().filter(|action| *action == "SESSION_REVOKED").count(), 1);
        let told = scene.delivered().await;
        assert_eq!(
            told.iter().map(|message| message.template.as_str()).collect::<Vec<_>>(),
            ["security.password-invalidated"]
        );

        let old = client.invalidate_passwords(invalidate("-", Some(60))).await.unwrap();
        assert_eq!(count(old), (2, String::new()), "bob's, and cid's, whose day nobody knows");
        assert!(scene.sign_in("bob@example.com", PASSWORD).await.is_err());
        assert!(scene.sign_in("cid@example.com", PASSWORD).await.is_err());
        scene.sign_in("dan@example.com", PASSWORD).await.unwrap();

        let set = SetPasswordRequest { user_id: bob.id.clone(), password: "staple of another kind".into() };
        client.set_password(scene.platform(set)).await.unwrap();
        scene.sign_in("bob@example.com", "staple of another kind").await.unwrap();
        assert_eq!(
            outcomes(&add(&scene, "-", vec![hashed(&ada.id, HASHES[3])]).await),
            [(PasswordRowOutcome::Added, "")]
        );
        scene.sign_in("ada@example.com", PASSWORD).await.unwrap();
    }
}

/// Sends a file in chunks of that size.
async fn import(scene: &Scene, file: &str, chunk: usize) -> Result<ImportPasswordsResponse, tonic::Status> {
    let first = ImportPasswordsRequest { content_type: "application/x-ndjson".into(), chunk: Vec::new() };
    let mut messages = vec![first];
    for chunk in file.as_bytes().chunks(chunk) {
        messages.push(ImportPasswordsRequest { content_type: String::new(), chunk: chunk.to_vec() });
    }
    let request = scene.program((), WRITE).map(|()| futures::stream::iter(messages));
    Ok(scene.identities().import_passwords(request).await?.into_inner())
}

fn line(id: &str, hash: &str) -> String {
    format!("{{\"userId\": \"{id}\", \"passwordHash\": \"{hash}\"}}\n")
}

#[tokio::test]
async fn a_file_of_hashes_is_imported_however_it_is_cut() {
    for scene in scenes().await {
        let mut file = String::new();
        for (number, hash) in HASHES.iter().enumerate() {
            file.push_str(&line(&newcomer(&scene, &format!("filed{number}")).await.id, hash));
            file.push('\n');
        }
        let bad = newcomer(&scene, "bad").await;
        file.push_str(&line(&bad.id, "$md5$0123"));
        file.push_str("no object\n");
        file.push_str(line("nobody", HASHES[0]).trim_end());
        let answer = import(&scene, &file, 7).await.unwrap();
        assert_eq!((answer.added, answer.kept, answer.refused), (5, 0, 3));
        let refusals: Vec<_> = answer.refusals.iter().map(|one| (one.line, one.reason.as_str())).collect();
        assert_eq!(refusals, [(11, "PASSWORD_HASH_NOT_SUPPORTED"), (12, "INVALID_FIELD"), (13, "NOT_FOUND")]);
        let again = import(&scene, &file, 60_000).await.unwrap();
        assert_eq!((again.added, again.kept, again.refused), (0, 5, 3), "an import can be repeated");
        for number in 0..HASHES.len() {
            scene.sign_in(&format!("filed{number}@example.com"), PASSWORD).await.unwrap();
        }
    }
}

#[tokio::test]
async fn a_line_without_an_end_is_refused() {
    let scene = scene().await;
    let ada = newcomer(&scene, "ada").await;
    let file = format!("{}{}", line(&ada.id, HASHES[0]), "x".repeat(5000));
    assert_eq!(refusal_reason(import(&scene, &file, 1000).await), "INVALID_FIELD");
    scene.sign_in("ada@example.com", PASSWORD).await.unwrap();
}
