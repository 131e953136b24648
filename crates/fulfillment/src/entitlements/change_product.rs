//! Puts another product, tier or other supplements in place of an entitlement's.

use pavise_kernel::{Call, CheckRequest, Edit, EditContext, Result};

use super::support::contracts::begin_contracts;
use super::support::covered::{TierCover, check_room};
use crate::contract::roles;
use crate::contract::v1::{ChangeProductRequest, Entitlement, FulfillmentStatus};

impl CheckRequest<ChangeProductRequest> for Entitlement {
    /// Refuses a product or tier that does not cover the people on the plan, or not so many. Programs set up what was
    /// bought: those people were checked with the order.
    async fn check_request(call: &Call, entity: Option<&Self>, request: &ChangeProductRequest) -> Result<()> {
        let Some(plan) = entity else { return Ok(()) };
        let stays = (&plan.product_id, &plan.tier_id) == (&request.product_id, &request.tier_id);
        if stays || call.has_role(roles::PLATFORM) {
            return Ok(());
        }
        let meant =
            Self { product_id: request.product_id.clone(), tier_id: request.tier_id.clone(), ..Self::default() };
        let cover = TierCover::load(call, &meant).await?;
        check_room(0, plan.authorized_users.len(), cover.most)?;
        for people in [&plan.authorized_users, &plan.delegates] {
            cover.check(&[], people, call.today())?;
        }
        Ok(())
    }
}

impl Edit<ChangeProductRequest> for Entitlement {
    /// Replaces the plan. A fulfilled entitlement gets a pending change.
    fn edit(&mut self, request: &ChangeProductRequest, context: &EditContext) -> Result<()> {
        let same = self.product_id == request.product_id
            && self.tier_id == request.tier_id
            && self.supplement_ids == request.supplement_ids;
        self.product_id.clone_from(&request.product_id);
        self.tier_id.clone_from(&request.tier_id);
        self.supplement_ids.clone_from(&request.supplement_ids);
        self.product_version = request.product_version;
        if !request.contracts.is_empty() {
            self.contracts.clone_from(&request.contracts);
            begin_contracts(&mut self.contracts, context.today());
        }
        // People see name and family: an empty one keeps the one before.
        if !request.name.is_empty() {
            self.name.clone_from(&request.name);
        }
        if !request.family.is_empty() {
            self.family.clone_from(&request.family);
        }
        if !same && self.fulfillment_status() == FulfillmentStatus::Fulfilled {
            self.set_fulfillment_status(FulfillmentStatus::PendingChange);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(entitlement: &mut Entitlement, request: ChangeProductRequest) {
        entitlement.edit(&request, &EditContext::at(0)).unwrap();
    }

    #[test]
    fn another_product_asks_for_a_change_of_what_is_fulfilled() {
        let mut entitlement = Entitlement {
            product_id: "a".to_owned(),
            name: "A".to_owned(),
            fulfillment_status: FulfillmentStatus::Fulfilled.into(),
            ..Default::default()
        };
        change(&mut entitlement, ChangeProductRequest { product_id: "a".to_owned(), ..Default::default() });
        assert_eq!(entitlement.fulfillment_status(), FulfillmentStatus::Fulfilled);
        change(&mut entitlement, ChangeProductRequest { product_id: "b".to_owned(), ..Default::default() });
        assert_eq!(entitlement.fulfillment_status(), FulfillmentStatus::PendingChange);
        assert_eq!(entitlement.name, "A");
    }

    #[test]
    fn a_pending_creation_stays_pending() {
        let mut entitlement =
            Entitlement { fulfillment_status: FulfillmentStatus::PendingCreate.into(), ..Default::default() };
        change(&mut entitlement, ChangeProductRequest { product_id: "b".to_owned(), ..Default::default() });
        assert_eq!(entitlement.fulfillment_status(), FulfillmentStatus::PendingCreate);
    }
}
