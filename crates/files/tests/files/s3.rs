//! A bucket of S3, on a real server.

use pavise_testkit::s3::{BUCKET, KEY_ID, KEY_SECRET, S3Server};

use crate::suite;

#[tokio::test]
async fn a_bucket_is_a_store() {
    let server = S3Server::start().await.unwrap();
    let keys = pavise_files::S3Keys { id: KEY_ID.into(), secret: KEY_SECRET.into() };
    let files = pavise_files::open_s3(BUCKET, "platform/files", Some(server.address()), Some(keys)).unwrap();
    suite::all(&files).await;
    signed_addresses_need_no_key(&files).await;
}

/// The holder of an address uses that address, and nothing else.
async fn signed_addresses_need_no_key(files: &pavise_kernel::files::Files) {
    use pavise_kernel::files::{AddressUse, FileKey};
    let (key, minute) = (FileKey::new("quarantine", "signed").unwrap(), std::time::Duration::from_secs(60));
    let sign = async |usage| files.file_store().sign_address(&key, usage, minute).await.unwrap().unwrap();
    let (upload, download) = (sign(AddressUse::Upload).await, sign(AddressUse::Download).await);
    let client = reqwest::Client::new();
    assert!(client.put(&upload).body("content").send().await.unwrap().status().is_success());
    let answer = client.get(&download).send().await.unwrap();
    assert!(answer.status().is_success(), "{}", answer.status());
    assert_eq!(answer.text().await.unwrap(), "content");
    assert!(!client.put(&download).body("x").send().await.unwrap().status().is_success());
    let forged = download.replace("signed", "whole-1");
    assert!(!client.get(&forged).send().await.unwrap().status().is_success());
}
