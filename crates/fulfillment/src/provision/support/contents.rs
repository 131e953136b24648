//! The lines and people of a provision.

use pavise_kernel::common::v1::BillingPeriod;
use pavise_kernel::{Error, Result};

use crate::contract::v1::{ErrorReason, Provision, ProvisionAuthorizedUser, ProvisionLine};

impl ProvisionLine {
    /// Whether it renews at a price.
    pub(crate) fn is_recurring(&self) -> bool {
        let renews = self.renewal_price.as_ref().is_some_and(|price| price.amount > 0);
        renews && !matches!(self.billing_period(), BillingPeriod::Unspecified | BillingPeriod::OneTime)
    }
}

impl Provision {
    /// Whether it needs a subscription.
    pub(crate) fn is_recurring(&self) -> bool {
        self.lines.iter().any(ProvisionLine::is_recurring)
    }

    /// Whether it needs a business. A plan change keeps the business of the plan.
    pub(crate) fn needs_business(&self) -> bool {
        self.plan_change.is_none() && self.lines.iter().any(|line| line.business)
    }

    /// Whether the identity is the buyer's or an authorized user's.
    pub(crate) fn has_person(&self, identity: &str) -> bool {
        self.owner_id == identity || self.authorized_users.iter().any(|user| user.identity_id == identity)
    }

    /// Finds an authorized user.
    ///
    /// # Errors
    /// `AUTHORIZED_USER_UNKNOWN`.
    pub(crate) fn authorized_user(&mut self, id: &str) -> Result<&mut ProvisionAuthorizedUser> {
        let found = self.authorized_users.iter_mut().find(|user| user.id == id);
        found.ok_or_else(|| {
            Error::new(ErrorReason::AuthorizedUserUnknown, format!("the provision has no authorized user {id}"))
        })
    }

    /// Finds a line.
    ///
    /// # Errors
    /// `LINE_UNKNOWN`.
    pub(crate) fn line_mut(&mut self, id: &str) -> Result<&mut ProvisionLine> {
        let found = self.lines.iter_mut().find(|line| line.id == id);
        found.ok_or_else(|| Error::new(ErrorReason::LineUnknown, format!("the provision has no line {id}")))
    }
}
