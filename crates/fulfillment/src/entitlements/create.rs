//! A member gets the right to use a product.

use pavise_kernel::common::v1::ProvisionType;
use pavise_kernel::{Call, Result};

use crate::contract::v1::{CreateEntitlementRequest, Entitlement, FulfillmentStatus, SetupStatus};

/// Makes it; what is to be set up waits for that.
pub(super) async fn create(call: &Call, request: CreateEntitlementRequest) -> Result<Entitlement> {
    let fulfillment = match request.provisioning_type() {
        ProvisionType::Immediate | ProvisionType::OnFirstUse => FulfillmentStatus::PendingCreate,
        ProvisionType::Unspecified => FulfillmentStatus::NotFulfilled,
    };
    call.create(Entitlement {
        owner_id: call.owner().to_owned(),
        product_id: request.product_id,
        tier_id: request.tier_id,
        supplement_ids: request.supplement_ids,
        name: request.name,
        family: request.family,
        subscription_id: request.subscription_id,
        provision_id: request.provision_id,
        order_id: request.order_id,
        offer_id: request.offer_id,
        authorized_users: request.authorized_users,
        fulfillment_status: fulfillment.into(),
        setup_status: SetupStatus::NotSetup.into(),
        provisioning_type: request.provisioning_type,
        service_area: request.service_area,
        market_locale: request.market_locale,
        effective_on: Some(request.effective_on.unwrap_or_else(|| call.today())),
        ends_on: request.ends_on,
        co_brand_partner: request.co_brand_partner,
        group_id: request.group_id,
        business: request.business,
        holder_name: request.holder_name,
        ..Default::default()
    })
    .await
}
