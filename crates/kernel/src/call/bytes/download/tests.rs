use futures::TryStreamExt as _;
use tonic::metadata::MetadataMap;

use super::*;

fn conditions(range: &str) -> RangeConditions {
    let mut metadata = MetadataMap::new();
    if !range.is_empty() {
        metadata.insert("range", range.parse().unwrap());
    }
    RangeConditions::read(&metadata)
}

/// A file of that many bytes, of which `kept` are there.
fn file(size: usize, kept: usize) -> Download {
    let whole: Bytes = (0..kept).map(|at| u8::try_from(at % 251).unwrap()).collect();
    let open = move |range: Range<u64>| async move {
        let (start, end) = (usize::try_from(range.start).unwrap(), usize::try_from(range.end).unwrap());
        let chunks: Chunks = Box::pin(stream::iter([Ok(whole.slice(start.min(kept)..end.min(kept)))]));
        Ok(chunks)
    };
    Download::stored_file("text/plain", "a.txt", (u64::try_from(size).unwrap(), "abc".to_owned()), open)
}

async fn answered(download: Download, range: &str) -> Result<(ByteHead, Vec<u8>)> {
    let messages: Vec<ByteAnswer> = download.answer(conditions(range)).await?.try_collect().await?;
    let mut messages = messages.into_iter();
    let head = messages.next().unwrap();
    assert!(head.chunk.is_empty());
    let mut content = Vec::new();
    for message in messages {
        assert!(message.head.is_none() && message.chunk.len() <= CHUNK, "{}", message.chunk.len());
        content.extend_from_slice(&message.chunk);
    }
    Ok((head.head.unwrap(), content))
}

#[tokio::test]
async fn a_thousand_ranges_are_the_bytes_of_the_file() {
    let size = 200_000_usize;
    let (head, whole) = answered(file(size, size), "").await.unwrap();
    assert_eq!((head.size, head.length, head.offset, head.etag.as_str()), (Some(200_000), Some(200_000), 0, "abc"));
    let mut seed = 17_usize;
    for _ in 0..1000 {
        let mut next = |most: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % most
        };
        let first = next(size);
        let last = first + next(size - first);
        let (head, part) = answered(file(size, size), &format!("bytes={first}-{last}")).await.unwrap();
        assert!(part == whole.get(first..=last).unwrap(), "{first}-{last}");
        assert_eq!((head.offset, head.length), (i64::try_from(first).unwrap(), i64::try_from(part.len()).ok()));
    }
}

#[tokio::test]
async fn a_file_of_another_length_than_its_record_fails() {
    assert!(answered(file(100, 99), "").await.is_err(), "it is shorter");
    let open = |_| async { Ok(Box::pin(stream::iter([Ok(Bytes::from_static(b"abc"))])) as Chunks) };
    let longer = Download::stored_file("text/plain", "a.txt", (2, "abc".to_owned()), open);
    assert!(answered(longer, "").await.is_err(), "it is longer");
    assert_eq!(answered(file(0, 0), "").await.unwrap().1, b"");
}

#[tokio::test]
async fn a_file_that_is_made_has_no_size_and_no_ranges() {
    let chunks: Chunks = Box::pin(stream::iter([Ok(Bytes::from(vec![7; CHUNK * 2 + 1]))]));
    let (head, content) = answered(Download::generated_file("text/csv", "a.csv", chunks), "bytes=0-1").await.unwrap();
    assert_eq!((head.size, head.length, head.etag.as_str(), content.len()), (None, None, "", CHUNK * 2 + 1));
}
