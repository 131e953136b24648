//! The content of a file on its way into the store: its type, and whether it is safe.

use std::sync::{Arc, OnceLock};

use bytes::{Bytes, BytesMut};
use futures::{StreamExt as _, stream};
use pavise_kernel::bytes::Chunks;
use pavise_kernel::{Error, Result};

use super::pdf_scan::PdfScan;
use crate::contract::v1::{ErrorReason, FileContainer};

/// Bytes by which a type is told.
const HEAD: usize = 8192;

const PDF: &str = "application/pdf";
const HTML: &str = "text/html";
const TEXT: &str = "text/plain";
const WORD: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const SHEET: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/// The types that are taken anywhere, with the endings of their names.
const TYPES: &[(&str, &[&str])] = &[
    (PDF, &["pdf"]),
    ("image/png", &["png"]),
    ("image/jpeg", &["jpg", "jpeg"]),
    ("image/gif", &["gif"]),
    ("image/webp", &["webp"]),
    ("image/tiff", &["tif", "tiff"]),
    ("image/heif", &["heic", "heif"]),
    (WORD, &["docx"]),
    (SHEET, &["xlsx"]),
    (TEXT, &["txt", "csv", "md", "log"]),
    (HTML, &["html", "htm"]),
];

/// The rule for the content of a file.
#[derive(Debug, Clone)]
pub(crate) struct ContentRule {
    container: FileContainer,
    name: String,
}

/// The type that a content shows, once all of it has passed.
#[derive(Debug, Clone, Default)]
pub(crate) struct SniffedType(Arc<OnceLock<&'static str>>);

impl SniffedType {
    /// The type.
    ///
    /// # Errors
    /// `INTERNAL` before the content has passed.
    pub(crate) fn get(&self) -> Result<&'static str> {
        self.0.get().copied().ok_or_else(|| Error::internal("the content of a file has not passed yet"))
    }
}

impl ContentRule {
    pub(crate) fn new(container: FileContainer, name: &str) -> Self {
        Self { container, name: name.to_owned() }
    }

    /// The content as it passes: it breaks off where it is refused.
    pub(crate) fn inspect_content(self, bytes: Chunks) -> (Chunks, SniffedType) {
        let found = SniffedType::default();
        let passing = ContentPass {
            bytes,
            rule: self,
            found: found.clone(),
            head: Some(BytesMut::new()),
            scan: None,
            is_over: false,
        };
        let passing = stream::try_unfold(passing, |mut passing| async move {
            Ok(passing.next_chunk().await?.map(|chunk| (chunk, passing)))
        });
        (Box::pin(passing), found)
    }

    fn admit(&self, head: &[u8]) -> Result<&'static str> {
        if head.is_empty() {
            return Err(Error::field("chunk", "the file is empty"));
        }
        let shown = infer::get(head).map_or_else(|| if is_text(head) { TEXT } else { "" }, |kind| kind.mime_type());
        let known = TYPES.iter().find(|(kind, _)| *kind == shown && takes(self.container, kind));
        let Some((kind, endings)) = known else {
            let shown = if shown.is_empty() { "application/octet-stream" } else { shown };
            let why = format!("{} takes no files of type {shown}", self.container.spelling());
            return Err(type_error(&why, shown));
        };
        let ending = self.name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase()).unwrap_or_default();
        if endings.contains(&ending.as_str()) {
            return Ok(*kind);
        }
        Err(type_error(&format!("the content is of type {kind}: its name ends in .{}", endings.join(" or .")), kind))
    }
}

/// Whether files of that type belong there.
fn takes(container: FileContainer, kind: &str) -> bool {
    match container {
        FileContainer::Form => matches!(kind, PDF | HTML),
        FileContainer::Print => kind == PDF,
        FileContainer::Contract | FileContainer::Provider => matches!(kind, PDF | WORD),
        FileContainer::Answer | FileContainer::ServiceRequest | FileContainer::Chat | FileContainer::Other => {
            kind != HTML
        }
        FileContainer::Unspecified => false,
    }
}

/// Whether it is text in UTF-8. The last character may be cut off.
fn is_text(head: &[u8]) -> bool {
    let text = match std::str::from_utf8(head) {
        Ok(text) => text,
        Err(error) if error.error_len().is_none() => {
            head.get(..error.valid_up_to()).and_then(|valid| std::str::from_utf8(valid).ok()).unwrap_or_default()
        }
        Err(_) => return false,
    };
    !text.is_empty() && text.chars().all(|letter| !letter.is_control() || matches!(letter, '\t' | '\n' | '\r' | '\x0c'))
}

fn type_error(why: &str, kind: &str) -> Error {
    Error::new(ErrorReason::FileTypeNotAllowed, format!("chunk: {why}")).violation("chunk", why).with("type", kind)
}

struct ContentPass {
    bytes: Chunks,
    rule: ContentRule,
    found: SniffedType,
    /// The first bytes, until the type is known.
    head: Option<BytesMut>,
    scan: Option<PdfScan>,
    is_over: bool,
}

impl ContentPass {
    async fn next_chunk(&mut self) -> Result<Option<Bytes>> {
        let chunk = match self.head.take() {
            Some(head) => Some(self.first(head).await?),
            None if self.is_over => None,
            None => self.bytes.next().await.transpose()?,
        };
        let Some(scan) = &mut self.scan else { return Ok(chunk) };
        let scanned = match &chunk {
            Some(chunk) => scan.push(chunk),
            None => scan.end_file(),
        };
        let unsafe_error =
            |why: &str| Error::new(ErrorReason::FileUnsafe, format!("chunk: {why}")).violation("chunk", why);
        scanned.map_err(unsafe_error)?;
        Ok(chunk)
    }

    async fn first(&mut self, mut head: BytesMut) -> Result<Bytes> {
        while head.len() < HEAD && !self.is_over {
            match self.bytes.next().await.transpose()? {
                Some(chunk) => head.extend_from_slice(&chunk),
                None => self.is_over = true,
            }
        }
        let kind = self.rule.admit(&head)?;
        // A second time never comes: the head is taken once.
        let _ = self.found.0.set(kind);
        self.scan = (kind == PDF).then(PdfScan::default);
        Ok(head.freeze())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admit(container: FileContainer, name: &str, head: &[u8]) -> String {
        match ContentRule::new(container, name).admit(head) {
            Ok(kind) => kind.to_owned(),
            Err(error) => error.reason().to_owned(),
        }
    }

    #[test]
    fn the_content_decides_and_not_the_name() {
        use FileContainer::{Answer, Contract, Form, Print};
        let refused = "FILE_TYPE_NOT_ALLOWED";
        for (container, name, head, outcome) in [
            (Answer, "a.pdf", b"%PDF-1.7\n".as_slice(), PDF),
            (Answer, "a.PDF", b"%PDF-1.7\n", PDF),
            (Answer, "a.png", b"%PDF-1.7\n", refused),
            (Answer, "a.pdf", b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", refused),
            (Answer, "a.pdf", b"MZ\x90\0\x03\0\0\0", refused),
            (Answer, "a.txt", b"#!/bin/sh\nrm", refused),
            (Answer, "a.txt", "Año nuevo\n".as_bytes(), TEXT),
            (Answer, "a.txt", b"a\0b", refused),
            (Answer, "a.html", b"<!DOCTYPE html><p>", refused),
            (Form, "a.html", b"<!DOCTYPE html><p>", HTML),
            (Form, "a.txt", b"text", refused),
            (Print, "a.png", b"\x89PNG\r\n\x1a\n", refused),
            (Contract, "a.pdf", b"%PDF-1.4", PDF),
            (Answer, "noending", b"%PDF-1.4", refused),
            (Answer, "a.png", b"\x89PNG\r\n\x1a\n", "image/png"),
            (Answer, "a.zip", b"PK\x03\x04", refused),
            (Answer, "a.txt", b"", "INVALID_FIELD"),
        ] {
            assert_eq!(admit(container, name, head), outcome, "{name} {head:?}");
        }
    }
}
