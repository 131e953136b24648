//! Files: who gets them, which are taken, and how they end (rules 50 and 273).

use pavise_documents::contract::v1::*;
use pavise_kernel::time::{from_days, to_days};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use crate::scene::{
    ADA, BEN, PLATFORM, STAFF, Scene, config, configured, facts, into_answer, read_bytes, refusal_reason, request_by,
    scene, scenes,
};

const JOURNAL: &str = "/pavise.documents.v1.FileService/ReadJournal";
const FOLLOWER: &str = "documents.follow_files";
const SWEEPER: &str = "documents.sweep_files";

fn note(name: &str) -> UploadContainerFileRequest {
    facts(FileContainer::Answer, "answer-1", name)
}

fn named(owner_id: &str, name: &str) -> GetContainerFileRequest {
    GetContainerFileRequest {
        owner_id: owner_id.into(),
        container: FileContainer::Answer.into(),
        resource_id: "answer-1".into(),
        name: name.into(),
        ..GetContainerFileRequest::default()
    }
}

async fn get(scene: &Scene, who: &str, request: GetContainerFileRequest) -> pavise_kernel::Result<Vec<u8>> {
    let messages = into_answer(scene.files().get_container_file(request_by(who, request)).await)?;
    Ok(read_bytes(messages).await?.1)
}

#[tokio::test]
async fn a_file_is_its_owners_and_staffs_and_each_retrieval_is_recorded() {
    for scene in scenes().await {
        let file = scene.upload(ADA, note("deed.txt"), b"first").await.unwrap();
        assert_eq!((file.owner_id.as_str(), file.status()), ("ada", FileStatus::Available));
        assert_eq!((file.content_type.as_str(), file.size), ("text/plain", 5));
        assert_eq!((file.storage_key.as_str(), file.name_key.as_str()), ("", ""), "nobody needs them");
        let (head, content) = scene.download(ADA, &file.id).await.unwrap();
        assert_eq!((head.etag, head.file_name, content), (file.sha256.clone(), "deed.txt".into(), b"first".to_vec()));
        assert_eq!(get(&scene, ADA, named("", "deed.txt")).await.unwrap(), b"first");
        assert_eq!(get(&scene, STAFF, named("ada", "deed.txt")).await.unwrap(), b"first");
        assert_eq!(refusal_reason(get(&scene, BEN, named("", "deed.txt")).await), "NOT_FOUND");
        assert_eq!(refusal_reason(scene.download(BEN, &file.id).await), "NOT_FOUND");
        assert_eq!(refusal_reason(get(&scene, BEN, named("ada", "deed.txt")).await), "NOT_THE_OWNER");
        assert_eq!(refusal_reason(get(&scene, ADA, GetContainerFileRequest::default()).await), "INVALID_FIELD");
        let again = scene.upload(ADA, note("deed.txt"), b"second").await.unwrap();
        assert_eq!((again.id.as_str(), again.version), (file.id.as_str(), 5), "a name has one file");
        assert_eq!(get(&scene, ADA, named("", "deed.txt")).await.unwrap(), b"second");
        let other = scene.upload(BEN, note("deed.txt"), b"third").await.unwrap();
        assert_ne!(other.id, file.id, "that of another owner is another file");
        let expected = ["CREATE", "RETRIEVE", "RETRIEVE", "RETRIEVE", "UPDATE", "RETRIEVE", "CREATE"];
        assert_eq!(scene.actions(JOURNAL).await, expected);
        let seen = scene.find_file(STAFF, &file.id).await.unwrap();
        assert_eq!(seen.retrieved_by_id, "ada");
        let list = async |who: &str, owner: &str| {
            let request = ListFilesRequest { owner_id: owner.into(), ..ListFilesRequest::default() };
            into_answer(scene.files().list_files(request_by(who, request)).await).map(|page| page.files.len())
        };
        assert_eq!(
            (list(ADA, "").await.unwrap(), list(STAFF, "").await.unwrap(), list(STAFF, "ben").await.unwrap()),
            (1, 2, 1)
        );
    }
}

/// Nothing of a refused file is left.
#[tokio::test]
async fn what_a_file_claims_to_be_does_not_count() {
    let scene = scene().await;
    let script = b"%PDF-1.7\n1 0 obj <</S /J#61vaScript /JS (app.alert(1))>> endobj".to_vec();
    let mut late = b"%PDF-1.7\n".to_vec();
    late.extend(vec![b'x'; 300_000]);
    late.extend(b"<</S/Launch>>");
    let mut program = b"MZ".to_vec();
    program.extend([0; 100]);
    for (name, content, reason) in [
        ("deed.pdf", program, "FILE_TYPE_NOT_ALLOWED"),
        ("page.html", b"<!DOCTYPE html><script>".to_vec(), "FILE_TYPE_NOT_ALLOWED"),
        ("deed.txt", b"%PDF-1.7 a polyglot".to_vec(), "FILE_TYPE_NOT_ALLOWED"),
        ("deed.pdf", script, "FILE_UNSAFE"),
        ("deed.pdf", late, "FILE_UNSAFE"),
        ("deed.txt", Vec::new(), "INVALID_FIELD"),
        ("../../etc/passwd.txt", b"x".to_vec(), "INVALID_FIELD"),
        ("..\\x.txt", b"x".to_vec(), "INVALID_FIELD"),
        ("..", b"x".to_vec(), "INVALID_FIELD"),
        ("", b"x".to_vec(), "INVALID_FIELD"),
    ] {
        assert_eq!(refusal_reason(scene.upload(ADA, note(name), &content).await), reason, "{name}");
    }
    assert_eq!(scene.contents(), Vec::<std::path::PathBuf>::new());
    let staffs = facts(FileContainer::Contract, "", "contract.pdf");
    assert_eq!(refusal_reason(scene.upload(ADA, staffs.clone(), b"%PDF-1.7").await), "INVALID_FIELD");
    let contract = scene.upload(STAFF, staffs, b"%PDF-1.7").await.unwrap();
    assert_eq!(contract.owner_id, "", "it is the platform's");
    assert_eq!(refusal_reason(scene.download(ADA, &contract.id).await), "NOT_FOUND");
    assert_eq!(scene.download(STAFF, &contract.id).await.unwrap().1, b"%PDF-1.7");
    assert_eq!(scene.actions(JOURNAL).await, ["CREATE"], "nobody's file has no retrievals");
    assert_eq!(
        refusal_reason(scene.upload(STAFF, note("a.txt"), b"x").await),
        "INVALID_FIELD",
        "it belongs to somebody"
    );
}

#[tokio::test]
async fn a_deleted_file_loses_its_content_and_one_on_hold_does_not() {
    for scene in scenes().await {
        let file = scene.upload(ADA, note("deed.txt"), b"deed").await.unwrap();
        let hold = |legal_hold| SetLegalHoldRequest { file_id: file.id.clone(), legal_hold };
        let refused = scene.files().set_legal_hold(request_by(ADA, hold(true))).await;
        assert_eq!(refusal_reason(into_answer(refused)), "REALM_NOT_ALLOWED");
        into_answer(scene.files().set_legal_hold(request_by(STAFF, hold(true))).await).unwrap();
        let delete = || DeleteContainerFileRequest { file_id: file.id.clone(), ..Default::default() };
        let refused = scene.files().delete_container_file(request_by(ADA, delete())).await;
        assert_eq!(refusal_reason(into_answer(refused)), "LEGAL_HOLD");
        let by_id = DeleteFileRequest { file_id: file.id.clone() };
        let refused = scene.files().delete_file(request_by(PLATFORM, by_id)).await;
        assert_eq!(refusal_reason(into_answer(refused)), "LEGAL_HOLD");
        assert_eq!(refusal_reason(scene.upload(ADA, note("deed.txt"), b"other").await), "LEGAL_HOLD");
        assert_eq!(scene.download(ADA, &file.id).await.unwrap().1, b"deed");
        into_answer(scene.files().set_legal_hold(request_by(STAFF, hold(false))).await).unwrap();
        let refused = scene.files().delete_container_file(request_by(BEN, delete())).await;
        assert_eq!(refusal_reason(into_answer(refused)), "NOT_FOUND");
        let deleted = into_answer(scene.files().delete_container_file(request_by(ADA, delete())).await).unwrap();
        assert_eq!(deleted.status(), FileStatus::Deleted);
        assert_eq!(refusal_reason(scene.download(ADA, &file.id).await), "NOT_FOUND");
        assert_eq!(scene.contents().len(), 1);
        assert_eq!(scene.handle_all(FOLLOWER).await, 0);
        assert_eq!(scene.contents().len(), 0);
        let next = scene.upload(ADA, note("deed.txt"), b"another").await.unwrap();
        assert_ne!(next.id, file.id, "the name is free");
    }
}

#[tokio::test]
async fn a_file_ends_on_its_day_and_a_content_without_a_file_after_a_day() {
    let scene = scene().await;
    let tomorrow = from_days(to_days(pavise_kernel::time::to_date(pavise_kernel::time::to_micros(&scene.now()))) + 1);
    let request = UploadContainerFileRequest { delete_after: Some(tomorrow), ..note("a.txt") };
    let file = scene.upload(ADA, request, b"a").await.unwrap();
    scene.upload(ADA, note("b.txt"), b"first").await.unwrap();
    scene.upload(ADA, note("b.txt"), b"second").await.unwrap();
    assert_eq!(scene.contents().len(), 3, "the earlier content has no file");
    scene.run_timer(SWEEPER, "now").await.unwrap();
    assert_eq!(scene.contents().len(), 3);
    scene.age_contents();
    scene.run_timer(SWEEPER, "later").await.unwrap();
    assert_eq!(scene.contents().len(), 2);
    scene.clock.move_forward(std::time::Duration::from_secs(2 * 86_400));
    scene.run_timer(SWEEPER, "in two days").await.unwrap();
    assert_eq!(scene.find_file(STAFF, &file.id).await.unwrap().status(), FileStatus::Deleted);
    assert_eq!(scene.contents().len(), 1);
}

#[tokio::test]
async fn nobody_gets_what_is_held_back() {
    let scene = scene().await;
    let file = scene.upload(ADA, note("deed.txt"), b"deed").await.unwrap();
    let held = QuarantineFileRequest { file_id: file.id.clone(), reason: "reported".into() };
    into_answer(scene.files().quarantine_file(request_by(STAFF, held)).await).unwrap();
    for who in [ADA, STAFF, PLATFORM] {
        assert_eq!(refusal_reason(scene.download(who, &file.id).await), "FILE_NOT_AVAILABLE", "{who}");
    }
    let links = CreateDownloadLinksRequest { file_ids: vec![file.id.clone()], ..Default::default() };
    let links = scene.files().create_download_links(request_by(PLATFORM, links)).await;
    assert_eq!(refusal_reason(into_answer(links)), "FILE_NOT_AVAILABLE");
    let free = ReleaseFileRequest { file_id: file.id.clone() };
    into_answer(scene.files().release_file(request_by(STAFF, free)).await).unwrap();
    assert_eq!(scene.download(ADA, &file.id).await.unwrap().1, b"deed");
}

/// A clamd that finds the test's signature.
async fn begin_clamd() -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            tokio::spawn(async move {
                let mut command = [0; 10];
                stream.read_exact(&mut command).await.unwrap();
                assert_eq!(&command, b"zINSTREAM\0");
                let mut content = Vec::new();
                loop {
                    let size = usize::try_from(stream.read_u32().await.unwrap()).unwrap();
                    if size == 0 {
                        break;
                    }
                    let mut chunk = vec![0; size];
                    stream.read_exact(&mut chunk).await.unwrap();
                    content.extend(chunk);
                }
                let found = String::from_utf8_lossy(&content).contains("EICAR-STANDARD-ANTIVIRUS-TEST-FILE");
                let answer: &[u8] = if found { b"stream: Eicar-Test-Signature FOUND\0" } else { b"stream: OK\0" };
                stream.write_all(answer).await.unwrap();
            });
        }
    });
    address
}

#[tokio::test]
async fn with_a_scanner_nobody_gets_a_file_before_its_scan() {
    let clamd = begin_clamd().await;
    let scene = configured(pavise_documents::Config { clamd: Some(clamd), ..config() }).await;
    let clean = scene.upload(ADA, note("clean.txt"), b"clean").await.unwrap();
    let test = b"X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*";
    let found = scene.upload(ADA, note("found.txt"), test).await.unwrap();
    assert_eq!((clean.status(), found.status()), (FileStatus::Pending, FileStatus::Pending));
    assert_eq!(refusal_reason(scene.download(ADA, &clean.id).await), "FILE_NOT_AVAILABLE");
    assert_eq!(scene.handle_all(FOLLOWER).await, 0);
    assert_eq!(scene.download(ADA, &clean.id).await.unwrap().1, b"clean");
    let found = scene.find_file(STAFF, &found.id).await.unwrap();
    assert_eq!((found.status(), found.status_reason.as_str()), (FileStatus::Quarantined, "Eicar-Test-Signature"));
}

#[tokio::test]
async fn a_scanner_that_is_away_holds_files_back_and_refuses_none() {
    let scene = configured(pavise_documents::Config { clamd: Some("127.0.0.1:1".into()), ..config() }).await;
    let file = scene.upload(ADA, note("deed.txt"), b"deed").await.unwrap();
    let entries = scene.read_journal(JOURNAL).await;
    let failed = scene.handle_entry(FOLLOWER, &entries[0]).await.unwrap_err();
    assert_eq!(failed.reason(), "UNAVAILABLE");
    assert_eq!(scene.find_file(ADA, &file.id).await.unwrap().status(), FileStatus::Pending);
}

#[tokio::test]
async fn a_file_follows_its_owner_in_a_merge() {
    let scene = scene().await;
    let file = scene.upload(ADA, note("deed.txt"), b"deed").await.unwrap();
    let request =
        ChangeFileOwnerRequest { file_id: file.id.clone(), owner_id: "ada".into(), new_owner_id: "ben".into() };
    let refused = scene.files().change_file_owner(request_by(ADA, request.clone())).await;
    assert_eq!(refusal_reason(into_answer(refused)), "REALM_NOT_ALLOWED");
    into_answer(scene.files().change_file_owner(request_by(PLATFORM, request)).await).unwrap();
    assert_eq!(scene.download(BEN, &file.id).await.unwrap().1, b"deed");
    assert_eq!(refusal_reason(scene.download(ADA, &file.id).await), "NOT_FOUND");
}

/// A file is never in memory as a whole; sixty mebibytes come back as they went.
#[tokio::test]
async fn a_large_file_comes_back_as_it_went() {
    let scene = scene().await;
    let block: String = (0..1024).map(|number| format!("{number:063}\n")).collect();
    let content = block.into_bytes().repeat(960);
    let file = scene.upload(ADA, note("large.txt"), &content).await.unwrap();
    assert_eq!(file.size, 60 << 20);
    assert!(scene.download(ADA, &file.id).await.unwrap().1 == content);
}
