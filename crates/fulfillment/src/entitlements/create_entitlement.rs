//! Gives a member the right to use a product.

use pavise_kernel::common::v1::ProvisionType;
use pavise_kernel::{Call, CheckRequest, Edit, EditContext, Result};

use super::support::contracts::begin_contracts;
use super::support::covered::TierCover;
use super::support::membership_number::make_number;
use crate::contract::roles;
use crate::contract::v1::{CreateEntitlementRequest, Entitlement, FulfillmentStatus, SetupStatus};

impl CheckRequest<CreateEntitlementRequest> for Entitlement {
    /// Refuses people whom the tier does not cover. Programs make what was bought: those people were checked with the order.
    async fn check_request(call: &Call, _entity: Option<&Self>, request: &CreateEntitlementRequest) -> Result<()> {
        if call.has_role(roles::PLATFORM) || request.authorized_users.is_empty() {
            return Ok(());
        }
        let meant =
            Self { product_id: request.product_id.clone(), tier_id: request.tier_id.clone(), ..Self::default() };
        TierCover::load(call, &meant).await?.check(&[], &request.authorized_users, call.today())
    }
}

impl Edit<CreateEntitlementRequest> for Entitlement {
    /// Sets the fulfillment that the provisioning type asks for. The first day is today unless the request names one. Gives
    /// the membership number.
    fn edit(&mut self, _request: &CreateEntitlementRequest, context: &EditContext) -> Result<()> {
        self.set_fulfillment_status(match self.provisioning_type() {
            ProvisionType::Immediate | ProvisionType::OnFirstUse => FulfillmentStatus::PendingCreate,
            ProvisionType::Unspecified => FulfillmentStatus::NotFulfilled,
        });
        self.set_setup_status(SetupStatus::NotSetup);
        let first = *self.effective_on.get_or_insert(context.today());
        begin_contracts(&mut self.contracts, first);
        self.friendly_id = make_number(&context.new_id());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pavise_kernel::common::v1::Date;

    #[test]
    fn the_provisioning_type_decides_the_fulfillment() {
        for (kind, expected) in [
            (ProvisionType::Immediate, FulfillmentStatus::PendingCreate),
            (ProvisionType::OnFirstUse, FulfillmentStatus::PendingCreate),
            (ProvisionType::Unspecified, FulfillmentStatus::NotFulfilled),
        ] {
            let mut made = Entitlement { provisioning_type: kind.into(), ..Default::default() };
            made.edit(&CreateEntitlementRequest::default(), &EditContext::at(0)).unwrap();
            assert_eq!((made.fulfillment_status(), made.setup_status()), (expected, SetupStatus::NotSetup), "{kind:?}");
            assert_eq!(made.effective_on, Some(Date { year: 1970, month: 1, day: 1 }));
        }
    }

    #[test]
    fn a_named_first_day_stays() {
        let day = Some(Date { year: 2026, month: 3, day: 1 });
        let mut made = Entitlement { effective_on: day, ..Default::default() };
        made.edit(&CreateEntitlementRequest::default(), &EditContext::at(0)).unwrap();
        assert_eq!(made.effective_on, day);
    }
}
