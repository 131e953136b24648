//! Contracts that an entitlement stands on.

use pavise_kernel::{Call, Result};

use crate::contract::v1::{AddContractsRequest, Entitlement};

/// Adds them; one with a known id takes the place of that one.
pub(super) async fn add(call: &Call, request: AddContractsRequest) -> Result<Entitlement> {
    call.change::<Entitlement>(&request.entitlement_id, |entitlement| {
        for contract in &request.contracts {
            match entitlement.contracts.iter_mut().find(|known| known.id == contract.id) {
                Some(known) => known.clone_from(contract),
                None => entitlement.contracts.push(contract.clone()),
            }
        }
        Ok(())
    })
    .await
}
