//! Conditions of a commit, besides the versions of the entities that it writes.
//!
//! An engine checks the conditions under the locks of the command's journal and of those that the conditions read, so that
//! nothing changes between the check and the commit.

use pavise_contract::table::{Lookup, Table};

use crate::port::store::StoredRow;

/// A condition of a command. Its table lies in the same database; its journal may be another.
#[derive(Debug, Clone)]
pub enum Condition {
    /// The entity has this version.
    Version {
        /// The table that keeps it.
        table: &'static Table,
        /// The entity's id.
        id: String,
        /// The version; `None` if there must be no such entity.
        version: Option<i64>,
    },
    /// The entities with that value of a lookup, or of that owner, are those that were read.
    Group {
        /// The table that keeps them.
        table: &'static Table,
        /// The lookup; `None` for the owner.
        lookup: Option<&'static Lookup>,
        /// The value, which is folded if the lookup is.
        value: String,
        /// The group as it was read.
        state: GroupState,
    },
}

/// The state of the entities of a group. Every write of one of them changes it: a change and a creation
/// raise the clock, and a removal lowers the count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GroupState {
    /// The number of the entities.
    pub count: i64,
    /// The highest clock of them; 0 without one.
    pub clock: i64,
}

impl GroupState {
    /// Adds an entity that was read.
    pub fn add(&mut self, row: &StoredRow) {
        self.count += 1;
        self.clock = self.clock.max(row.clock);
    }
}

/// The name of a kind of groups: the table and the lookup.
pub type GroupName = (&'static str, &'static str);

/// The name of the group of an owner's entities, in the place of a lookup's name.
pub const OWNER: &str = "owner_id";

/// The name of a group's lookup.
#[must_use]
pub fn name_of(lookup: Option<&'static Lookup>) -> &'static str {
    lookup.map_or(OWNER, |lookup| lookup.name)
}

impl Condition {
    /// The table that it is about.
    #[must_use]
    pub fn table(&self) -> &'static Table {
        match self {
            Self::Version { table, .. } | Self::Group { table, .. } => table,
        }
    }

    /// The texts that come from outside the contract.
    pub(crate) fn text(&self) -> &String {
        match self {
            Self::Version { id, .. } => id,
            Self::Group { value, .. } => value,
        }
    }
}
