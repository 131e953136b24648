//! A bucket of S3, on a real server.

use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use s3s::auth::SimpleAuth;
use s3s::service::S3ServiceBuilder;
use s3s_fs::FileSystem;
use tokio::net::TcpListener;

use crate::suite;

#[tokio::test]
async fn a_bucket_is_a_store() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("bucket")).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let mut builder = S3ServiceBuilder::new(FileSystem::new(folder.path()).unwrap());
    builder.set_auth(SimpleAuth::from_single("key", "secret"));
    let service = builder.build();
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let service = service.clone();
            tokio::spawn(async move {
                let _ = Builder::new(TokioExecutor::new()).serve_connection(TokioIo::new(stream), service).await;
            });
        }
    });
    let keys = pavise_files::S3Keys { id: "key".into(), secret: "secret".into() };
    let files = pavise_files::open_s3("bucket", "platform/files", Some(&address), Some(keys)).unwrap();
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
