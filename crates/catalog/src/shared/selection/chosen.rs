//! The choices that the offer sells, and the products that must or must not be bought together.

use super::problems::Problems;
use super::wish::Wish;
use crate::contract::v1::{Offer, OfferProduct, Product, ProductStatus, Selection, SelectionProblemKind as Kind};

/// A selection that names a product that the offer sells.
#[derive(Debug, Clone, Copy)]
pub(super) struct ChosenProduct<'a> {
    /// Its place in the request.
    pub(super) at: usize,
    pub(super) selection: &'a Selection,
    pub(super) offered: &'a OfferProduct,
    pub(super) product: &'a Product,
}

impl ChosenProduct<'_> {
    /// The path of one of its fields in the request.
    pub(super) fn field_path(&self, name: &str) -> String {
        format!("selections[{}].{name}", self.at)
    }
}

/// The selections that can be priced, each product once. The others are problems.
pub(super) fn find_chosen<'a>(
    offer: &'a Offer,
    products: &'a [Product],
    wish: &Wish<'a>,
    problems: &mut Problems,
) -> Vec<ChosenProduct<'a>> {
    if wish.selections.is_empty() {
        problems.add("selections", Kind::NothingSelected, "choose at least one product");
    }
    let mut found: Vec<ChosenProduct<'a>> = Vec::new();
    for (at, selection) in wish.selections.iter().enumerate() {
        let field = format!("selections[{at}].product_id");
        if wish.selections.iter().take(at).any(|earlier| earlier.product_id == selection.product_id) {
            problems.add(field, Kind::ProductDuplicate, "the product was chosen already");
            continue;
        }
        let offered = offer.products.iter().find(|offered| offered.product_id == selection.product_id);
        let Some(offered) = offered else {
            problems.add(field, Kind::ProductNotOffered, "the offer does not have the product");
            continue;
        };
        match products.iter().find(|product| product.id == selection.product_id) {
            Some(product) if product.status() == ProductStatus::Active => {
                found.push(ChosenProduct { at, selection, offered, product })
            }
            _ => problems.add(field, Kind::ProductNotActive, "the product is not sold at present"),
        }
    }
    found
}

/// Checks that required products are chosen and excluded ones are not. An exclusion counts in both directions.
pub(super) fn check_companions(chosen: &[ChosenProduct<'_>], wish: &Wish<'_>, problems: &mut Problems) {
    for one in chosen {
        for required in &one.product.required_product_ids {
            if !wish.selections.iter().any(|other| other.product_id == *required) {
                let description = format!("the product can only be bought together with {required}");
                problems.add(one.field_path("product_id"), Kind::RequiredProductMissing, description);
            }
        }
        for other in chosen.iter().filter(|other| other.at != one.at) {
            let excludes = |a: &Product, b: &Product| a.excluded_product_ids.contains(&b.id);
            if excludes(one.product, other.product) || excludes(other.product, one.product) {
                let description = format!("the product cannot be bought together with {}", other.product.id);
                problems.add(one.field_path("product_id"), Kind::ProductExcluded, description);
            }
        }
    }
}
