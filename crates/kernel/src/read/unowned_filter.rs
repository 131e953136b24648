//! The filter for entities that belong to nobody.

use pavise_contract::table::{Realm, Table};

use crate::call::Call;
use crate::call::caller::Caller;
use crate::entity::aggregate::Aggregate;
use crate::error::{Error, Result};
use crate::time::{DAY, Ids, Micros, to_micros};

/// Whether a caller sees only entities with an owner, but for those that they name by id in a public call.
pub(crate) fn is_confined(caller: &Caller, table: &Table) -> bool {
    table.unowned.is_some() && !matches!(caller.realm, Realm::Internal | Realm::Machine)
}

impl Call {
    /// Whether the rule of entities without an owner lets the call know of this one.
    pub(crate) fn reaches<A: Aggregate>(&self, entity: &A) -> bool {
        let Some(rule) = &A::TABLE.unowned else { return true };
        let head = entity.head();
        if self.method().path == rule.ended_by {
            let changed = head.updated_at.map_or(Micros::MAX, to_micros);
            return head.owner_id.is_empty() && changed <= days_before(self.now(), rule.days);
        }
        !head.owner_id.is_empty() || self.method().access.public || !is_confined(self.caller(), A::TABLE)
    }

    /// The id of a new entity: one that nobody guesses if the entity has no owner.
    pub(crate) fn id_of<A: Aggregate>(&self, entity: &A) -> String {
        if A::TABLE.unowned.is_some() && entity.head().owner_id.is_empty() {
            return self.kernel().ids().secret_id(self.now());
        }
        self.new_id()
    }
}

/// Checks that nobody guesses the id of a new entity without an owner.
///
/// # Errors
/// `INTERNAL`: an error of the program.
pub(crate) fn check_new<A: Aggregate>(entity: &A) -> Result<()> {
    let head = entity.head();
    if A::TABLE.unowned.is_none() || !head.owner_id.is_empty() || Ids::is_secret(head.id) {
        return Ok(());
    }
    Err(Error::internal(format!("a {} without an owner has an id that can be guessed", A::TABLE.noun)))
}

/// The time so many days ago.
pub(crate) fn days_before(now: Micros, days: u32) -> Micros {
    now.saturating_sub(i64::from(days).saturating_mul(DAY))
}
