//! Decides a reinstatement without a move of its provision.

use pavise_kernel::{Edit, EditContext, Result};

use super::support::reinstatement::decide_reinstatement;
use crate::contract::v1::{Provision, UpdateReinstatementStatusRequest};

impl Edit<UpdateReinstatementStatusRequest> for Provision {
    fn edit(&mut self, request: &UpdateReinstatementStatusRequest, context: &EditContext) -> Result<()> {
        decide_reinstatement(self, request.status(), context.timestamp())
    }
}
