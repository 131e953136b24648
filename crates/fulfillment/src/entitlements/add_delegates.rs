//! Delegates are added to an entitlement.

use pavise_kernel::{Call, CheckRequest, Edit, EditContext, Result};

use super::support::covered::{TierCover, check_room};
use super::support::people::add_people;
use crate::contract::roles;
use crate::contract::v1::{AddDelegatesRequest, Entitlement};

impl CheckRequest<AddDelegatesRequest> for Entitlement {
    /// Refuses delegates whom the tier does not cover. Members name at most as many as the tier covers.
    async fn check_request(call: &Call, entity: Option<&Self>, request: &AddDelegatesRequest) -> Result<()> {
        let Some(entitlement) = entity else { return Ok(()) };
        let before = &entitlement.delegates;
        let mut after = before.clone();
        add_people(&mut after, &request.delegates);
        let cover = TierCover::load(call, entitlement).await?;
        check_room(before.len(), after.len(), cover.most.filter(|_| call.has_role(roles::MEMBER)))?;
        cover.check(before, &after, call.today())
    }
}

impl Edit<AddDelegatesRequest> for Entitlement {
    fn edit(&mut self, request: &AddDelegatesRequest, _context: &EditContext) -> Result<()> {
        add_people(&mut self.delegates, &request.delegates);
        Ok(())
    }
}
