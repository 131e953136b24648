//! The parent of an aggregate, such as the order of a note.

use futures::future::BoxFuture;
use pavise_contract::table::{Method, Table};

use crate::call::Call;
use crate::error::{Error, Result};

/// The parent of an aggregate whose contract says `parent`. Generated.
#[derive(Debug)]
pub struct Parent {
    /// The parent's table.
    pub(crate) table: &'static Table,
    /// The child's lookup with the parent's id.
    pub(crate) field: &'static str,
    /// The call that answers one parent, whose access rule decides.
    pub(crate) get: &'static Method,
    /// The statuses in which that call answers a parent; empty for all.
    pub(crate) statuses: &'static [&'static str],
    pub(crate) find: Find,
}

/// Finds a parent by its id.
pub(crate) type Find = for<'c> fn(&'c Call, &'c Parent, &'c str) -> BoxFuture<'c, Result<Option<Found>>>;

/// A parent as it is now.
pub(crate) struct Found {
    pub(crate) version: i64,
    pub(crate) owner: String,
    /// Whether the caller may read it.
    pub(crate) readable: bool,
}

impl Parent {
    /// The refusal of a parent that does not exist, or that the caller may not read.
    pub(crate) fn not_found(&self, id: &str) -> Error {
        Error::not_found(self.table.noun, &id.replace('\0', ""))
    }
}
