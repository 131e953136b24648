use futures::stream;
use pavise_contract::common::v1::RawAnswer;
use prost::Message as _;
use sha2::{Digest, Sha256};

use super::*;
use crate::call::bytes::upload::UploadRule;
use crate::hex::to_hex;
use crate::port::chunks::CHUNK;

/// The request of an upload: its first field is the content type, and its second one the chunk.
impl ChunkedRequest for RawAnswer {
    const RULE: UploadRule = UploadRule { chunk: 2, most: 100_000, types: &["text/*"] };

    fn take_chunk(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.body)
    }

    fn content_type(&self) -> Option<&str> {
        Some(&self.content_type)
    }
}

fn message(content_type: &str, body: &[u8]) -> Result<Bytes, Status> {
    let message = RawAnswer { content_type: content_type.to_owned(), body: body.to_vec() };
    Ok(message.encode_to_vec().into())
}

async fn begun(messages: Vec<Result<Bytes, Status>>, hashed: bool) -> Result<(RawAnswer, Incoming)> {
    first::<RawAnswer>(Box::pin(stream::iter(messages)), hashed).await
}

/// Reads the file to its end.
async fn content(messages: Vec<Result<Bytes, Status>>) -> Result<Vec<u8>> {
    let (_, incoming) = begun(messages, false).await?;
    let mut upload = incoming.take().unwrap();
    let mut all = Vec::new();
    while let Some(chunk) = upload.next_chunk().await? {
        all.extend_from_slice(&chunk);
    }
    Ok(all)
}

#[tokio::test]
async fn the_first_message_has_the_fields_and_the_others_the_file() {
    let (fields, incoming) = begun(vec![message("text/csv", b"a"), message("", b"bc")], false).await.unwrap();
    assert_eq!(fields, RawAnswer { content_type: "text/csv".to_owned(), body: Vec::new() });
    let mut upload = incoming.take().unwrap();
    assert!(incoming.take().is_none(), "it is taken once");
    assert_eq!(upload.next_chunk().await.unwrap().unwrap(), "a");
    assert_eq!(incoming.content(), None, "the end is not known yet");
    assert_eq!(upload.next_chunk().await.unwrap().unwrap(), "bc");
    assert_eq!(upload.next_chunk().await.unwrap(), None);
    assert_eq!((upload.received_bytes(), incoming.content()), (3, Some("")));
    assert_eq!(content(vec![message("text/csv", b""), Ok(Bytes::new()), message("", b"x")]).await.unwrap(), b"x");
}

#[tokio::test]
async fn the_digest_is_of_the_content_however_it_is_cut() {
    let digest = |messages| async {
        let (_, incoming) = begun(messages, true).await.unwrap();
        incoming.drain().await.unwrap();
        incoming.content().unwrap().to_owned()
    };
    let one = digest(vec![message("text/csv", b"abc")]).await;
    assert_eq!(one, digest(vec![message("text/csv", b""), message("", b"ab"), message("", b"c")]).await);
    assert_eq!(one, to_hex(&Sha256::digest("abc")));
    assert_ne!(one, digest(vec![message("text/csv", b"abd")]).await);
}

#[tokio::test]
async fn a_file_that_is_too_large_or_malformed_is_refused() {
    let chunk = vec![7; CHUNK];
    let large = vec![message("text/csv", &chunk), message("", &chunk)];
    assert!(content(large).await.unwrap_err().is(Common::BodyTooLarge));
    let fits = vec![message("text/csv", &chunk), message("", chunk.get(..100_000 - CHUNK).unwrap())];
    assert_eq!(content(fits).await.unwrap().len(), 100_000);
    let long = vec![message("text/csv", &vec![7; CHUNK + 1])];
    assert!(content(long).await.unwrap_err().is(Common::MalformedMessage));
    for wrong in [
        message("late", b"x"),
        message("late", b""),
        Ok(Bytes::from_static(&[0x12, 5, 1])),
        Ok(Bytes::from_static(&[0xff])),
    ] {
        assert!(content(vec![message("text/csv", b"a"), wrong]).await.unwrap_err().is(Common::MalformedMessage));
    }
    assert!(content(Vec::new()).await.unwrap_err().is(Common::MalformedMessage));
    let of_type = |content_type: &str| RawAnswer { content_type: content_type.to_owned(), body: Vec::new() };
    assert!(check_type(&of_type("image/png")).unwrap_err().is(Common::UnsupportedMediaType));
    assert!(check_type(&of_type("text/csv; charset=utf-8")).is_ok());
}

#[tokio::test]
async fn a_file_that_breaks_off_never_becomes_complete() {
    let (_, incoming) =
        begun(vec![message("text/csv", b"a"), Err(Status::cancelled("gone")), message("", b"b")], true).await.unwrap();
    let mut upload = incoming.take().unwrap();
    upload.next_chunk().await.unwrap();
    assert!(upload.next_chunk().await.unwrap_err().is(Common::MalformedMessage));
    assert!(upload.next_chunk().await.is_err() && upload.next_chunk().await.is_err());
    assert_eq!(incoming.content(), None);
}

#[tokio::test(start_paused = true)]
async fn a_chunk_that_does_not_come_ends_the_upload() {
    let silent = stream::iter([message("text/csv", b"a")]).chain(stream::pending());
    let (_, incoming) = first::<RawAnswer>(Box::pin(silent), false).await.unwrap();
    let mut upload = incoming.take().unwrap();
    upload.next_chunk().await.unwrap();
    assert!(upload.next_chunk().await.unwrap_err().is(Common::DeadlineExceeded));
}
