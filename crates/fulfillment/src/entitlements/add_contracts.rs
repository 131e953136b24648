//! Contracts are added to an entitlement.

use pavise_kernel::{Edit, EditContext, Result};

use crate::contract::v1::{AddContractsRequest, Entitlement};

impl Edit<AddContractsRequest> for Entitlement {
    /// Adds the contracts. One with a known id replaces that contract.
    fn edit(&mut self, request: &AddContractsRequest, _context: &EditContext) -> Result<()> {
        for contract in &request.contracts {
            match self.contracts.iter_mut().find(|known| known.id == contract.id) {
                Some(known) => known.clone_from(contract),
                None => self.contracts.push(contract.clone()),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::EntitlementContract;

    #[test]
    fn a_contract_with_a_known_id_replaces_it() {
        let contract = |id: &str, number: &str| EntitlementContract {
            id: id.to_owned(),
            name: number.to_owned(),
            ..Default::default()
        };
        let mut entitlement =
            Entitlement { contracts: vec![contract("a", "1"), contract("b", "2")], ..Default::default() };
        let request =
            AddContractsRequest { contracts: vec![contract("a", "9"), contract("c", "3")], ..Default::default() };
        entitlement.edit(&request, &EditContext::at(0)).unwrap();
        assert_eq!(entitlement.contracts, [contract("a", "9"), contract("b", "2"), contract("c", "3")]);
    }
}
