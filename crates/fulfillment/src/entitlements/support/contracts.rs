//! The contracts of an entitlement: those of its product, in the version that was bought and for the state of use.

use pavise_kernel::common::v1::{Date, Locale, RegionCode};
use pavise_kernel::time::to_days;

use crate::contract::catalog::{Product, ProductContract};
use crate::contract::v1::{Entitlement, EntitlementContract};

/// Lets contracts without a first day begin on `first`.
pub(crate) fn begin_contracts(contracts: &mut [EntitlementContract], first: Date) {
    for contract in contracts {
        contract.effective_on.get_or_insert(first);
    }
}

/// The day from which a new contract of an entitlement holds: today, or its first day if that is later.
pub(crate) fn first_day(entitlement: &Entitlement, today: Date) -> Date {
    entitlement.effective_on.filter(|first| to_days(*first) > to_days(today)).unwrap_or(today)
}

/// The contracts of a product, each with the document of the state or province where the plan is used.
pub(crate) fn list_contracts(product: &Product, area: RegionCode, locale: Locale) -> Vec<EntitlementContract> {
    let make = |contract: &ProductContract| {
        let own = contract.variants.iter().find(|variant| variant.region() == area);
        let title = contract.titles.iter().find(|title| title.locale() == locale);
        let title = title.or_else(|| contract.titles.first()).map(|title| title.text.as_str()).unwrap_or_default();
        EntitlementContract {
            id: contract.id.clone(),
            r#type: contract.r#type,
            name: title.chars().take(200).collect(),
            document_id: own.map_or(&contract.document_id, |own| &own.document_id).clone(),
            effective_on: None,
        }
    };
    product.contracts.iter().map(make).collect()
}

/// Whether a contract is one of the product. A product that the catalog does not know any more may have had each.
pub(crate) fn is_of(product: Option<&Product>, contract: &EntitlementContract) -> bool {
    product.is_none_or(|product| product.contracts.iter().any(|one| one.id == contract.id))
}

/// Puts contracts in place of those with the same ids, and adds the others. One that has the same document already goes on
/// as it is; another begins on `first`.
pub(crate) fn put_contracts(contracts: &mut Vec<EntitlementContract>, new: Vec<EntitlementContract>, first: Date) {
    for mut one in new {
        one.effective_on.get_or_insert(first);
        match contracts.iter_mut().find(|known| known.id == one.id) {
            Some(known) if known.document_id == one.document_id => {}
            Some(known) => *known = one,
            None => contracts.push(one),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::catalog::StateVariant;
    use pavise_kernel::common::v1::LocalizedText;

    const FIRST: Date = Date { year: 2026, month: 3, day: 2 };
    const LATER: Date = Date { year: 2026, month: 5, day: 1 };

    fn contract(id: &str, document_id: &str, effective_on: Option<Date>) -> EntitlementContract {
        EntitlementContract {
            id: id.to_owned(),
            document_id: document_id.to_owned(),
            effective_on,
            ..Default::default()
        }
    }

    #[test]
    fn the_contract_is_that_of_the_state_and_the_language() {
        let title = |locale: Locale, text: &str| LocalizedText { locale: locale.into(), text: text.to_owned() };
        let texan =
            StateVariant { region: RegionCode::Tx.into(), document_id: "texas".to_owned(), ..Default::default() };
        let contract = ProductContract {
            id: "legal".to_owned(),
            titles: vec![title(Locale::EnUs, "Contract"), title(Locale::EsUs, "Contrato")],
            document_id: "all".to_owned(),
            variants: vec![texan],
            ..Default::default()
        };
        let product = Product { contracts: vec![contract], ..Default::default() };
        let made = |area: RegionCode, locale: Locale| {
            let mut contracts = list_contracts(&product, area, locale);
            assert_eq!((contracts.len(), contracts[0].id.as_str()), (1, "legal"));
            (contracts[0].document_id.clone(), contracts.remove(0).name)
        };
        assert_eq!(made(RegionCode::Tx, Locale::EsUs), ("texas".to_owned(), "Contrato".to_owned()));
        assert_eq!(made(RegionCode::Ny, Locale::FrCa), ("all".to_owned(), "Contract".to_owned()));
    }

    #[test]
    fn another_document_begins_and_the_same_one_goes_on() {
        let mut contracts = vec![contract("a", "1", Some(FIRST)), contract("own", "9", Some(FIRST))];
        let new = ["a", "b"].map(|id| contract(id, "1", None)).to_vec();
        put_contracts(&mut contracts, new, LATER);
        let expected =
            [contract("a", "1", Some(FIRST)), contract("own", "9", Some(FIRST)), contract("b", "1", Some(LATER))];
        assert_eq!(contracts, expected);
        put_contracts(&mut contracts, vec![contract("a", "2", None)], LATER);
        assert_eq!(contracts[0], contract("a", "2", Some(LATER)));
    }

    #[test]
    fn new_contract_holds_from_today_or_the_first_day_of_the_plan() {
        let plan = |effective_on| Entitlement { effective_on, ..Default::default() };
        assert_eq!(first_day(&plan(None), FIRST), FIRST);
        assert_eq!(first_day(&plan(Some(FIRST)), LATER), LATER);
        assert_eq!(first_day(&plan(Some(LATER)), FIRST), LATER);
    }
}
