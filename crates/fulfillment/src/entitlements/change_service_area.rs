//! Sets the state or province in which an entitlement is used, and its contracts to those of that place.

use pavise_kernel::common::v1::{Date, RegionCode};
use pavise_kernel::{Call, Result};

use super::support::bought::load_bought;
use super::support::contracts::{first_day, list_contracts, put_contracts};
use super::support::same_plan::check_same_plan;
use crate::contract::catalog::Product;
use crate::contract::v1::{ChangeServiceAreaRequest, Entitlement};

pub(crate) async fn change_service_area(call: &Call, request: ChangeServiceAreaRequest) -> Result<Entitlement> {
    let plan: Entitlement = call.get(&request.entitlement_id).await?;
    let product = load_bought(call, &plan.product_id, plan.product_version).await?;
    call.change::<Entitlement>(&request.entitlement_id, |entitlement| {
        check_same_plan(&plan, entitlement)?;
        move_to(entitlement, request.service_area(), product.as_ref(), call.today());
        Ok(())
    })
    .await
}

/// Moves the plan. Its contracts get the documents of the area; those that are not of the product stay. A plan without
/// contracts gets those of the product.
fn move_to(plan: &mut Entitlement, area: RegionCode, product: Option<&Product>, today: Date) {
    plan.set_service_area(area);
    let Some(product) = product else { return };
    let mut new = list_contracts(product, area, plan.market_locale());
    if !plan.contracts.is_empty() {
        new.retain(|one| plan.contracts.iter().any(|known| known.id == one.id));
    }
    let first = first_day(plan, today);
    put_contracts(&mut plan.contracts, new, first);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::catalog::{ProductContract, StateVariant};
    use crate::contract::v1::EntitlementContract;

    const TODAY: Date = Date { year: 2026, month: 3, day: 2 };

    fn product() -> Product {
        let variant = |region: RegionCode, document: &str| StateVariant {
            region: region.into(),
            document_id: document.to_owned(),
            ..Default::default()
        };
        let contract = ProductContract {
            id: "legal".to_owned(),
            document_id: "all".to_owned(),
            variants: vec![variant(RegionCode::Tx, "texas"), variant(RegionCode::Ny, "new york")],
            ..Default::default()
        };
        Product { contracts: vec![contract], ..Default::default() }
    }

    fn documents(plan: &Entitlement) -> Vec<(&str, &str)> {
        plan.contracts.iter().map(|one| (one.id.as_str(), one.document_id.as_str())).collect()
    }

    #[test]
    fn the_contracts_of_the_product_follow_and_others_stay() {
        let named = |id: &str| EntitlementContract { id: id.to_owned(), ..Default::default() };
        let mut plan = Entitlement { contracts: vec![named("of staff"), named("legal")], ..Default::default() };
        move_to(&mut plan, RegionCode::Ny, Some(&product()), TODAY);
        assert_eq!(documents(&plan), [("of staff", ""), ("legal", "new york")]);
        assert_eq!((plan.contracts[0].effective_on, plan.contracts[1].effective_on), (None, Some(TODAY)));
        let moved = plan.clone();
        move_to(&mut plan, RegionCode::Ny, Some(&product()), Date { day: 9, ..TODAY });
        assert_eq!(plan, moved, "a repeat changes nothing");
        move_to(&mut plan, RegionCode::Ok, Some(&product()), TODAY);
        assert_eq!(documents(&plan), [("of staff", ""), ("legal", "all")]);
        move_to(&mut plan, RegionCode::Tx, None, TODAY);
        assert_eq!((documents(&plan)[1], plan.service_area()), (("legal", "all"), RegionCode::Tx));
    }

    #[test]
    fn contracts_from_elsewhere_get_none_beside_them() {
        let mut plan = Entitlement::default();
        move_to(&mut plan, RegionCode::Tx, Some(&product()), TODAY);
        assert_eq!(documents(&plan), [("legal", "texas")]);
        plan.contracts[0].id = "classic".to_owned();
        move_to(&mut plan, RegionCode::Ny, Some(&product()), TODAY);
        assert_eq!(documents(&plan), [("classic", "texas")]);
    }
}
