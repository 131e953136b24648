//! Another product, tier or other supplements take the place of the ones before.

use pavise_kernel::{Call, Result};

use crate::contract::v1::{ChangeProductRequest, Entitlement, FulfillmentStatus};

/// Puts them in place; what was fulfilled is to be changed.
pub(super) async fn change(call: &Call, request: ChangeProductRequest) -> Result<Entitlement> {
    call.change::<Entitlement>(&request.entitlement_id, |entitlement| {
        put(entitlement, &request);
        Ok(())
    })
    .await
}

fn put(entitlement: &mut Entitlement, request: &ChangeProductRequest) {
    let same = entitlement.product_id == request.product_id
        && entitlement.tier_id == request.tier_id
        && entitlement.supplement_ids == request.supplement_ids;
    entitlement.product_id.clone_from(&request.product_id);
    entitlement.tier_id.clone_from(&request.tier_id);
    entitlement.supplement_ids.clone_from(&request.supplement_ids);
    // Names are what people see; without new ones they stay.
    if !request.name.is_empty() {
        entitlement.name.clone_from(&request.name);
    }
    if !request.family.is_empty() {
        entitlement.family.clone_from(&request.family);
    }
    if !same && entitlement.fulfillment_status() == FulfillmentStatus::Fulfilled {
        entitlement.set_fulfillment_status(FulfillmentStatus::PendingChange);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_fulfilled_is_to_be_changed_and_what_is_the_same_is_not() {
        let mut entitlement = Entitlement {
            product_id: "a".to_owned(),
            name: "A".to_owned(),
            fulfillment_status: FulfillmentStatus::Fulfilled.into(),
            ..Default::default()
        };
        put(&mut entitlement, &ChangeProductRequest { product_id: "a".to_owned(), ..Default::default() });
        assert_eq!(entitlement.fulfillment_status(), FulfillmentStatus::Fulfilled);
        put(&mut entitlement, &ChangeProductRequest { product_id: "b".to_owned(), ..Default::default() });
        assert_eq!(entitlement.fulfillment_status(), FulfillmentStatus::PendingChange);
        assert_eq!(entitlement.name, "A");
    }

    #[test]
    fn what_waits_for_its_first_use_goes_on_waiting() {
        let mut entitlement = Entitlement { fulfillment_status: FulfillmentStatus::PendingCreate.into(), ..Default::default() };
        put(&mut entitlement, &ChangeProductRequest { product_id: "b".to_owned(), ..Default::default() });
        assert_eq!(entitlement.fulfillment_status(), FulfillmentStatus::PendingCreate);
    }
}
