//! The benefits.

use pavise_kernel::common::v1::ProvisionType;

use super::part::{Text, localized_texts};
use crate::contract::v1::{
    BenefitDraft, BenefitLimit, BenefitLimitPeriod, BenefitLimitUnit, BenefitProvisioning, CreateBenefitRequest,
    ProductBenefit,
};

/// A row for each benefit: key, its name in three languages, area of law, limit, waiting days, age.
const TABLE: &str = include_str!("benefits.tsv");

/// A row of the table.
struct Row {
    number: usize,
    key: &'static str,
    name: Text,
    area_of_law: &'static str,
    limit: &'static str,
    waiting_days: &'static str,
    until_age: &'static str,
}

/// The benefits of all products.
pub(super) fn make_benefits() -> Vec<CreateBenefitRequest> {
    rows().map(|row| build_benefit(&row)).collect()
}

/// A benefit of a product, with its name as the summary.
///
/// A key that the table lacks gives a benefit without summaries, which no product takes.
pub(super) fn product_benefit(key: &str) -> ProductBenefit {
    let row = rows().find(|row| row.key == key);
    ProductBenefit {
        id: key.to_owned(),
        benefit_id: row.as_ref().map(|row| benefit_id(row.number)).unwrap_or_default(),
        summaries: row.map(|row| localized_texts(row.name)).unwrap_or_default(),
        ..ProductBenefit::default()
    }
}

fn rows() -> impl Iterator<Item = Row> {
    TABLE.lines().enumerate().skip(1).map(|(number, line)| {
        let mut cells = line.split('\t');
        let mut cell = || cells.next().unwrap_or_default();
        let (key, american, spanish, french) = (cell(), cell(), cell(), cell());
        Row {
            number,
            key,
            name: [american, spanish, american, french],
            area_of_law: cell(),
            limit: cell(),
            waiting_days: cell(),
            until_age: cell(),
        }
    })
}

fn benefit_id(number: usize) -> String {
    format!("12000000-0000-4000-8000-{number:012}")
}

fn build_benefit(row: &Row) -> CreateBenefitRequest {
    let [american, ..] = row.name;
    let draft = BenefitDraft {
        name: american.to_owned(),
        internal_name: row.key.to_owned(),
        friendly_translations: localized_texts(row.name),
        area_of_law_ids: Some(row.area_of_law.to_owned()).into_iter().filter(|area| !area.is_empty()).collect(),
        limit: read_limit(row.limit),
        waiting_days: row.waiting_days.parse().unwrap_or_default(),
        until_age: row.until_age.parse().unwrap_or_default(),
        provisioning: Some(BenefitProvisioning {
            r#type: ProvisionType::Immediate.into(),
            ..BenefitProvisioning::default()
        }),
        ..BenefitDraft::default()
    };
    CreateBenefitRequest { benefit: Some(draft), id: benefit_id(row.number) }
}

/// "60 HOURS YEAR". Nothing is no limit.
fn read_limit(text: &str) -> Option<BenefitLimit> {
    let mut words = text.split(' ');
    let amount = words.next()?.parse().ok()?;
    let unit = BenefitLimitUnit::from_spelling(words.next()?)?.into();
    let per = BenefitLimitPeriod::from_spelling(words.next()?)?.into();
    Some(BenefitLimit { amount, unit, per })
}

#[cfg(test)]
mod tests {
    use super::super::ids::{LANDLORD, WILL};
    use super::*;

    #[test]
    fn the_named_benefits_are_those_of_their_rows() {
        let named = |key: &str| product_benefit(key).benefit_id;
        assert_eq!((named("will").as_str(), named("landlord").as_str()), (WILL, LANDLORD));
    }
}
