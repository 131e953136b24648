//! Which files the entities of one kind name, for a sweep of the others.

use std::collections::HashSet;
use std::fmt;

use async_trait::async_trait;

use crate::entity::aggregate::Aggregate;
use crate::error::Result;
use crate::kernel::Kernel;
use crate::port::files::{FileKey, FileRecords};

/// The files that entities name. Each key was made by [`FileKey::of_entity`].
pub struct EntityFiles<'a, A> {
    kernel: &'a Kernel,
    file_key: fn(&A) -> &str,
}

impl<A> fmt::Debug for EntityFiles<'_, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EntityFiles").finish_non_exhaustive()
    }
}

impl<'a, A: Aggregate> EntityFiles<'a, A> {
    /// The files of all `A`, whose key is in that field.
    #[must_use]
    pub fn new(kernel: &'a Kernel, file_key: fn(&A) -> &str) -> Self {
        Self { kernel, file_key }
    }
}

#[async_trait]
impl<A: Aggregate> FileRecords for EntityFiles<'_, A> {
    async fn named(&self, keys: &[FileKey]) -> Result<HashSet<FileKey>> {
        let ids: Vec<String> = keys.iter().filter_map(FileKey::entity_id).map(str::to_owned).collect();
        let mut named = HashSet::new();
        for row in self.kernel.store().get_many(A::TABLE, &ids).await? {
            let entity: A = self.kernel.documents().read(&row)?;
            named.extend(FileKey::parse((self.file_key)(&entity)));
        }
        Ok(named)
    }
}
