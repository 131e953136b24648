//! The holder of a name, and the order of the holder's writes.

use pavise_kernel::time::{DAY, Micros, to_micros, to_timestamp};
use pavise_kernel::{Common, Error};
use prost_types::Timestamp;

use crate::contract::v1::{NameClaim, ReservedName, ReservedNameStatus};

/// How long a reservation lasts. A worker that confirms names may be late by as much.
pub(crate) const RESERVATION: Micros = DAY;

/// A write of a holder: when the holder was made, and its version. Later writes are greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct Place(Micros, i64);

impl Place {
    pub(crate) fn new(created_at: Option<&Timestamp>, version: i64) -> Self {
        Self(created_at.map_or(0, to_micros), version)
    }

    pub(crate) fn of(claim: &NameClaim) -> Self {
        Self::new(claim.created_at.as_ref(), claim.version)
    }
}

impl ReservedName {
    /// Whether both names have one holder.
    pub(crate) fn is_of(&self, service: &str, aggregate: &str, id: &str) -> bool {
        (self.holder_service.as_str(), self.holder_aggregate.as_str(), self.holder_id.as_str())
            == (service, aggregate, id)
    }

    /// The holder's write that had the name last; before every write if it was never held.
    pub(crate) fn held_at(&self) -> Place {
        Place::new(self.holder_created_at.as_ref(), self.holder_version)
    }

    /// Whether the reservation ran out, so that anybody may have the name.
    pub(crate) fn is_expired(&self, now: Micros) -> bool {
        self.status() != ReservedNameStatus::Held
            && self.held_until.as_ref().is_none_or(|until| to_micros(until) <= now)
    }

    /// Lets the reservation begin anew.
    pub(crate) fn extend_reservation(&mut self, now: Micros) {
        self.held_until = Some(to_timestamp(now.saturating_add(RESERVATION)));
    }

    /// The refusal of another holder.
    pub(crate) fn taken_error(&self) -> Error {
        Error::new(Common::NameTaken, format!("the name {} is taken", self.name)).violation("name", "is taken")
    }
}
