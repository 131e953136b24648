//! Rules of every stored tax area.

use pavise_kernel::Result;
use pavise_kernel::aggregate::Invariants;

use super::support::rate;
use crate::contract::v1::TaxArea;

impl Invariants for TaxArea {
    fn check(&self) -> Result<()> {
        rate::check_rates(self)
    }
}
