//! Links to files: good for some minutes, for one file, without a token.

use std::time::Duration;

use pavise_documents::contract::v1::*;
use pavise_kernel::Result;

use crate::scene::{
    ADA, BEN, PLATFORM, Scene, VISITOR, facts, into_answer, read_bytes, refusal_reason, request_by, scene, scenes,
    small, text,
};

const MINUTE: Duration = Duration::from_secs(60);

fn token_of(link: &FileLink) -> String {
    link.url.split_once("?token=").unwrap().1.to_owned()
}

async fn link_for(scene: &Scene, owner: &str, name: &str) -> Result<FileLink> {
    let request = CreateUploadLinksRequest {
        owner_id: owner.into(),
        container: FileContainer::ServiceRequest.into(),
        resource_id: "request-1".into(),
        files: vec![UploadWish { name: name.into() }],
    };
    let links = into_answer(scene.files().create_upload_links(request_by(PLATFORM, request)).await)?;
    Ok(links.links.into_iter().next().unwrap())
}

async fn send(scene: &Scene, token: &str, content: &[u8]) -> Result<LinkedFile> {
    let first = UploadLinkedFileRequest { token: token.into(), chunk: content.to_vec() };
    let request = request_by(VISITOR, ()).map(|()| futures::stream::iter([first]));
    into_answer(scene.files().upload_linked_file(request).await)
}

async fn fetch(scene: &Scene, token: &str) -> Result<Vec<u8>> {
    let request = DownloadLinkedFileRequest { token: token.into() };
    let messages = into_answer(scene.files().download_linked_file(request_by(VISITOR, request)).await)?;
    Ok(read_bytes(messages).await?.1)
}

#[tokio::test]
async fn a_link_takes_one_file_for_fifteen_minutes() {
    for scene in scenes().await {
        let link = link_for(&scene, "ada", "deed.txt").await.unwrap();
        assert!(link.url.starts_with("https://pavise.example/v1/files/upload?token="), "{}", link.url);
        assert!(!link.url.contains("deed") && !link.url.contains("ada") && link.complete_url.is_empty());
        assert_eq!(refusal_reason(scene.find_file(PLATFORM, &link.file_id).await), "NOT_FOUND", "it writes nothing");
        let token = token_of(&link);
        assert_eq!(refusal_reason(send(&scene, &token, b"MZ\0\0").await), "FILE_TYPE_NOT_ALLOWED");
        let sent = send(&scene, &token, b"deed").await.unwrap();
        assert_eq!((sent.file_id.as_str(), sent.size), (link.file_id.as_str(), 4));
        assert_eq!(refusal_reason(send(&scene, &token, b"other").await), "LINK_NOT_VALID", "it is used");
        assert_eq!(scene.download(ADA, &link.file_id).await.unwrap().1, b"deed");
        let late = token_of(&link_for(&scene, "ada", "late.txt").await.unwrap());
        scene.clock.move_forward(15 * MINUTE);
        assert_eq!(refusal_reason(send(&scene, &late, b"late").await), "LINK_NOT_VALID");
        assert_eq!(scene.contents().len(), 1);
    }
}

#[tokio::test]
async fn a_link_hands_out_one_file_for_five_minutes() {
    for scene in scenes().await {
        let upload = facts(FileContainer::Chat, "chat-1", "photo.txt");
        let file = scene.upload(ADA, upload.clone(), b"photo").await.unwrap();
        let link = async |owner: &str| {
            let request = CreateDownloadLinksRequest { owner_id: owner.into(), file_ids: vec![file.id.clone()] };
            let links = into_answer(scene.files().create_download_links(request_by(PLATFORM, request)).await)?;
            Ok::<_, pavise_kernel::Error>(links.links.into_iter().next().unwrap())
        };
        assert_eq!(refusal_reason(link("ben").await), "NOT_FOUND", "it is Ada's");
        let token = token_of(&link("ada").await.unwrap());
        assert_eq!(fetch(&scene, &token).await.unwrap(), b"photo");
        assert_eq!(scene.actions("/pavise.documents.v1.FileService/ReadJournal").await, ["CREATE", "RETRIEVE"]);
        let changed = token_of(&link("ada").await.unwrap());
        scene.upload(ADA, upload, b"another").await.unwrap();
        assert_eq!(refusal_reason(fetch(&scene, &changed).await), "LINK_NOT_VALID", "it was for another content");
        let token = token_of(&link("ada").await.unwrap());
        scene.clock.move_forward(5 * MINUTE);
        assert_eq!(refusal_reason(fetch(&scene, &token).await), "LINK_NOT_VALID");
    }
}

#[tokio::test]
async fn forged_links_are_refused() {
    let scene = scene().await;
    let token = token_of(&link_for(&scene, "ada", "deed.txt").await.unwrap());
    for place in 0..token.len() {
        let letter = if token.as_bytes()[place] == b'A' { 'B' } else { 'A' };
        let forged = format!("{}{letter}{}", &token[..place], &token[place + 1..]);
        // The last letter of a token may hold bits that nothing reads.
        if place + 1 < token.len() {
            assert_eq!(refusal_reason(send(&scene, &forged, b"x").await), "LINK_NOT_VALID", "{place}");
        }
    }
    assert_eq!(refusal_reason(fetch(&scene, &token).await), "LINK_NOT_VALID", "an upload is no download");
    let complete = CompleteLinkedFileRequest { token };
    let complete = scene.files().complete_linked_file(request_by(VISITOR, complete)).await;
    assert_eq!(refusal_reason(into_answer(complete)), "LINK_NOT_VALID");
    assert_eq!(scene.contents().len(), 0);
    for name in ["../x.txt", "a/b.txt", "..", "a\u{0}.txt"] {
        assert!(link_for(&scene, "ada", name).await.is_err(), "{name:?}");
    }
    let nobodys = link_for(&scene, "", "deed.txt").await;
    assert_eq!(refusal_reason(nobodys), "INVALID_FIELD");
}

/// Answers carry links to upload and to download (rule 284).
#[tokio::test]
async fn an_answer_has_links_for_its_files() {
    let scene = scene().await;
    let question = scene.question(small("survey")).await;
    let answer = scene.answer(&question, vec![text("a", "x"), text("b", "y")]).await.unwrap();
    let ask = |user: &str| GetS3UploadLinksRequest {
        user_id: user.into(),
        answer_id: answer.id.clone(),
        file_names: vec!["one.txt".into(), "two.txt".into()],
    };
    let links = into_answer(scene.answers().get_s3_upload_links(request_by(ADA, ask("ada"))).await).unwrap().links;
    let sent = send(&scene, &token_of(&links[1]), b"two").await.unwrap();
    let file = scene.find_file(ADA, &sent.file_id).await.unwrap();
    assert_eq!((file.container(), file.resource_id.as_str()), (FileContainer::Answer, answer.id.as_str()));
    assert_eq!((file.owner_id.as_str(), file.name.as_str()), ("ada", "two.txt"));
    let foreign = scene.answers().get_s3_upload_links(request_by(BEN, ask("ben"))).await;
    assert_eq!(refusal_reason(into_answer(foreign)), "NOT_FOUND");
    let mut wrong = ask("ada");
    wrong.file_names[1] = "a/b".into();
    let wrong = into_answer(scene.answers().get_s3_upload_links(request_by(ADA, wrong)).await).unwrap_err();
    assert_eq!(wrong.violations()[0].field, "file_names[1]");
    scene.submit(&answer).await.unwrap();
    let late = scene.answers().get_s3_upload_links(request_by(ADA, ask("ada"))).await;
    assert_eq!(refusal_reason(into_answer(late)), "ANSWER_SUBMITTED");
}
