//! The comments of the protos, found by place.

use std::collections::HashMap;

use pavise_contract::documentation;
use prost_reflect::{DescriptorPool, FileDescriptor};

/// The leading comments of a pool's files.
#[derive(Debug)]
pub(crate) struct Comments(HashMap<String, HashMap<Vec<i32>, String>>);

impl Comments {
    pub(crate) fn read(pool: &DescriptorPool) -> Self {
        let file = |file: FileDescriptor| {
            let info = file.file_descriptor_proto().source_code_info.as_ref();
            let locations = info.map(|info| info.location.as_slice()).unwrap_or_default();
            let commented = locations.iter().filter(|location| location.leading_comments.is_some());
            let found = commented.map(|location| (location.path.clone(), documentation(location.leading_comments())));
            (file.name().to_owned(), found.collect())
        };
        Self(pool.files().map(file).collect())
    }

    /// The comment above the element at `path` of a file; empty where there is none.
    pub(crate) fn of(&self, file: &FileDescriptor, path: &[i32]) -> &str {
        self.0.get(file.name()).and_then(|paths| paths.get(path)).map(String::as_str).unwrap_or_default()
    }
}
