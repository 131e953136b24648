//! Gives a member the right to use a product.

use pavise_kernel::common::v1::{Date, ProvisionType};
use pavise_kernel::{Call, Result};

use super::support::bought::BoughtProduct;
use super::support::contracts::{begin_contracts, list_contracts};
use super::support::covered::TierCover;
use super::support::membership_number::make_number;
use crate::contract::roles;
use crate::contract::v1::{CreateEntitlementRequest, Entitlement, FulfillmentStatus, SetupStatus};

/// Makes the entitlement in the named version of the product, or in the newest. Programs make what was bought: those people
/// were checked with the order.
pub(crate) async fn create_entitlement(call: &Call, request: CreateEntitlementRequest) -> Result<Entitlement> {
    let bought = BoughtProduct::load(call, &request.product_id, request.product_version).await?;
    let meant = Entitlement { owner_id: call.owner().to_owned(), ..plan_of(request, bought) };
    if !call.has_role(roles::PLATFORM) && !meant.authorized_users.is_empty() {
        TierCover::load(call, &meant).await?.check(&[], &meant.authorized_users, call.today())?;
    }
    call.create(begin(meant, call.today(), &call.new_id())).await
}

/// The plan that the request asks for. The contracts are those of the product, unless it names others.
fn plan_of(request: CreateEntitlementRequest, bought: BoughtProduct) -> Entitlement {
    let (area, locale) = (request.service_area(), request.market_locale());
    let own = bought.content.filter(|_| request.contracts.is_empty());
    Entitlement {
        product_id: request.product_id,
        product_version: bought.version,
        tier_id: request.tier_id,
        supplement_ids: request.supplement_ids,
        name: request.name,
        family: request.family,
        subscription_id: request.subscription_id,
        provision_id: request.provision_id,
        order_id: request.order_id,
        offer_id: request.offer_id,
        authorized_users: request.authorized_users,
        provisioning_type: request.provisioning_type,
        service_area: request.service_area,
        market_locale: request.market_locale,
        effective_on: request.effective_on,
        ends_on: request.ends_on,
        co_brand_partner: request.co_brand_partner,
        contracts: own.map_or(request.contracts, |product| list_contracts(&product, area, locale)),
        group_id: request.group_id,
        business: request.business,
        holder_name: request.holder_name,
        ..Entitlement::default()
    }
}

/// Sets the fulfillment that the provisioning type asks for. The first day is today unless the plan names one. Gives the
/// membership number.
fn begin(mut plan: Entitlement, today: Date, new_id: &str) -> Entitlement {
    plan.set_fulfillment_status(match plan.provisioning_type() {
        ProvisionType::Immediate | ProvisionType::OnFirstUse => FulfillmentStatus::PendingCreate,
        ProvisionType::Unspecified => FulfillmentStatus::NotFulfilled,
    });
    plan.set_setup_status(SetupStatus::NotSetup);
    let first = *plan.effective_on.get_or_insert(today);
    begin_contracts(&mut plan.contracts, first);
    plan.friendly_id = make_number(new_id);
    plan
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::catalog::{Product, ProductContract};
    use crate::contract::v1::EntitlementContract;

    const TODAY: Date = Date { year: 2026, month: 1, day: 1 };

    #[test]
    fn the_provisioning_type_decides_the_fulfillment() {
        for (kind, expected) in [
            (ProvisionType::Immediate, FulfillmentStatus::PendingCreate),
            (ProvisionType::OnFirstUse, FulfillmentStatus::PendingCreate),
            (ProvisionType::Unspecified, FulfillmentStatus::NotFulfilled),
        ] {
            let made = begin(Entitlement { provisioning_type: kind.into(), ..Default::default() }, TODAY, "id");
            assert_eq!((made.fulfillment_status(), made.setup_status()), (expected, SetupStatus::NotSetup), "{kind:?}");
            assert_eq!((made.effective_on, made.friendly_id.len()), (Some(TODAY), 14));
        }
    }

    #[test]
    fn a_named_first_day_stays_and_contracts_begin_on_it() {
        let day = Some(Date { month: 3, ..TODAY });
        let contracts = vec![EntitlementContract::default()];
        let made = begin(Entitlement { effective_on: day, contracts, ..Default::default() }, TODAY, "id");
        assert_eq!((made.effective_on, made.contracts[0].effective_on), (day, day));
    }

    #[test]
    fn the_contracts_are_those_of_the_version_unless_others_are_named() {
        let contract = ProductContract { id: "legal".to_owned(), ..Default::default() };
        let content = Some(Product { contracts: vec![contract], ..Default::default() });
        let make = |contracts: Vec<EntitlementContract>| {
            let bought = BoughtProduct { version: 3, content: content.clone() };
            plan_of(CreateEntitlementRequest { contracts, ..Default::default() }, bought)
        };
        assert_eq!((make(Vec::new()).product_version, make(Vec::new()).contracts[0].id.as_str()), (3, "legal"));
        let own = EntitlementContract { id: "own".to_owned(), ..Default::default() };
        assert_eq!(make(vec![own.clone()]).contracts, [own]);
    }
}
