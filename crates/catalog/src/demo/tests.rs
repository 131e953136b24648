use std::collections::BTreeSet;

use pavise_kernel::common::v1::{BillingPeriod, Currency, Date, Locale, RegionCode};
use pavise_kernel::{Aggregate as _, Validate as _};

use super::*;
use crate::contract::v1::{
    Offer, OfferStatus, Product, ProductStatus, Selection, ValidateSelectionsRequest, ValidateSelectionsResponse,
};
use crate::shared::selection::{Wish, validate_wish};

const DAY: Date = Date { year: 2026, month: 3, day: 31 };

/// The products as stored.
fn products() -> Vec<Product> {
    let stored = |request: CreateProductRequest| {
        let mut product = Product { id: request.id, status: ProductStatus::Active.into(), ..Product::default() };
        product.replace_content(request.product.unwrap());
        product
    };
    build_demo().products.into_iter().map(stored).collect()
}

/// The offers as stored, with the statuses that the demonstration gives them.
fn offers() -> Vec<Offer> {
    let demo = build_demo();
    let stored = |request: CreateOfferRequest| {
        let mut offer = Offer { id: request.id, brand: request.brand, ..Offer::default() };
        offer.replace_content(request.offer.unwrap());
        let status = match offer.id.as_str() {
            id if demo.grandfather.iter().any(|request| request.offer_id == id) => OfferStatus::Grandfathered,
            id if demo.make_enrollable.iter().any(|request| request.offer_id == id) => OfferStatus::Enrollable,
            id if demo.ready_for_sale.iter().any(|request| request.offer_id == id) => OfferStatus::AvailableForSale,
            _ => OfferStatus::PendingApproval,
        };
        offer.set_status(status);
        let id = offer.id.clone();
        for named in demo.name_groups.iter().filter(|named| named.offer_id == id) {
            offer.replace_content(named.offer.clone().unwrap());
        }
        offer
    };
    demo.offers.clone().into_iter().map(stored).collect()
}

fn ask(
    offer_id: &str,
    selections: &[(&str, &str, &[&str])],
    change: impl FnOnce(&mut ValidateSelectionsRequest),
) -> ValidateSelectionsResponse {
    let selection = |&(product_id, tier_id, supplements): &(&str, &str, &[&str])| Selection {
        product_id: product_id.to_owned(),
        tier_id: tier_id.to_owned(),
        supplement_ids: supplements.iter().map(|&id| id.to_owned()).collect(),
    };
    let mut request = ValidateSelectionsRequest {
        selections: selections.iter().map(selection).collect(),
        ..ValidateSelectionsRequest::default()
    };
    request.set_locality(RegionCode::Tx);
    change(&mut request);
    let offer = offers().into_iter().find(|offer| offer.id == offer_id).unwrap();
    validate_wish(&offer, &products(), &Wish::from_request(&request, DAY))
}

fn total(answer: &ValidateSelectionsResponse) -> (i64, i64) {
    assert!(answer.valid, "{:?}", answer.problems);
    (answer.initial_total.unwrap().amount, answer.renewal_total.unwrap().amount)
}

#[test]
fn every_request_is_one_that_the_service_takes() {
    let demo = build_demo();
    for request in &demo.content_entries {
        assert!(request.validate().is_ok(), "{:?}", request.validate());
    }
    for request in &demo.benefits {
        assert!(request.validate().is_ok(), "{:?}", request.validate());
    }
    for request in &demo.products {
        assert!(request.validate().is_ok(), "{:?}", request.validate());
    }
    for request in &demo.offers {
        assert!(request.validate().is_ok(), "{:?}", request.validate());
    }
    for product in products() {
        assert!(product.check().is_ok(), "{:?}", product.check());
    }
    for offer in offers() {
        assert!(offer.check().is_ok(), "{:?}", offer.check());
        assert!(crate::offers::check_sellable(&offer, &products()).is_ok(), "{}", offer.id);
    }
}

#[test]
fn each_contract_names_a_document_that_is_stored_before() {
    let mut demo = build_demo();
    assert_eq!(demo.documents.len(), 10);
    let mut bare = demo.clone();
    demo.documents.iter().for_each(|document| bare.drop_document(&document.name));
    for contract in bare.products.iter().flat_map(|request| &request.product.as_ref().unwrap().contracts) {
        assert!(contract.document_id.is_empty() && contract.variants.is_empty(), "{contract:?}");
    }
    for document in std::mem::take(&mut demo.documents) {
        assert!(document.chunk.starts_with(b"%PDF-1.4\n") && document.name.ends_with(".pdf"), "{}", document.name);
        demo.name_document(&document.name, "stored");
    }
    for contract in demo.products.iter().flat_map(|request| &request.product.as_ref().unwrap().contracts) {
        let variants = contract.variants.iter().map(|variant| variant.document_id.as_str());
        assert!(variants.chain([contract.document_id.as_str()]).all(|document| document == "stored"), "{contract:?}");
    }
}

#[test]
fn ids_are_there_once_and_the_same_each_time() {
    let demo = build_demo();
    let ids: BTreeSet<&str> = demo
        .products
        .iter()
        .map(|request| request.id.as_str())
        .chain(demo.offers.iter().map(|request| request.id.as_str()))
        .collect();
    assert_eq!(ids.len(), demo.products.len() + demo.offers.len());
    assert_eq!(demo, super::build_demo());
}

#[test]
fn demo_products_have_names_in_every_locale() {
    let locales: BTreeSet<i32> = [Locale::EnUs, Locale::EsUs, Locale::EnCa, Locale::FrCa].map(i32::from).into();
    for product in products() {
        assert_eq!(
            product.friendly_names.iter().map(|name| name.locale).collect::<BTreeSet<_>>(),
            locales,
            "{}",
            product.name
        );
        let texts = product
            .tiers
            .iter()
            .map(|tier| &tier.names)
            .chain(product.supplements.iter().map(|supplement| &supplement.names));
        for names in texts.chain(product.benefits.iter().map(|benefit| &benefit.summaries)) {
            assert_eq!(names.iter().map(|name| name.locale).collect::<BTreeSet<_>>(), locales, "{names:?}");
        }
    }
    for offer in offers() {
        assert_eq!(offer.names.iter().map(|name| name.locale).collect::<BTreeSet<_>>(), locales, "{}", offer.id);
    }
}

#[test]
fn an_american_family_buys_directly() {
    let choice: [(&str, &str, &[&str]); 2] =
        [(LEGAL, "family", &["gun-owners", "trial-defense"]), (IDENTITY, "family", &[])];
    assert_eq!(total(&ask(PERSONAL_US, &choice, |_| ())), (3495 + 1495 + 895 + 1497, 3495 + 1495 + 895 + 2995));
    let annual = ask(PERSONAL_US, &choice, |request| request.set_billing_period(BillingPeriod::Annual));
    assert_eq!(total(&annual), (11 * (3495 + 1495 + 895 + 2995), 11 * (3495 + 1495 + 895 + 2995)));
}

#[test]
fn a_canadian_buys_in_canadian_dollars_and_french() {
    let answer = ask(PERSONAL_CANADA, &[(LEGAL, "individual", &["ride-share"])], |request| {
        request.set_locality(RegionCode::On);
        request.set_locale(Locale::FrCa);
    });
    assert_eq!(total(&answer), (3295 + 1095, 3295 + 1095));
    assert_eq!(answer.initial_total.unwrap().currency(), Currency::Cad);
    assert_eq!(answer.lines.first().unwrap().name, "Régime juridique – Individuel");
}

#[test]
fn the_price_of_last_year_held_last_year() {
    let request = ValidateSelectionsRequest {
        selections: vec![crate::shared::sample::sample_selection(LEGAL, "individual", &[])],
        ..ValidateSelectionsRequest::default()
    };
    let offer = Offer {
        available_localities: Vec::new(),
        ..offers().into_iter().find(|offer| offer.id == PERSONAL_US).unwrap()
    };
    let on = |year, month, day| {
        validate_wish(&offer, &products(), &Wish::from_request(&request, Date { year, month, day }))
            .initial_total
            .unwrap()
            .amount
    };
    assert_eq!((on(2025, 12, 31), on(2026, 1, 1)), (2795, 2995));
}

#[test]
fn a_business_names_itself_and_is_not_sold_in_washington() {
    let answer = ask(BUSINESS_US, &[(SMALL_BUSINESS, "up-to-50", &["trial-defense-business"])], |_| ());
    assert_eq!(total(&answer), (9900 + 1995, 9900 + 1995));
    assert!(answer.lines.iter().all(|line| line.business && line.taxable && line.family == "bus"));
    assert!(
        !ask(BUSINESS_US, &[(SMALL_BUSINESS, "up-to-10", &[])], |request| request.set_locality(RegionCode::Wa)).valid
    );
    assert!(!ask(BUSINESS_US, &[(SMALL_BUSINESS, "up-to-10", &["trial-defense-business"])], |_| ()).valid);
}

#[test]
fn employees_pay_with_each_payroll_through_their_group_only() {
    let choice: [(&str, &str, &[&str]); 1] = [(LEGAL, "family", &["home-business"])];
    let through = |group: &'static str| {
        ask(GROUP_US, &choice, move |request| {
            request.group_id = group.to_owned();
            request.set_billing_period(BillingPeriod::PayPeriod);
        })
    };
    // 26 payrolls bring in at least what 12 months do, and less than a cent more each.
    assert_eq!(total(&through(GROUP)), (1614 + 921, 1614 + 921));
    assert!(!through("").valid && !through("30000000-0000-4000-8000-00000000ffff").valid);
}

#[test]
fn legacy_offers_of_the_demo_cannot_be_bought() {
    assert!(!ask(LEGACY_US, &[(LEGACY_LEGAL, "family", &[])], |_| ()).valid);
}

#[test]
fn guns_are_covered_where_the_law_lets_us() {
    let in_region = |region| {
        ask(PERSONAL_US, &[(LEGAL, "individual", &["gun-owners"])], |request| request.set_locality(region)).valid
    };
    assert!(in_region(RegionCode::Tx) && !in_region(RegionCode::Ny));
}
