//! The set of an identity's factors: the primary one, their number, and the recovery codes.
//!
//! Every change of these writes the set in the same commit, so that one of two concurrent changes is refused.

use pavise_kernel::store::Filter;
use pavise_kernel::{Aggregate as _, Call, Common, Error, Result, Unit};

use crate::contract::v1::{Factor, FactorSet};

/// How many factors an identity has at most.
pub(crate) const MOST_FACTORS: usize = 10;

/// A set as it was loaded, and as it is to be.
#[derive(Debug)]
pub(crate) struct Set {
    before: Option<FactorSet>,
    pub(crate) after: FactorSet,
}

impl Set {
    /// The set of an identity; a new one when there is none.
    ///
    /// # Errors
    /// When the database does not answer.
    pub(crate) async fn load(call: &Call, identity_id: &str) -> Result<Self> {
        let before = call.find_unscoped::<FactorSet>(identity_id).await?;
        let fresh =
            || FactorSet { id: identity_id.to_owned(), owner_id: identity_id.to_owned(), ..FactorSet::default() };
        let after = before.clone().unwrap_or_else(fresh);
        Ok(Self { before, after })
    }

    /// A factor became active; whether it is the primary one.
    pub(crate) fn add_activated(&mut self, factor: &Factor) -> bool {
        if !factor.r#type().completes_sign_in() {
            return false;
        }
        self.after.sign_in_factors = self.after.sign_in_factors.saturating_add(1);
        if self.after.primary_factor_id.is_empty() {
            self.after.primary_factor_id.clone_from(&factor.id);
        }
        self.after.primary_factor_id == factor.id
    }

    /// An active factor goes; of those that are left, the longest active one takes its place as the primary one.
    pub(crate) fn drop_removed<'f>(&mut self, factor: &Factor, left: &'f [Factor]) -> Option<&'f Factor> {
        if !factor.signs_in() {
            return None;
        }
        self.after.sign_in_factors = self.after.sign_in_factors.saturating_sub(1);
        if self.after.primary_factor_id != factor.id {
            return None;
        }
        let age = |factor: &&Factor| factor.verified_at.map_or((i64::MAX, 0), |at| (at.seconds, at.nanos));
        let next = left.iter().filter(|other| other.id != factor.id && other.signs_in()).min_by_key(age);
        self.after.primary_factor_id = next.map_or_else(String::new, |next| next.id.clone());
        next
    }

    /// Adds the set to a commit, unless it is as it was.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn write(&self, unit: &mut Unit<'_>, action: &str) -> Result<()> {
        match &self.before {
            Some(before) if *before == self.after => {}
            Some(before) => drop(unit.update_as(before, self.after.clone(), action)?),
            None => drop(unit.create_as(self.after.clone(), action)?),
        }
        Ok(())
    }

    /// Reports a concurrent creation of the set as a conflict.
    pub(crate) fn contention_error(&self, error: Error) -> Error {
        if self.before.is_none() && error.is(Common::AlreadyExists) {
            return Error::new(Common::Contention, "the factors are being changed by others; try again");
        }
        error
    }
}

/// The factors of an identity, newest first. The caller's access is not checked.
///
/// # Errors
/// When the database does not answer.
pub(crate) async fn factors_of(call: &Call, identity_id: &str) -> Result<Vec<Factor>> {
    let limit = u32::try_from(MOST_FACTORS).unwrap_or(u32::MAX).saturating_add(10);
    let filter = Filter { owner: Some(identity_id.to_owned()), limit, ..Filter::default() };
    let rows = call.kernel().store().list(Factor::TABLE, &filter).await?;
    call.find_many(&rows.into_iter().map(|row| row.id).collect::<Vec<_>>()).await
}
