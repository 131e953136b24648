//! Files over gRPC, the sweep of what no record names, and a server of a folder to compare with.

use std::path::Path;

use anyhow::Context as _;
use axum::Router;
use futures::{StreamExt as _, stream};
use pavise_kernel::files::{FileKey, Files};
use pavise_kernel::sweep_files::EntityFiles;
use pavise_kernel::table::Table;
use serde::Deserialize;
use serde_json::json;
use sha2::{Digest as _, Sha256};
use tokio::net::TcpListener;
use tonic::Request;
use tonic::metadata::MetadataValue;
use tonic::transport::Channel;
use tower_http::services::ServeDir;

use crate::contract::v1::scan_service_client::ScanServiceClient;
use crate::contract::v1::{AddScanRequest, ReadScanRequest, Scan};
use crate::{kit, scans};

/// The bytes of a message.
const CHUNK: usize = 64 << 10;
/// Rows that are read at once.
const PAGE: u32 = 500;

/// Serves a folder as tower-http does, until the process is ended.
pub(crate) async fn serve_folder(listen: &str, folder: &Path) -> anyhow::Result<()> {
    let listener = TcpListener::bind(listen).await?;
    Ok(axum::serve(listener, Router::new().fallback_service(ServeDir::new(folder))).await?)
}

/// The byte of a made-up file at a place.
fn byte_at(at: u64) -> u8 {
    u8::try_from((at.wrapping_mul(2_654_435_761) >> 13) & 0xff).unwrap_or_default()
}

async fn client(to: &str) -> anyhow::Result<ScanServiceClient<Channel>> {
    let channel = Channel::from_shared(to.to_owned())?.connect().await?;
    Ok(ScanServiceClient::new(channel))
}

fn request<M>(message: M, token: &str) -> anyhow::Result<Request<M>> {
    let mut request = Request::new(message);
    request.metadata_mut().insert("authorization", MetadataValue::try_from(format!("Bearer {token}"))?);
    Ok(request)
}

/// Sends a made-up file of that size over gRPC; answers its record.
pub(crate) async fn send(to: &str, token: &str, size: u64) -> anyhow::Result<serde_json::Value> {
    let first = AddScanRequest { name: "sent.bin".to_owned(), chunk: Vec::new() };
    let step = u64::try_from(CHUNK)?;
    let chunks = stream::unfold(0_u64, move |at| async move {
        let end = size.min(at + step);
        (at < end).then(|| (AddScanRequest { name: String::new(), chunk: (at..end).map(byte_at).collect() }, end))
    });
    let messages = stream::once(std::future::ready(first)).chain(chunks);
    let scan = client(to).await?.add_scan(request(messages, token)?).await?.into_inner();
    Ok(json!({"id": scan.id, "size": scan.size, "sha256": scan.sha256}))
}

/// Takes a file over gRPC, and answers its size after a comparison of each byte.
pub(crate) async fn take(to: &str, token: &str, id: &str) -> anyhow::Result<serde_json::Value> {
    let asked = request(ReadScanRequest { scan_id: id.to_owned() }, token)?;
    let mut messages = client(to).await?.read_scan(asked).await?.into_inner();
    let mut at = 0_u64;
    while let Some(message) = messages.message().await? {
        for byte in message.chunk {
            anyhow::ensure!(byte == byte_at(at), "byte {at} is another one");
            at += 1;
        }
    }
    Ok(json!({"size": at}))
}

/// Removes the files that no record names, of any age, and reads each file that a record names.
pub(crate) async fn sweep(database: &str) -> anyhow::Result<serde_json::Value> {
    let kits = kit::several(database, 1, None).await?;
    let kernel = &kits.first().context("a kit")?.kernel;
    let files = kernel.find_provided::<Files>()?;
    let records = EntityFiles::<Scan>::new(kernel, |scan| &scan.file_key);
    let first = files.sweep_before(scans::FOLDER, i64::MAX, &records).await?;
    let second = files.sweep_before(scans::FOLDER, i64::MAX, &records).await?;
    let (mut named, mut dangling, mut after) = (0_u64, 0_u64, String::new());
    loop {
        let rows = kernel.store().scan(table(), &after, PAGE).await?;
        let Some(last) = rows.last() else { break };
        after.clone_from(&last.id);
        for row in rows {
            let record: Record = serde_json::from_str(&row.doc)?;
            named += 1;
            dangling += u64::from(!is_whole(&files, &record).await?);
        }
    }
    Ok(json!({
        "orphans": first.orphans, "unfinished": first.unfinished, "named": named, "dangling": dangling,
        "left": second.orphans + second.unfinished, "seen": second.seen,
    }))
}

fn table() -> &'static Table {
    <Scan as pavise_kernel::Aggregate>::TABLE
}

/// The stored record of a file.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Record {
    file_key: String,
    size: serde_json::Value,
    sha256: String,
}

/// Whether the store has the file of a record.
async fn is_whole(files: &Files, record: &Record) -> anyhow::Result<bool> {
    let key = FileKey::parse(&record.file_key)?;
    let size: u64 = record.size.to_string().trim_matches('"').parse()?;
    if files.file_store().size(&key).await? != Some(size) {
        return Ok(false);
    }
    let mut chunks = files.file_store().read(&key, 0..size).await?;
    let mut digest = Sha256::new();
    while let Some(chunk) = chunks.next().await {
        digest.update(&chunk?);
    }
    Ok(pavise_kernel::hex::to_hex(&digest.finalize()) == record.sha256)
}
