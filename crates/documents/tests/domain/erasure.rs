//! The erasure of a person: the contents of their files go, and those of others stay. So do files on legal hold.

use pavise_documents::contract::v1::person_service_client::PersonServiceClient;
use pavise_documents::contract::v1::*;
use pavise_kernel::Result;
use pavise_kernel::common::v1::{HeldEntity, RedactPersonRequest};

use crate::scene::{ADA, BEN, PLATFORM, STAFF, Scene, facts, into_answer, refusal_reason, request_by, scenes};

const SWEEPER: &str = "documents.sweep_files";

/// Erases a person, and answers what must stay.
async fn erase(scene: &Scene, identity: &str) -> Vec<HeldEntity> {
    let mut held = Vec::new();
    let mut request = RedactPersonRequest { identity_id: identity.into(), ..RedactPersonRequest::default() };
    loop {
        let mut people = PersonServiceClient::new(scene.transport());
        let part = into_answer(people.redact_person(request_by(PLATFORM, request.clone())).await).unwrap();
        held.extend(part.held_entities);
        request.page_token = part.next_page_token;
        if request.page_token.is_empty() {
            return held;
        }
    }
}

async fn hold(scene: &Scene, file_id: &str, legal_hold: bool) -> Result<File> {
    let request = SetLegalHoldRequest { file_id: file_id.into(), legal_hold };
    into_answer(scene.files().set_legal_hold(request_by(STAFF, request)).await)
}

#[tokio::test]
async fn the_contents_of_an_erased_person_are_swept() {
    for scene in scenes().await {
        let deed = facts(FileContainer::Answer, "answer-1", "deed.txt");
        let file = scene.upload(ADA, deed.clone(), b"an earlier deed").await.unwrap();
        scene.upload(ADA, deed.clone(), b"a deed").await.unwrap();
        let other = scene.upload(BEN, deed, b"the deed of another").await.unwrap();
        let page = scene.upload(STAFF, facts(FileContainer::Form, "", "page.pdf"), b"%PDF-1.7").await.unwrap();
        assert!(erase(&scene, "ada").await.is_empty());
        let erased = scene.find_file(STAFF, &file.id).await.unwrap();
        assert_eq!((erased.name.as_str(), erased.sha256.as_str(), erased.size), ("", "", 6));
        assert_eq!(refusal_reason(scene.download(ADA, &file.id).await), "FILE_NOT_AVAILABLE");
        scene.run_timer(SWEEPER, "at once").await.unwrap();
        assert_eq!(scene.contents().len(), 4, "they are younger than a day");
        scene.age_contents();
        scene.run_timer(SWEEPER, "a day later").await.unwrap();
        assert_eq!(scene.contents().len(), 2);
        assert_eq!(scene.download(BEN, &other.id).await.unwrap().1, b"the deed of another");
        assert_eq!(scene.download(STAFF, &page.id).await.unwrap().1, b"%PDF-1.7");
    }
}

#[tokio::test]
async fn a_file_on_hold_outlives_the_erasure_of_the_rest() {
    for scene in scenes().await {
        let note = |name: &str| facts(FileContainer::Answer, "answer-1", name);
        let file = scene.upload(ADA, note("deed.txt"), b"a deed").await.unwrap();
        let other = scene.upload(ADA, note("other.txt"), b"other").await.unwrap();
        hold(&scene, &file.id, true).await.unwrap();
        let is_held = [HeldEntity { service: "files".into(), id: file.id.clone() }];
        for _ in 0..2 {
            assert_eq!(erase(&scene, "ada").await, is_held);
            scene.age_contents();
            scene.run_timer(SWEEPER, "a day later").await.unwrap();
            assert_eq!(scene.download(STAFF, &file.id).await.unwrap().1, b"a deed");
            let kept = scene.find_file(STAFF, &file.id).await.unwrap();
            assert_eq!((kept.name.as_str(), kept.sha256), ("deed.txt", file.sha256.clone()));
        }
        assert_eq!(scene.find_file(STAFF, &other.id).await.unwrap().name, "");
        assert_eq!(scene.contents().len(), 1);
        assert_eq!(refusal_reason(hold(&scene, &other.id, true).await), "FILE_NOT_AVAILABLE", "nothing is left of it");
        hold(&scene, &file.id, false).await.unwrap();
        assert!(erase(&scene, "ada").await.is_empty());
        assert_eq!(scene.find_file(STAFF, &file.id).await.unwrap().name, "");
        assert_eq!(refusal_reason(hold(&scene, &file.id, true).await), "FILE_NOT_AVAILABLE");
        scene.run_timer(SWEEPER, "at last").await.unwrap();
        assert_eq!(scene.contents().len(), 0);
    }
}

/// A hold that comes at the same time as the erasure is obeyed or refused.
#[tokio::test(flavor = "multi_thread")]
async fn a_hold_during_an_erasure_keeps_the_file_whole_or_is_refused() {
    for scene in scenes().await {
        for round in 0..20 {
            let name = format!("deed-{round}.txt");
            let file = scene.upload(ADA, facts(FileContainer::Answer, "answer-1", &name), b"a deed").await.unwrap();
            let (held, _) = tokio::join!(hold(&scene, &file.id, true), erase(&scene, "ada"));
            let after = erase(&scene, "ada").await;
            match held {
                Ok(_) => {
                    assert_eq!(after, [HeldEntity { service: "files".into(), id: file.id.clone() }]);
                    assert_eq!(scene.download(STAFF, &file.id).await.unwrap().1, b"a deed");
                    assert_eq!(scene.find_file(STAFF, &file.id).await.unwrap().name, name);
                    hold(&scene, &file.id, false).await.unwrap();
                }
                Err(refused) => {
                    assert_eq!((refused.reason(), after.len()), ("FILE_NOT_AVAILABLE", 0));
                    assert_eq!(scene.find_file(STAFF, &file.id).await.unwrap().name, "");
                }
            }
            assert!(erase(&scene, "ada").await.is_empty());
        }
    }
}
