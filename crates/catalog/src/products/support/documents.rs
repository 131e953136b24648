//! The documents that the contracts of a product name.

use std::collections::BTreeSet;

use pavise_kernel::{Call, Result};

use crate::contract::documents::FileContainer;
use crate::contract::v1::{Product, ProductContract, StateVariant};
use crate::shared::file::find_available_files;
use crate::shared::violations::Violations;

/// Checks the documents of contracts that the product did not name before. `place` is the path of the contracts.
///
/// # Errors
/// `INVALID_FIELD` with all violations.
pub(in crate::products) async fn check_contracts(
    call: &Call,
    product: Option<&Product>,
    place: &str,
    contracts: &[ProductContract],
) -> Result<()> {
    let mut named = Vec::new();
    for (at, contract) in contracts.iter().enumerate() {
        named.push((format!("{place}[{at}].document_id"), contract.document_id.as_str()));
        named.extend(place_documents(&format!("{place}[{at}].variants"), &contract.variants));
    }
    check_named(call, product, named).await
}

/// Checks the documents of state variants that the product did not name before.
///
/// # Errors
/// `INVALID_FIELD` with all violations.
pub(in crate::products) async fn check_variants(
    call: &Call,
    product: Option<&Product>,
    variants: &[StateVariant],
) -> Result<()> {
    check_named(call, product, place_documents("state_variants", variants)).await
}

/// The documents of variants, each with its path.
fn place_documents<'v>(place: &str, variants: &'v [StateVariant]) -> Vec<(String, &'v str)> {
    let documents = variants.iter().map(|variant| variant.document_id.as_str()).enumerate();
    documents.map(|(at, document)| (format!("{place}[{at}].document_id"), document)).collect()
}

/// Checks documents that have paths.
async fn check_named(call: &Call, product: Option<&Product>, named: Vec<(String, &str)>) -> Result<()> {
    let known: BTreeSet<&str> = product.map(list_documents).unwrap_or_default();
    let added: Vec<(String, &str)> =
        named.into_iter().filter(|(_, id)| !id.is_empty() && !known.contains(id)).collect();
    let ids: BTreeSet<&str> = added.iter().map(|(_, id)| *id).collect();
    let files = find_available_files(call, &ids).await?;
    let mut wrong = Violations::default();
    for (path, id) in added {
        if !files.iter().any(|file| file.id == id && file.container() == FileContainer::Contract) {
            wrong.add(path, "names no file of the container CONTRACT that is AVAILABLE");
        }
    }
    wrong.into_result()
}

/// The documents that the contracts of a product name.
fn list_documents(product: &Product) -> BTreeSet<&str> {
    let mut documents = BTreeSet::new();
    for contract in &product.contracts {
        documents.insert(contract.document_id.as_str());
        documents.extend(contract.variants.iter().map(|variant| variant.document_id.as_str()));
    }
    documents
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_product_knows_the_documents_of_its_contracts_and_of_their_variants() {
        let variant = |document: &str| StateVariant { document_id: document.to_owned(), ..StateVariant::default() };
        let variants = vec![variant("a"), variant("b")];
        let places = place_documents("state_variants", &variants);
        assert_eq!(places[1], ("state_variants[1].document_id".to_owned(), "b"));
        let contract = ProductContract { document_id: "c".to_owned(), variants, ..ProductContract::default() };
        let product = Product { contracts: vec![contract], ..Product::default() };
        assert_eq!(list_documents(&product).into_iter().collect::<Vec<_>>(), ["a", "b", "c"]);
    }
}
