use pavise_kernel::common::v1::{
    BillingPeriod, CountryCode, Currency, Date, Locale, LocalizedText, ProvisionType, RegionCode,
};
use pavise_kernel::money::LARGEST as MOST;
use pavise_kernel::time::add_days;

use super::*;
use crate::contract::v1::{
    FriendlyName, OfferItemType, OfferStatus, OfferType, ProductStatus, Restriction, RestrictionType, SalesChannelKind,
    Selection, ValidateSelectionsRequest,
};
use crate::shared::sample;
use crate::shared::sample::{
    DAY, price_in_usd, sample_offer, sample_product, sample_request, sample_selection, sample_supplement, sample_tier,
};

fn legal() -> Product {
    let mut legal = sample_product("legal", vec![sample_tier("individual", 2495), sample_tier("family", 2995)]);
    legal.supplements = vec![sample_supplement("guns", 1295), sample_supplement("home", 995)];
    legal
}

/// The problems, as `field kind`.
fn found(offer: &Offer, products: &[Product], request: &ValidateSelectionsRequest) -> Vec<String> {
    let answer = validate_wish(offer, products, &Wish::from_request(request, DAY));
    assert_eq!(answer.valid, answer.problems.is_empty());
    answer.problems.iter().map(|problem| format!("{} {}", problem.field, problem.kind().spelling())).collect()
}

/// The problems of the family tier of the legal product in an offer that was changed.
fn found_in(change: impl FnOnce(&mut Offer)) -> Vec<String> {
    let products = [legal()];
    let mut offer = sample_offer(&products);
    change(&mut offer);
    found(&offer, &products, &sample_request(vec![sample_selection("legal", "family", &["guns"])]))
}

/// The problems of the family tier and a supplement of a product that was changed.
fn found_of(change: impl FnOnce(&mut Product)) -> Vec<String> {
    let mut products = [legal()];
    change(&mut products[0]);
    found(&sample_offer(&products), &products, &sample_request(vec![sample_selection("legal", "family", &["guns"])]))
}

/// The problems of a choice from an unchanged offer of legal and identity products.
fn found_with(selections: Vec<Selection>) -> Vec<String> {
    let products = [legal(), sample_product("identity", vec![sample_tier("individual", 995)])];
    found(&sample_offer(&products), &products, &sample_request(selections))
}

#[test]
fn a_good_choice_is_priced_line_by_line() {
    let mut products = [legal()];
    products[0].tiers[1].prices[0].renewal = price_in_usd(3495);
    products[0].taxable = true;
    let mut offer = sample_offer(&products);
    offer.products[0].provision_type = ProvisionType::OnFirstUse.into();
    let answer = validate_wish(
        &offer,
        &products,
        &Wish::from_request(&sample_request(vec![sample_selection("legal", "family", &["home"])]), DAY),
    );
    assert!(answer.valid, "{:?}", answer.problems);
    assert_eq!((answer.initial_total, answer.renewal_total), (price_in_usd(2995 + 995), price_in_usd(3495 + 995)));
    let [plan, home] = answer.lines.as_slice() else { panic!("{:?}", answer.lines) };
    assert_eq!((plan.r#type(), home.r#type()), (OfferItemType::Product, OfferItemType::Supplement));
    assert_eq!((plan.initial_price, plan.renewal_price), (price_in_usd(2995), price_in_usd(3495)));
    assert_eq!(
        (plan.tier_id.as_str(), home.supplement_id.as_str(), home.tier_id.as_str()),
        ("family", "home", "family")
    );
    assert_eq!((plan.family.as_str(), plan.max_authorized_users, home.max_authorized_users), ("lgl", 5, 0));
    assert_eq!((plan.taxable, home.taxable), (true, false));
    assert!(
        [plan, home].iter().all(|line| line.provision_type() == ProvisionType::OnFirstUse
            && line.billing_period() == BillingPeriod::Monthly)
    );
}

#[test]
fn without_saying_so_it_is_set_up_at_once() {
    let products = [legal()];
    let answer = validate_wish(
        &sample_offer(&products),
        &products,
        &Wish::from_request(&sample_request(vec![sample_selection("legal", "family", &[])]), DAY),
    );
    assert_eq!(answer.lines[0].provision_type(), ProvisionType::Immediate);
}

#[test]
fn names_are_in_the_buyers_language() {
    let text = |locale: Locale, text: &str| LocalizedText { locale: locale.into(), text: text.to_owned() };
    let mut products = [legal()];
    products[0].friendly_names =
        vec![FriendlyName { id: "fr".to_owned(), locale: Locale::FrCa.into(), text: "Régime juridique".to_owned() }];
    products[0].tiers[1].names = vec![text(Locale::EnUs, "Family"), text(Locale::FrCa, "Famille")];
    products[0].supplements[0].names = vec![text(Locale::FrCa, "Armes")];
    let mut offer = sample_offer(&products);
    offer.names = vec![text(Locale::EnUs, "Plans"), text(Locale::FrCa, "Régimes")];
    let mut request = sample_request(vec![sample_selection("legal", "family", &["guns"])]);
    request.set_locale(Locale::FrCa);
    request.set_currency(Currency::Usd);
    let answer = validate_wish(&offer, &products, &Wish::from_request(&request, DAY));
    assert_eq!(answer.offer_name, "Régimes");
    assert_eq!([answer.lines[0].name.as_str(), answer.lines[1].name.as_str()], ["Régime juridique – Famille", "Armes"]);
}

#[test]
fn omitted_fields_have_documented_defaults() {
    let mut request = sample_request(vec![]);
    let wish = Wish::from_request(&request, DAY);
    assert_eq!((wish.terms, wish.channel), (sample::monthly_terms(), SalesChannelKind::D2c));
    request.group_id = "group".to_owned();
    request.set_locale(Locale::FrCa);
    let wish = Wish::from_request(&request, DAY);
    assert_eq!((wish.terms.currency, wish.channel), (Currency::Cad, SalesChannelKind::Group));
    request.set_currency(Currency::Usd);
    request.set_billing_period(BillingPeriod::Annual);
    request.set_channel(SalesChannelKind::Network);
    let wish = Wish::from_request(&request, DAY);
    assert_eq!(
        (wish.terms.currency, wish.terms.billing_period, wish.channel),
        (Currency::Usd, BillingPeriod::Annual, SalesChannelKind::Network)
    );
}

#[test]
fn only_an_offer_for_sale_can_be_bought() {
    for status in
        [OfferStatus::PendingApproval, OfferStatus::NeedsReview, OfferStatus::Grandfathered, OfferStatus::Unspecified]
    {
        assert_eq!(found_in(|offer| offer.set_status(status)), ["offer_id OFFER_NOT_FOR_SALE"], "{status:?}");
    }
    assert!(found_in(|_| ()).is_empty());
}

#[test]
fn an_offer_on_trial_is_bought_by_its_cohort_only() {
    assert_eq!(found_in(|offer| offer.set_type(OfferType::Experimental)), ["offer_id OFFER_NOT_FOR_SALE"]);
    let products = [legal()];
    let mut offer = sample_offer(&products);
    offer.set_type(OfferType::Experimental);
    let request = sample_request(vec![sample_selection("legal", "family", &[])]);
    let wish = Wish { in_cohort: true, ..Wish::from_request(&request, DAY) };
    assert!(validate_wish(&offer, &products, &wish).valid);
    offer.set_status(OfferStatus::PendingApproval);
    assert!(!validate_wish(&offer, &products, &wish).valid, "it is not on sale");
}

#[test]
fn an_enrollable_offer_is_bought_through_one_of_its_groups_only() {
    let products = [legal()];
    let mut offer = sample_offer(&products);
    offer.set_status(OfferStatus::Enrollable);
    offer.group_ids = vec!["acme".to_owned()];
    let mut request = sample_request(vec![sample_selection("legal", "family", &[])]);
    assert_eq!(found(&offer, &products, &request), ["channel CHANNEL_NOT_ALLOWED", "group_id GROUP_NOT_ALLOWED"]);
    request.group_id = "other".to_owned();
    assert_eq!(found(&offer, &products, &request), ["group_id GROUP_NOT_ALLOWED"]);
    request.group_id = "acme".to_owned();
    assert!(found(&offer, &products, &request).is_empty());
    offer.group_ids.clear();
    assert_eq!(found(&offer, &products, &request), ["group_id GROUP_NOT_ALLOWED"]);
}

#[test]
fn a_group_offer_for_sale_needs_its_group_too() {
    let of_group = |offer: &mut Offer| {
        offer.set_channel(SalesChannelKind::Group);
        offer.group_ids = vec!["acme".to_owned()];
    };
    assert_eq!(found_in(of_group), ["channel CHANNEL_NOT_ALLOWED", "group_id GROUP_NOT_ALLOWED"]);
}

#[test]
fn an_offer_of_associates_is_not_sold_directly() {
    assert_eq!(found_in(|offer| offer.set_channel(SalesChannelKind::Network)), ["channel CHANNEL_NOT_ALLOWED"]);
}

#[test]
fn an_offer_is_sold_from_its_first_to_its_last_day() {
    let between = |from: i64, until: i64| {
        let day = |n| -> Option<Date> { Some(add_days(DAY, n)) };
        found_in(|offer| (offer.valid_from, offer.valid_until) = (day(from), day(until)))
    };
    assert!(between(0, 0).is_empty());
    assert_eq!(between(1, 2), ["offer_id OFFER_NOT_VALID_TODAY"]);
    assert_eq!(between(-2, -1), ["offer_id OFFER_NOT_VALID_TODAY"]);
}

#[test]
fn periods_and_currencies_are_those_of_the_offer() {
    assert_eq!(
        found_in(|offer| offer.billing_periods = vec![BillingPeriod::Annual.into()]),
        ["billing_period BILLING_PERIOD_NOT_OFFERED"]
    );
    assert_eq!(found_in(|offer| offer.currencies = vec![Currency::Cad.into()]), ["currency CURRENCY_NOT_OFFERED"]);
}

#[test]
fn a_tier_without_a_price_on_these_terms_cannot_be_bought() {
    let products = [legal()];
    let mut request = sample_request(vec![sample_selection("legal", "family", &["guns"])]);
    request.set_billing_period(BillingPeriod::Annual);
    assert_eq!(
        found(&sample_offer(&products), &products, &request),
        ["selections[0].tier_id PRICE_MISSING", "selections[0].supplement_ids[0] PRICE_MISSING"]
    );
}

#[test]
fn places_are_those_of_the_offer_the_product_and_the_supplement() {
    let not_in_texas = || {
        vec![Restriction {
            id: "tx".to_owned(),
            region: RegionCode::Tx.into(),
            r#type: RestrictionType::NotAllowed.into(),
        }]
    };
    assert_eq!(
        found_in(|offer| offer.available_localities = vec![RegionCode::Ny.into()]),
        ["locality LOCALITY_NOT_ALLOWED"]
    );
    assert_eq!(found_in(|offer| offer.set_country(CountryCode::Can)), ["locality LOCALITY_NOT_ALLOWED"]);
    assert_eq!(
        found_of(|product| product.restrictions = not_in_texas()),
        ["selections[0].product_id LOCALITY_NOT_ALLOWED"]
    );
    assert_eq!(
        found_of(|product| product.countries = vec![CountryCode::Can.into()]),
        ["selections[0].product_id LOCALITY_NOT_ALLOWED"]
    );
    assert_eq!(
        found_of(|product| product.supplements[0].restrictions = not_in_texas()),
        ["selections[0].supplement_ids[0] LOCALITY_NOT_ALLOWED"]
    );
}

#[test]
fn the_place_must_be_said_where_it_matters_and_is_asked_for_once() {
    let mut products = [legal()];
    let mut request = sample_request(vec![sample_selection("legal", "family", &[])]);
    request.set_locality(RegionCode::Unspecified);
    assert!(found(&sample_offer(&products), &products, &request).is_empty());
    products[0].countries = vec![CountryCode::Usa.into()];
    let mut offer = sample_offer(&products);
    offer.set_country(CountryCode::Usa);
    assert_eq!(found(&offer, &products, &request), ["locality LOCALITY_MISSING"]);
}

#[test]
fn something_must_be_chosen_and_nothing_twice() {
    assert_eq!(found_with(vec![]), ["selections NOTHING_SELECTED"]);
    let twice = vec![sample_selection("legal", "family", &[]), sample_selection("legal", "individual", &[])];
    assert_eq!(found_with(twice), ["selections[1].product_id PRODUCT_DUPLICATE"]);
    assert_eq!(
        found_with(vec![sample_selection("legal", "family", &["guns", "guns"])]),
        ["selections[0].supplement_ids[1] SUPPLEMENT_DUPLICATE"]
    );
}

#[test]
fn products_tiers_and_supplements_must_exist() {
    assert_eq!(
        found_with(vec![sample_selection("boat", "family", &[])]),
        ["selections[0].product_id PRODUCT_NOT_OFFERED"]
    );
    assert_eq!(found_with(vec![sample_selection("legal", "galactic", &[])]), ["selections[0].tier_id TIER_UNKNOWN"]);
    assert_eq!(
        found_with(vec![sample_selection("legal", "family", &["boat"])]),
        ["selections[0].supplement_ids[0] SUPPLEMENT_UNKNOWN"]
    );
    let both = vec![sample_selection("legal", "family", &[]), sample_selection("identity", "individual", &["guns"])];
    assert_eq!(
        found_with(both),
        ["selections[1].supplement_ids[0] SUPPLEMENT_UNKNOWN"],
        "supplements belong to their product"
    );
}

#[test]
fn the_offer_can_narrow_tiers_and_supplements() {
    let narrow = |tiers: &[&str], supplements: &[&str]| {
        let owned = |ids: &[&str]| ids.iter().map(|&id| id.to_owned()).collect();
        found_in(|offer| {
            (offer.products[0].tier_ids, offer.products[0].supplement_ids) = (owned(tiers), owned(supplements))
        })
    };
    assert!(narrow(&["family"], &["guns"]).is_empty());
    assert_eq!(narrow(&["individual"], &[]), ["selections[0].tier_id TIER_NOT_OFFERED"]);
    assert_eq!(narrow(&[], &["home"]), ["selections[0].supplement_ids[0] SUPPLEMENT_NOT_OFFERED"]);
}

#[test]
fn a_supplement_can_be_for_some_tiers_only() {
    let problems = found_of(|product| product.supplements[0].tier_ids = vec!["individual".to_owned()]);
    assert_eq!(problems, ["selections[0].supplement_ids[0] SUPPLEMENT_NOT_OFFERED"]);
}

#[test]
fn a_product_that_is_not_active_or_gone_cannot_be_bought() {
    for status in [ProductStatus::Created, ProductStatus::Inactive, ProductStatus::Delete] {
        assert_eq!(found_of(|product| product.set_status(status)), ["selections[0].product_id PRODUCT_NOT_ACTIVE"]);
    }
    let offer = sample_offer(&[legal()]);
    assert_eq!(
        found(&offer, &[], &sample_request(vec![sample_selection("legal", "family", &[])])),
        ["selections[0].product_id PRODUCT_NOT_ACTIVE"]
    );
}

#[test]
fn required_products_must_be_chosen_too() {
    let mut add_on = sample_product("add-on", vec![sample_tier("any", 500)]);
    add_on.required_product_ids = vec!["legal".to_owned()];
    let products = [legal(), add_on];
    let choose = |selections| found(&sample_offer(&products), &products, &sample_request(selections));
    assert_eq!(
        choose(vec![sample_selection("add-on", "any", &[])]),
        ["selections[0].product_id REQUIRED_PRODUCT_MISSING"]
    );
    assert!(choose(vec![sample_selection("add-on", "any", &[]), sample_selection("legal", "family", &[])]).is_empty());
}

#[test]
fn an_exclusion_holds_both_ways() {
    let mut products = [legal(), sample_product("other", vec![sample_tier("any", 500)])];
    products[1].excluded_product_ids = vec!["legal".to_owned()];
    let problems = found(
        &sample_offer(&products),
        &products,
        &sample_request(vec![sample_selection("legal", "family", &[]), sample_selection("other", "any", &[])]),
    );
    assert_eq!(problems, ["selections[0].product_id PRODUCT_EXCLUDED", "selections[1].product_id PRODUCT_EXCLUDED"]);
}

#[test]
fn a_total_beyond_the_limit_is_a_problem_and_not_a_number() {
    let products =
        [sample_product("a", vec![sample_tier("any", MOST)]), sample_product("b", vec![sample_tier("any", 1)])];
    let offer = sample_offer(&products);
    let answer = |selections| validate_wish(&offer, &products, &Wish::from_request(&sample_request(selections), DAY));
    let most = answer(vec![sample_selection("a", "any", &[])]);
    assert_eq!((most.valid, most.initial_total), (true, price_in_usd(MOST)));
    let more = answer(vec![sample_selection("a", "any", &[]), sample_selection("b", "any", &[])]);
    assert_eq!((more.valid, more.initial_total, more.renewal_total), (false, None, None));
    assert_eq!(more.problems.len(), 1, "said once for both totals");
}

#[test]
fn sums_beyond_64_bits_are_caught() {
    let products = [
        sample_product("a", vec![sample_tier("any", i64::MAX)]),
        sample_product("b", vec![sample_tier("any", i64::MAX)]),
    ];
    let choice = sample_request(vec![sample_selection("a", "any", &[]), sample_selection("b", "any", &[])]);
    assert_eq!(found(&sample_offer(&products), &products, &choice), ["selections TOTAL_TOO_LARGE"]);
}

#[test]
fn all_problems_are_reported_at_once() {
    let mut products = [legal()];
    products[0].set_status(ProductStatus::Inactive);
    let mut offer = sample_offer(&products);
    offer.set_status(OfferStatus::NeedsReview);
    offer.available_localities = vec![RegionCode::Ny.into()];
    let problems = found(
        &offer,
        &products,
        &sample_request(vec![sample_selection("legal", "family", &[]), sample_selection("boat", "", &[])]),
    );
    assert_eq!(
        problems,
        [
            "offer_id OFFER_NOT_FOR_SALE",
            "locality LOCALITY_NOT_ALLOWED",
            "selections[0].product_id PRODUCT_NOT_ACTIVE",
            "selections[1].product_id PRODUCT_NOT_OFFERED",
        ]
    );
}
