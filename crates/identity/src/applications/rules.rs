//! Rules of every write of an application.

use pavise_kernel::{Invariants, Result};

use crate::contract::v1::Application;
use crate::shared::grants;

impl Invariants for Application {
    fn check(&self) -> Result<()> {
        grants::check_token_size(&self.permissions, &[], 0)
    }
}
