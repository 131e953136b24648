//! Links on a store of S3: the content goes to the bucket itself, and its record is made afterwards.

use std::time::UNIX_EPOCH;

use futures::TryStreamExt as _;
use pavise_documents::contract::v1::*;
use pavise_files::S3Keys;
use pavise_kernel::Result;
use pavise_kernel::files::Files;
use pavise_testkit::s3::{BUCKET, KEY_ID, KEY_SECRET, S3Server};

use crate::scene::{ADA, PLATFORM, Scene, VISITOR, into_answer, refusal_reason, request_by, with_files};

const JOURNAL: &str = "/pavise.documents.v1.FileService/ReadJournal";
const SWEEPER: &str = "documents.sweep_files";
const COMPLETE: &str = "https://pavise.example/v1/files/upload/complete?token=";
/// The most bytes of a file.
const LARGEST: u64 = 100 << 20;

/// The domain with its files in a bucket, and a program that knows links alone.
struct Bucket {
    scene: Scene,
    server: S3Server,
    files: Files,
    client: reqwest::Client,
}

impl Bucket {
    async fn begin() -> Self {
        let server = S3Server::start().await.unwrap();
        let keys = S3Keys { id: KEY_ID.into(), secret: KEY_SECRET.into() };
        let files = pavise_files::open_s3(BUCKET, "platform", Some(server.address()), Some(keys)).unwrap();
        let scene = with_files(files.clone()).await;
        Self { scene, server, files, client: reqwest::Client::new() }
    }

    /// A link by which a file of Ada is uploaded.
    async fn link_upload(&self, name: &str) -> FileLink {
        let request = CreateUploadLinksRequest {
            owner_id: "ada".into(),
            container: FileContainer::ServiceRequest.into(),
            resource_id: "request-1".into(),
            files: vec![UploadWish { name: name.into() }],
        };
        let links = self.scene.files().create_upload_links(request_by(PLATFORM, request)).await;
        into_answer(links).unwrap().links.into_iter().next().unwrap()
    }

    /// Sends a content to the bucket.
    async fn put(&self, link: &FileLink, content: &'static [u8]) {
        let answer = self.client.put(&link.url).body(content).send().await.unwrap();
        assert!(answer.status().is_success(), "{}", answer.status());
    }

    async fn complete(&self, link: &FileLink) -> Result<LinkedFile> {
        let token = link.complete_url.strip_prefix(COMPLETE).unwrap().to_owned();
        let request = CompleteLinkedFileRequest { token };
        into_answer(self.scene.files().complete_linked_file(request_by(VISITOR, request)).await)
    }

    /// Gets a content from the bucket by a link.
    async fn fetch(&self, file_id: &str) -> Vec<u8> {
        let request = CreateDownloadLinksRequest { owner_id: "ada".into(), file_ids: vec![file_id.into()] };
        let links = self.scene.files().create_download_links(request_by(PLATFORM, request)).await;
        let link = into_answer(links).unwrap().links.into_iter().next().unwrap();
        assert!(link.url.starts_with(self.server.address()), "{}", link.url);
        let answer = self.client.get(&link.url).send().await.unwrap();
        assert!(answer.status().is_success(), "{}", answer.status());
        answer.bytes().await.unwrap().to_vec()
    }

    /// How many objects are in a folder of the bucket.
    async fn count(&self, folder: &str) -> usize {
        self.files.file_store().list(folder).try_collect::<Vec<_>>().await.unwrap().len()
    }

    /// The object that was sent by a link, where the server of S3 keeps it.
    fn open_sent(&self, link: &FileLink) -> std::fs::File {
        let path = self.server.object_path(&format!("platform/quarantine/{}", link.file_id));
        std::fs::OpenOptions::new().write(true).open(path).unwrap()
    }
}

#[tokio::test]
async fn a_link_of_s3_takes_one_file_and_hands_it_out() {
    let bucket = Bucket::begin().await;
    let link = bucket.link_upload("lease.txt").await;
    assert!(link.url.starts_with(bucket.server.address()), "{}", link.url);
    assert!(!link.url.contains("lease"), "{}", link.url);
    assert_eq!(refusal_reason(bucket.complete(&link).await), "NOT_FOUND", "nothing was sent yet");
    bucket.put(&link, b"lease").await;
    assert_eq!((bucket.count("quarantine").await, bucket.count("files").await), (1, 0));
    assert_eq!(refusal_reason(bucket.scene.find_file(ADA, &link.file_id).await), "NOT_FOUND", "it has no record yet");
    let made = bucket.complete(&link).await.unwrap();
    assert_eq!((made.file_id.as_str(), made.content_type.as_str(), made.size), (&*link.file_id, "text/plain", 5));
    assert_eq!((bucket.count("quarantine").await, bucket.count("files").await), (0, 1));
    for _ in 0..2 {
        assert_eq!(bucket.complete(&link).await.unwrap(), made, "a repeat answers the same");
    }
    assert_eq!(bucket.scene.actions(JOURNAL).await, ["CREATE"]);
    assert_eq!(bucket.fetch(&made.file_id).await, b"lease");
    assert_eq!(bucket.scene.download(ADA, &made.file_id).await.unwrap().1, b"lease");
}

/// The address of an upload is good for some minutes more. What comes then is swept.
#[tokio::test]
async fn a_content_that_is_sent_after_the_record_changes_nothing() {
    let bucket = Bucket::begin().await;
    let link = bucket.link_upload("lease.txt").await;
    bucket.put(&link, b"lease").await;
    let made = bucket.complete(&link).await.unwrap();
    bucket.put(&link, b"another").await;
    assert_eq!(bucket.complete(&link).await.unwrap(), made);
    assert_eq!(bucket.fetch(&made.file_id).await, b"lease");
    assert_eq!(bucket.count("quarantine").await, 1);
    bucket.open_sent(&link).set_modified(UNIX_EPOCH).unwrap();
    bucket.scene.run_timer(SWEEPER, "a day later").await.unwrap();
    assert_eq!((bucket.count("quarantine").await, bucket.count("files").await), (0, 1));
}

/// Nothing of a refused upload is left in the bucket.
#[tokio::test]
async fn what_is_refused_leaves_the_bucket() {
    let bucket = Bucket::begin().await;
    let program = bucket.link_upload("lease.txt").await;
    bucket.put(&program, b"MZ\0\0").await;
    assert_eq!(refusal_reason(bucket.complete(&program).await), "FILE_TYPE_NOT_ALLOWED");
    let wrong = bucket.link_upload("lease.txt").await;
    bucket.put(&wrong, b"%PDF-1.7 a polyglot").await;
    assert_eq!(refusal_reason(bucket.complete(&wrong).await), "FILE_TYPE_NOT_ALLOWED", "the name does not fit it");
    let large = bucket.link_upload("large.txt").await;
    bucket.put(&large, b"large").await;
    // The rest of it is a hole on the disk of the server, so that the test sends few bytes.
    bucket.open_sent(&large).set_len(LARGEST + 1).unwrap();
    let refused = bucket.complete(&large).await.unwrap_err();
    assert_eq!((refused.reason(), refused.find_fact("limit")), ("BODY_TOO_LARGE", Some("104857600")));
    assert_eq!((bucket.count("quarantine").await, bucket.count("files").await), (0, 0));
    for link in [&program, &wrong, &large] {
        assert_eq!(refusal_reason(bucket.complete(link).await), "NOT_FOUND", "it has to be sent again");
        assert_eq!(refusal_reason(bucket.scene.find_file(PLATFORM, &link.file_id).await), "NOT_FOUND");
    }
    bucket.put(&program, b"lease").await;
    assert_eq!(bucket.complete(&program).await.unwrap().size, 5, "the link is still good");
}
