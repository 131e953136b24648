//! Asks clamd about a content (INSTREAM).

use std::time::Duration;

use futures::StreamExt as _;
use pavise_kernel::bytes::Chunks;
use pavise_kernel::{Error, Result};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// The time in which a scan ends.
const WHOLE: Duration = Duration::from_secs(120);
/// The longest answer.
const LONGEST: u64 = 4096;

/// The answer of clamd about a content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Nothing was found.
    Clean,
    /// Why the content is held back.
    Held(String),
}

/// Scans a content by the clamd at an address, `host:port`.
///
/// # Errors
/// UNAVAILABLE when clamd does not answer: another try may pass.
pub(crate) async fn scan_content(address: &str, content: Chunks) -> Result<Verdict> {
    let away = |cause: String| Error::unavailable("the scanner of files", cause);
    let answer = tokio::time::timeout(WHOLE, ask(address, content)).await.map_err(|late| away(late.to_string()))??;
    let answer = answer.trim_end_matches(['\0', '\n']).trim_start_matches("stream: ");
    match answer.rsplit_once(' ') {
        _ if answer == "OK" => Ok(Verdict::Clean),
        Some((found, "FOUND")) => Ok(Verdict::Held(found.chars().take(200).collect())),
        _ if answer.contains("size limit exceeded") => Ok(Verdict::Held("it is too large for the scanner".to_owned())),
        _ => Err(away(answer.to_owned())),
    }
}

async fn ask(address: &str, mut content: Chunks) -> Result<String> {
    let away = |error: std::io::Error| Error::unavailable("the scanner of files", error);
    let mut stream = TcpStream::connect(address).await.map_err(away)?;
    stream.write_all(b"zINSTREAM\0").await.map_err(away)?;
    while let Some(chunk) = content.next().await.transpose()? {
        let length = u32::try_from(chunk.len()).map_err(Error::internal)?;
        // clamd ends early where it has seen enough; its answer says so.
        if length > 0 && send(&mut stream, &length.to_be_bytes(), &chunk).await.is_err() {
            break;
        }
    }
    let _ = stream.write_all(&[0; 4]).await;
    let mut answer = Vec::new();
    stream.take(LONGEST).read_to_end(&mut answer).await.map_err(away)?;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

async fn send(stream: &mut TcpStream, length: &[u8], chunk: &[u8]) -> std::io::Result<()> {
    stream.write_all(length).await?;
    stream.write_all(chunk).await
}
