//! The priced lines of a chosen product.

use pavise_kernel::common::v1::{CoveredRelation, Money, ProvisionType};

use super::chosen::ChosenProduct;
use super::problems::Problems;
use super::sale;
use super::wish::Wish;
use crate::contract::v1::{OfferItemType, Price, PricedLine, Product, SelectionProblemKind as Kind, Supplement, Tier};
use crate::shared::place;
use crate::shared::price::{find_price, initial_amount, renewal_amount};
use crate::shared::{family, name};

/// Prices a chosen product: a line of its own and one for each supplement. Parts without a price have no line.
pub(super) fn price_lines(one: &ChosenProduct<'_>, wish: &Wish<'_>, problems: &mut Problems) -> Vec<PricedLine> {
    let sold = place::check_product_place(one.product, wish.locality);
    sale::check_locality(one.field_path("product_id"), "the product", sold, wish.locality, problems);
    let mut lines = Vec::new();
    let tier = find_tier(one, problems);
    if let Some(tier) = tier {
        match find_price(&tier.prices, wish.terms) {
            Some(price) => lines.push(build_product_line(one, tier, price, wish)),
            None => add_missing_price(one.field_path("tier_id"), wish, problems),
        }
    }
    for (at, id) in one.selection.supplement_ids.iter().enumerate() {
        let field = one.field_path(&format!("supplement_ids[{at}]"));
        if one.selection.supplement_ids.iter().take(at).any(|earlier| earlier == id) {
            problems.add(field, Kind::SupplementDuplicate, "the supplement was chosen already");
            continue;
        }
        let Some(supplement) = find_supplement(one, id, &field, problems) else { continue };
        sale::check_locality(
            &field,
            "the supplement",
            place::check_restrictions(&supplement.restrictions, wish.locality),
            wish.locality,
            problems,
        );
        match find_price(&supplement.prices, wish.terms) {
            // A supplement without its product has no price of its own.
            Some(price) if !lines.is_empty() => lines.push(build_supplement_line(one, supplement, price, wish)),
            Some(_) => {}
            None => add_missing_price(field, wish, problems),
        }
    }
    lines
}

fn find_tier<'a>(one: &ChosenProduct<'a>, problems: &mut Problems) -> Option<&'a Tier> {
    let id = &one.selection.tier_id;
    let Some(tier) = one.product.tiers.iter().find(|tier| tier.id == *id) else {
        problems.add(one.field_path("tier_id"), Kind::TierUnknown, "the product has no such tier");
        return None;
    };
    if !one.offered.tier_ids.is_empty() && !one.offered.tier_ids.contains(id) {
        problems.add(
            one.field_path("tier_id"),
            Kind::TierNotOffered,
            "the offer does not have this tier of the product",
        );
        return None;
    }
    Some(tier)
}

fn find_supplement<'a>(
    one: &ChosenProduct<'a>,
    id: &str,
    field: &str,
    problems: &mut Problems,
) -> Option<&'a Supplement> {
    let Some(supplement) = one.product.supplements.iter().find(|supplement| supplement.id == id) else {
        problems.add(field, Kind::SupplementUnknown, "the product has no such supplement");
        return None;
    };
    let among = |ids: &[String], wanted: &str| ids.is_empty() || ids.iter().any(|one| one == wanted);
    if !among(&one.offered.supplement_ids, id) {
        problems.add(field, Kind::SupplementNotOffered, "the offer does not have this supplement");
        return None;
    }
    if !among(&supplement.tier_ids, &one.selection.tier_id) {
        problems.add(field, Kind::SupplementNotOffered, "the supplement cannot be added to this tier");
        return None;
    }
    Some(supplement)
}

fn add_missing_price(field: String, wish: &Wish<'_>, problems: &mut Problems) {
    let (period, currency) = (wish.terms.billing_period.spelling(), wish.terms.currency.spelling());
    problems.add(field, Kind::PriceMissing, format!("it has no {period} price in {currency} today"));
}

fn build_product_line(one: &ChosenProduct<'_>, tier: &Tier, price: &Price, wish: &Wish<'_>) -> PricedLine {
    PricedLine {
        r#type: OfferItemType::Product.into(),
        name: name::name_tier(one.product, tier, wish.locale),
        taxable: one.product.taxable,
        max_authorized_users: tier.max_authorized_users,
        covers: list_covers(one.product, tier),
        ..build_line(one, price, wish)
    }
}

/// The relations that the further users of a tier may have.
fn list_covers(product: &Product, tier: &Tier) -> Vec<CoveredRelation> {
    let delegates = product.qualifying_delegates.iter();
    let delegates =
        delegates.map(|one| CoveredRelation { r#type: one.r#type, most: one.most, until_age: one.until_age });
    pavise_cover::list_covered(&tier.authorized_user_types, &delegates.collect::<Vec<_>>())
}

fn build_supplement_line(
    one: &ChosenProduct<'_>,
    supplement: &Supplement,
    price: &Price,
    wish: &Wish<'_>,
) -> PricedLine {
    PricedLine {
        r#type: OfferItemType::Supplement.into(),
        supplement_id: supplement.id.clone(),
        name: name::name_supplement(supplement, wish.locale),
        taxable: supplement.taxable,
        ..build_line(one, price, wish)
    }
}

/// The fields of both kinds of line.
fn build_line(one: &ChosenProduct<'_>, price: &Price, wish: &Wish<'_>) -> PricedLine {
    let money = |amount| Some(Money { currency: wish.terms.currency.into(), amount });
    let provision_type = match one.offered.provision_type() {
        ProvisionType::Unspecified => ProvisionType::Immediate,
        said => said,
    };
    PricedLine {
        product_id: one.product.id.clone(),
        tier_id: one.selection.tier_id.clone(),
        family: family::short_code(one.product.family()).to_owned(),
        initial_price: money(initial_amount(price)),
        renewal_price: money(renewal_amount(price)),
        billing_period: wish.terms.billing_period.into(),
        provision_type: provision_type.into(),
        business: one.product.business,
        product_version: one.product.product_version,
        ..PricedLine::default()
    }
}
