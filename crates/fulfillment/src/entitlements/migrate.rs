//! Entitlements are taken over from another system.

use pavise_kernel::{Call, Error, Result};

use crate::contract::v1::{Entitlement, ImportEntitlementRequest, MigrateEntitlementRequest, MigratedEntitlement};

/// Writes the state elsewhere over the one here. What only this platform knows of it stays.
pub(super) async fn migrate(call: &Call, request: MigrateEntitlementRequest) -> Result<Entitlement> {
    let state = request.state.ok_or_else(|| Error::field("state", "is missing"))?;
    call.change::<Entitlement>(&request.entitlement_id, |entitlement| {
        *entitlement = with(entitlement.clone(), state.clone());
        Ok(())
    })
    .await
}

/// Makes it here.
pub(super) async fn import(call: &Call, request: ImportEntitlementRequest) -> Result<Entitlement> {
    let state = request.state.ok_or_else(|| Error::field("state", "is missing"))?;
    call.create(with(Entitlement { owner_id: call.owner().to_owned(), ..Default::default() }, state)).await
}

/// The entitlement in that state. Every field of the state is named, so that a new one cannot be forgotten.
fn with(entitlement: Entitlement, state: MigratedEntitlement) -> Entitlement {
    let MigratedEntitlement {
        status,
        product_id,
        tier_id,
        supplement_ids,
        name,
        family,
        subscription_id,
        authorized_users,
        delegates,
        fulfillment_status,
        setup_status,
        provisioning_type,
        service_area,
        market_locale,
        effective_on,
        ends_on,
        friendly_id,
        co_brand_partner,
        contracts,
        group_id,
        business,
        status_reason,
        holder_name,
    } = state;
    Entitlement {
        status,
        product_id,
        tier_id,
        supplement_ids,
        name,
        family,
        subscription_id,
        authorized_users,
        delegates,
        fulfillment_status,
        setup_status,
        provisioning_type,
        service_area,
        market_locale,
        effective_on,
        ends_on,
        friendly_id,
        co_brand_partner,
        contracts,
        group_id,
        business,
        status_reason,
        holder_name,
        ..entitlement
    }
}
