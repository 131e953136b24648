//! The fields of a payment method that follow from others.

use pavise_kernel::{Derive, Result};
use prost_types::Timestamp;

use super::support::card::first_day_after;
use crate::contract::v1::PaymentMethod;

impl Derive for PaymentMethod {
    /// The day on which its card has expired.
    fn derive(&mut self, _before: Option<&Self>, _at: &Timestamp) -> Result<()> {
        self.expires_on = self.card.as_ref().map(first_day_after);
        Ok(())
    }
}
