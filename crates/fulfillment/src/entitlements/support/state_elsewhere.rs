//! The state of an entitlement in another system.

use pavise_kernel::{Error, Result};

use crate::contract::v1::{Entitlement, MigratedEntitlement};

/// Requires the state.
pub(crate) fn require_state(state: Option<MigratedEntitlement>) -> Result<MigratedEntitlement> {
    state.ok_or_else(|| Error::missing_field("state"))
}

/// Overwrites an entitlement with its state in another system. The fields are named one by one, so that a new field
/// cannot be forgotten. Another product has no version: other systems know none.
pub(crate) fn overwrite_state(entitlement: Entitlement, state: MigratedEntitlement) -> Entitlement {
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
    let product_version = if product_id == entitlement.product_id { entitlement.product_version } else { 0 };
    Entitlement {
        product_version,
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
