//! Callers who see entities that are withheld from others.

use std::future::Future;

use crate::call::Call;
use crate::entity::aggregate::Aggregate;
use crate::error::Result;

/// The rule of an aggregate whose contract says `withheld.admits`. It only reads.
pub trait Admit: Aggregate {
    /// Those of the withheld entities that the caller sees all the same. The caller is of realm User or GroupAdmin, or has
    /// no token.
    ///
    /// # Errors
    /// When that cannot be found out.
    fn admit(call: &Call, withheld: Vec<Self>) -> impl Future<Output = Result<Vec<Self>>> + Send;
}
