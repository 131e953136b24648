//! The erasure of a person: the contents of their files go, and those of others stay.

use pavise_documents::contract::v1::person_service_client::PersonServiceClient;
use pavise_documents::contract::v1::*;
use pavise_kernel::common::v1::RedactPersonRequest;

use crate::scene::{ADA, BEN, PLATFORM, STAFF, Scene, facts, into_answer, refusal_reason, request_by, scenes};

const SWEEPER: &str = "documents.sweep_files";

async fn erase(scene: &Scene, identity: &str) {
    let mut request = RedactPersonRequest { identity_id: identity.into(), ..RedactPersonRequest::default() };
    loop {
        let mut people = PersonServiceClient::new(scene.transport());
        let part = into_answer(people.redact_person(request_by(PLATFORM, request.clone())).await).unwrap();
        request.page_token = part.next_page_token;
        if request.page_token.is_empty() {
            return;
        }
    }
}

#[tokio::test]
async fn the_contents_of_an_erased_person_are_swept() {
    for scene in scenes().await {
        let deed = facts(FileContainer::Answer, "answer-1", "deed.txt");
        let file = scene.upload(ADA, deed.clone(), b"an earlier deed").await.unwrap();
        scene.upload(ADA, deed.clone(), b"a deed").await.unwrap();
        let other = scene.upload(BEN, deed, b"the deed of another").await.unwrap();
        let page = scene.upload(STAFF, facts(FileContainer::Form, "", "page.pdf"), b"%PDF-1.7").await.unwrap();
        erase(&scene, "ada").await;
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
