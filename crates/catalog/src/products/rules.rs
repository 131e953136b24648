//! Rules of every stored product.

use pavise_kernel::Result;
use pavise_kernel::aggregate::Invariants;
use pavise_kernel::common::v1::{BillingPeriod, Money};

use crate::contract::v1::{Price, Product, ProductContract, Restriction, Supplement};
use crate::shared::price::has_common_day;
use crate::shared::violations::Violations;

impl Invariants for Product {
    fn check(&self) -> Result<()> {
        self.check_below("")
    }
}

impl Product {
    /// Checks a product that lies at a place in a request. The paths of violations begin with that place.
    ///
    /// # Errors
    /// `INVALID_FIELD` with all violations.
    pub(super) fn check_below(&self, place: &'static str) -> Result<()> {
        let mut wrong = Violations::below(place);
        check_ids(self, &mut wrong);
        check_lengths(self, &mut wrong);
        for (at, tier) in self.tiers.iter().enumerate() {
            check_prices(&tier.prices, &format!("tiers[{at}].prices"), &mut wrong);
        }
        for (at, supplement) in self.supplements.iter().enumerate() {
            check_supplement(self, supplement, &format!("supplements[{at}]"), &mut wrong);
        }
        for (at, contract) in self.contracts.iter().enumerate() {
            check_variants(contract, &format!("contracts[{at}].variants"), &mut wrong);
        }
        for (at, benefit) in self.benefits.iter().enumerate() {
            if benefit.benefit_id.is_empty() && benefit.summaries.is_empty() {
                wrong.add(format!("benefits[{at}].summaries"), "say what it is, or name a benefit that does");
            }
            let supplement = &benefit.supplement_id;
            if !supplement.is_empty() && !self.supplements.iter().any(|one| one.id == *supplement) {
                wrong.add(format!("benefits[{at}].supplement_id"), "the product has no such supplement");
            }
        }
        check_restrictions(&self.restrictions, "restrictions", &mut wrong);
        check_companions(self, &mut wrong);
        wrong.add_repeated(&self.area_of_law_ids, |at| format!("area_of_law_ids[{at}]"));
        wrong.into_result()
    }
}

/// Ids are given and unique within each kind of part, and locales within the names.
fn check_ids(product: &Product, wrong: &mut Violations) {
    wrong.check_ids(product.tiers.iter().map(|part| part.id.as_str()), "tiers");
    wrong.check_ids(product.supplements.iter().map(|part| part.id.as_str()), "supplements");
    wrong.check_ids(product.benefits.iter().map(|part| part.id.as_str()), "benefits");
    wrong.check_ids(product.contracts.iter().map(|part| part.id.as_str()), "contracts");
    wrong.check_ids(product.categories.iter().map(|part| part.id.as_str()), "categories");
    wrong.check_ids(product.friendly_names.iter().map(|part| part.id.as_str()), "friendly_names");
    let locales: Vec<i32> = product.friendly_names.iter().map(|name| name.locale).collect();
    wrong.add_repeated(&locales, |at| format!("friendly_names[{at}].locale"));
    let locales: Vec<i32> = product.marketing.iter().map(|text| text.locale).collect();
    wrong.add_repeated(&locales, |at| format!("marketing[{at}].locale"));
}

/// Lists that grow by single calls hold no more than a whole product can be written with.
fn check_lengths(product: &Product, wrong: &mut Violations) {
    wrong.check_length(&product.friendly_names, 8, "friendly_names");
    wrong.check_length(&product.tiers, 50, "tiers");
    wrong.check_length(&product.supplements, 50, "supplements");
    wrong.check_length(&product.benefits, 100, "benefits");
    wrong.check_length(&product.contracts, 20, "contracts");
    wrong.check_length(&product.restrictions, 100, "restrictions");
    wrong.check_length(&product.area_of_law_ids, 200, "area_of_law_ids");
    wrong.check_length(&product.categories, 20, "categories");
    for (at, contract) in product.contracts.iter().enumerate() {
        wrong.check_length(&contract.variants, 100, &format!("contracts[{at}].variants"));
    }
}

fn check_supplement(product: &Product, supplement: &Supplement, place: &str, wrong: &mut Violations) {
    check_prices(&supplement.prices, &format!("{place}.prices"), wrong);
    check_restrictions(&supplement.restrictions, &format!("{place}.restrictions"), wrong);
    for (at, id) in supplement.tier_ids.iter().enumerate() {
        if !product.tiers.iter().any(|tier| tier.id == *id) {
            wrong.add(format!("{place}.tier_ids[{at}]"), "the product has no such tier");
        }
    }
}

fn check_variants(contract: &ProductContract, place: &str, wrong: &mut Violations) {
    wrong.check_ids(contract.variants.iter().map(|variant| variant.id.as_str()), place);
    let regions: Vec<i32> = contract.variants.iter().map(|variant| variant.region).collect();
    wrong.add_repeated(&regions, |at| format!("{place}[{at}].region"));
}

fn check_restrictions(restrictions: &[Restriction], place: &str, wrong: &mut Violations) {
    wrong.check_ids(restrictions.iter().map(|one| one.id.as_str()), place);
    let regions: Vec<i32> = restrictions.iter().map(|one| one.region).collect();
    wrong.add_repeated(&regions, |at| format!("{place}[{at}].region"));
}

/// A product neither requires nor excludes itself. No product is both required and excluded.
fn check_companions(product: &Product, wrong: &mut Violations) {
    wrong.add_repeated(&product.required_product_ids, |at| format!("required_product_ids[{at}]"));
    wrong.add_repeated(&product.excluded_product_ids, |at| format!("excluded_product_ids[{at}]"));
    for (at, id) in product.required_product_ids.iter().enumerate() {
        if *id == product.id {
            wrong.add(format!("required_product_ids[{at}]"), "is the product itself");
        }
    }
    for (at, id) in product.excluded_product_ids.iter().enumerate() {
        if *id == product.id {
            wrong.add(format!("excluded_product_ids[{at}]"), "is the product itself");
        }
        if product.required_product_ids.contains(id) {
            wrong.add(format!("excluded_product_ids[{at}]"), "is required too");
        }
    }
}

fn check_prices(prices: &[Price], place: &str, wrong: &mut Violations) {
    for (at, price) in prices.iter().enumerate() {
        check_amounts(price, &format!("{place}[{at}]"), wrong);
        wrong.check_dates(price.effective_from, price.effective_until, &format!("{place}[{at}].effective"));
        if prices.iter().take(at).any(|earlier| has_common_day(earlier, price)) {
            wrong.add(
                format!("{place}[{at}]"),
                "another price of the same billing period and currency is in force on one of its days",
            );
        }
    }
}

fn check_amounts(price: &Price, place: &str, wrong: &mut Violations) {
    let negative = |money: &Option<Money>| money.is_some_and(|money| money.amount < 0);
    if negative(&price.initial) {
        wrong.add(format!("{place}.initial.amount"), "must not be negative");
    }
    if negative(&price.renewal) {
        wrong.add(format!("{place}.renewal.amount"), "must not be negative");
    }
    match price.renewal {
        None if price.billing_period() != BillingPeriod::OneTime => {
            wrong.add(format!("{place}.renewal"), "is left out only for ONE_TIME")
        }
        Some(renewal) if price.initial.is_some_and(|initial| initial.currency != renewal.currency) => {
            wrong.add(format!("{place}.renewal.currency"), "must be that of the initial price");
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use pavise_kernel::common::v1::{Currency, Date, RegionCode};

    use super::*;
    use crate::contract::v1::{ProductBenefit, RestrictionType};
    use crate::shared::sample::{DAY, price_in_usd, sample_price, sample_product, sample_supplement, sample_tier};

    /// The fields that are wrong with a product after a change.
    fn wrong(change: impl FnOnce(&mut Product)) -> Vec<String> {
        let mut product = sample_product("legal", vec![sample_tier("individual", 1), sample_tier("family", 2)]);
        product.supplements = vec![sample_supplement("guns", 3)];
        change(&mut product);
        match product.check() {
            Ok(()) => Vec::new(),
            Err(error) => error.violations().iter().map(|violation| violation.field.clone()).collect(),
        }
    }

    #[test]
    fn an_ordinary_product_holds() {
        assert!(wrong(|_| ()).is_empty());
    }

    #[test]
    fn parts_have_ids_of_their_own() {
        assert_eq!(wrong(|product| product.tiers[1].id = "individual".to_owned()), ["tiers[1].id"]);
        assert_eq!(wrong(|product| product.supplements.push(sample_supplement("guns", 4))), ["supplements[1].id"]);
    }

    #[test]
    fn a_benefit_has_a_summary_or_names_one_that_has() {
        let named =
            |id: &str| ProductBenefit { id: "help".to_owned(), benefit_id: id.to_owned(), ..Default::default() };
        assert!(wrong(|product| product.benefits = vec![named("will")]).is_empty());
        assert_eq!(wrong(|product| product.benefits = vec![named("")]), ["benefits[0].summaries"]);
    }

    #[test]
    fn a_benefit_comes_with_a_supplement_of_the_product() {
        let with = |id: &str| {
            let named = ProductBenefit { id: "help".to_owned(), benefit_id: "will".to_owned(), ..Default::default() };
            let benefit = ProductBenefit { supplement_id: id.to_owned(), ..named };
            move |product: &mut Product| product.benefits = vec![benefit]
        };
        assert!(wrong(with("guns")).is_empty() && wrong(with("")).is_empty());
        assert_eq!(wrong(with("extra")), ["benefits[0].supplement_id"]);
    }

    #[test]
    fn parts_have_an_id_and_lists_an_end() {
        assert_eq!(wrong(|product| product.tiers[1].id.clear()), ["tiers[1].id"]);
        let many = |most: usize| move |product: &mut Product| product.area_of_law_ids = vec!["FL".to_owned(); most];
        assert!(wrong(many(1)).is_empty());
        assert_eq!(wrong(many(201)).first().map(String::as_str), Some("area_of_law_ids"));
    }

    #[test]
    fn an_area_of_law_is_named_once() {
        let twice = |product: &mut Product| product.area_of_law_ids = vec!["FL".to_owned(), "FL".to_owned()];
        assert_eq!(wrong(twice), ["area_of_law_ids[1]"]);
    }

    #[test]
    fn prices_do_not_overlap_and_have_one_currency() {
        assert_eq!(wrong(|product| product.tiers[0].prices.push(sample_price(2))), ["tiers[0].prices[1]"]);
        let mut canadian = sample_price(2);
        canadian.initial = Some(Money { currency: Currency::Cad.into(), amount: 2 });
        assert_eq!(wrong(|product| product.tiers[0].prices.push(canadian)), ["tiers[0].prices[1].renewal.currency"]);
        assert_eq!(
            wrong(|product| product.tiers[0].prices[0].initial = price_in_usd(-1)),
            ["tiers[0].prices[0].initial.amount"]
        );
    }

    #[test]
    fn only_a_price_paid_once_has_no_renewal() {
        assert_eq!(wrong(|product| product.tiers[0].prices[0].renewal = None), ["tiers[0].prices[0].renewal"]);
        let once = |product: &mut Product| {
            product.tiers[0].prices[0].renewal = None;
            product.tiers[0].prices[0].set_billing_period(BillingPeriod::OneTime);
        };
        assert!(wrong(once).is_empty());
    }

    #[test]
    fn days_exist_and_are_in_order() {
        let between = |from, until| {
            wrong(|product| {
                (product.tiers[0].prices[0].effective_from, product.tiers[0].prices[0].effective_until) = (from, until)
            })
        };
        assert!(between(Some(DAY), Some(DAY)).is_empty());
        assert_eq!(between(Some(Date { day: 32, ..DAY }), None), ["tiers[0].prices[0].effective_from"]);
        assert_eq!(between(Some(DAY), Some(Date { day: 30, ..DAY })), ["tiers[0].prices[0].effective_until"]);
    }

    #[test]
    fn a_region_is_restricted_once() {
        let restriction = |id: &str| Restriction {
            id: id.to_owned(),
            region: RegionCode::Tx.into(),
            r#type: RestrictionType::Allowed.into(),
        };
        assert_eq!(
            wrong(|product| product.restrictions = vec![restriction("a"), restriction("b")]),
            ["restrictions[1].region"]
        );
    }

    #[test]
    fn required_products_are_neither_excluded_nor_itself() {
        let ids = |id: &str| vec![id.to_owned()];
        assert_eq!(wrong(|product| product.required_product_ids = ids("legal")), ["required_product_ids[0]"]);
        let both = |product: &mut Product| {
            (product.required_product_ids, product.excluded_product_ids) = (ids("other"), ids("other"))
        };
        assert_eq!(wrong(both), ["excluded_product_ids[0]"]);
    }

    #[test]
    fn a_supplement_names_tiers_of_its_product() {
        assert_eq!(
            wrong(|product| product.supplements[0].tier_ids = vec!["galactic".to_owned()]),
            ["supplements[0].tier_ids[0]"]
        );
    }
}
