//! Files by what they belong to and by their names.

use pavise_kernel::hex::to_hex;
use pavise_kernel::{Call, Error, Result};
use sha2::{Digest as _, Sha256};

use crate::contract::lookups::file as lookups;
use crate::contract::v1::{DeleteContainerFileRequest, File, FileContainer, FileStatus, GetContainerFileRequest};

/// The longest name, in characters.
const LONGEST_NAME: usize = 200;

/// A file as a request names it.
pub(crate) struct NamedFile<'r> {
    file_id: &'r str,
    container: FileContainer,
    resource_id: &'r str,
    name: &'r str,
}

impl<'r> From<&'r GetContainerFileRequest> for NamedFile<'r> {
    fn from(request: &'r GetContainerFileRequest) -> Self {
        let GetContainerFileRequest { file_id, resource_id, name, .. } = request;
        Self { file_id, container: request.container(), resource_id, name }
    }
}

impl<'r> From<&'r DeleteContainerFileRequest> for NamedFile<'r> {
    fn from(request: &'r DeleteContainerFileRequest) -> Self {
        let DeleteContainerFileRequest { file_id, resource_id, name, .. } = request;
        Self { file_id, container: request.container(), resource_id, name }
    }
}

/// The file that the request names, if the caller may know of it and it is not deleted.
///
/// # Errors
/// `NOT_FOUND`, and `INVALID_FIELD` for a request that names none.
pub(crate) async fn find_named(call: &Call, named: &NamedFile<'_>) -> Result<File> {
    if !named.file_id.is_empty() {
        let file: File = call.get(named.file_id).await?;
        return if is_kept(&file) { Ok(file) } else { Err(Error::not_found("file", named.file_id)) };
    }
    if named.container == FileContainer::Unspecified || named.name.is_empty() {
        return Err(Error::field("file_id", "name the file: by file_id, or by container, resource_id and name"));
    }
    let key = name_key(named.container, named.resource_id, named.name);
    let found: Vec<File> = call.unit().expects_by(lookups::NAME_KEY, &key).await?;
    let mut seen = found.into_iter().filter(|file| is_kept(file) && call.can_see(file));
    seen.next().ok_or_else(|| Error::not_found("file", "of this name"))
}

/// Whether the file still has its content.
pub(crate) fn is_kept(file: &File) -> bool {
    file.status() != FileStatus::Deleted
}

/// The text by which a file is found; empty for one whose name was erased.
pub(crate) fn name_key(container: FileContainer, resource_id: &str, name: &str) -> String {
    if name.is_empty() {
        return String::new();
    }
    let text = format!("{}\n{}\n{resource_id}\n{name}", container.spelling(), resource_id.len());
    to_hex(&Sha256::digest(text))
}

/// The name of a new file.
///
/// # Errors
/// `INVALID_FIELD` for a name that leads elsewhere, or that no file can have.
pub(crate) fn check_name(name: &str) -> Result<String> {
    let name = name.trim();
    let wrong = |letter: char| {
        letter.is_control() || matches!(letter, '/' | '\\' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let fault = if name.is_empty() {
        "say the name of the file"
    } else if name.chars().count() > LONGEST_NAME {
        "is longer than 200 characters"
    } else if name.chars().any(wrong) {
        "has a slash, a backslash or a control character"
    } else if name.bytes().all(|byte| byte == b'.') {
        "has nothing but dots"
    } else {
        return Ok(name.to_owned());
    };
    Err(Error::field("name", fault))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_leads_nowhere() {
        assert_eq!(check_name(" Mi año.pdf ").unwrap(), "Mi año.pdf");
        for bad in
            ["", " ", ".", "..", "../a", "a/b", "a\\b", "a\0b", "a\nb", "/etc/passwd", "..\\x", "fdp.\u{202e}exe"]
        {
            assert!(check_name(bad).is_err(), "{bad:?}");
        }
        assert!(check_name(&"x".repeat(201)).is_err());
    }

    #[test]
    fn no_two_places_have_one_key() {
        let of = |resource: &str, name: &str| name_key(FileContainer::Answer, resource, name);
        assert_ne!(of("a", "b"), of("a\nb", ""));
        assert_ne!(of("a", "b\nc"), of("a\nb", "c"));
        assert_ne!(of("", "a"), name_key(FileContainer::Chat, "", "a"));
    }
}
