//! Prices an order: the catalog has the prices, and the tax area of the buyer the taxes. No price comes from a caller.

use pavise_kernel::common::v1::{BillingPeriod, Date};
use pavise_kernel::{Call, Error, Result};

use super::problem::Problem;
use super::quote::ask_quote;
use super::{draft, totals};
use crate::contract::catalog::{OfferItemType, PricedLine, ValidateSelectionsResponse};
use crate::contract::v1::*;
use crate::shared::amount;
use crate::tax::support::{area, calculation};

/// The most lines of an order. With their taxes they fit on one invoice.
const MOST_LINES: usize = 120;

/// Prices the unpaid offers at today's prices and taxes, and adds up. The order may be stored only if there is no problem.
///
/// # Errors
/// `TAX_AREA_UNKNOWN`, `CURRENCY_MISMATCH`, `AMOUNT_TOO_LARGE`, or when the catalog does not answer.
pub(crate) async fn price_order(call: &Call, order: &mut Order) -> Result<Vec<Problem>> {
    let mut problems = Vec::new();
    let area = area::find_area(call, order.locality()).await?;
    let mut offers = std::mem::take(&mut order.offers);
    for (at, offer) in offers.iter_mut().enumerate() {
        if offer.status() == OfferStatusOnOrder::Funded {
            continue;
        }
        match ask_quote(call, order, offer).await? {
            Ok(answer) => {
                problems.extend(answer.problems.iter().map(|one| Problem {
                    at,
                    field: one.field.clone(),
                    description: one.description.clone(),
                }));
                if answer.valid {
                    problems.extend(
                        put_lines(order, offer, answer, &area, call.today())?
                            .into_iter()
                            .map(|problem| Problem { at, ..problem }),
                    );
                }
            }
            Err(problem) => problems.push(Problem { at, ..problem }),
        }
    }
    order.offers = offers;
    if order.offers.iter().map(|offer| offer.lines.len()).sum::<usize>() > MOST_LINES {
        return Err(Error::field(
            "offers",
            format!("come to more than {MOST_LINES} products and supplements; split the order"),
        ));
    }
    order.totals = Some(totals::add_up(order)?);
    order.priced_at = Some(call.timestamp());
    Ok(problems)
}

/// Puts the lines of the catalog on an offer, with the taxes of the area, and adds up.
fn put_lines(
    order: &Order,
    offer: &mut OfferOnOrder,
    answer: ValidateSelectionsResponse,
    area: &TaxArea,
    today: Date,
) -> Result<Vec<Problem>> {
    let charged = |line: &PricedLine| {
        offer.held_supplement_ids.is_empty() && order.entitlement_id.is_empty() || is_added(offer, line)
    };
    let priced = answer
        .lines
        .iter()
        .filter(|line| charged(line))
        .map(|line| build_line(order, line, area, today))
        .collect::<Result<Vec<_>>>()?;
    let missing = offer
        .selections
        .iter()
        .flat_map(|chosen| &chosen.supplement_ids)
        .find(|id| !priced.iter().any(|line| line.supplement_id == **id));
    if let Some(id) = missing {
        let description = format!("the supplement {id} has no price");
        return Ok(vec![Problem { at: 0, field: "selections".to_owned(), description }]);
    }
    offer.lines = priced;
    offer.offer_name = answer.offer_name;
    offer.period = draft::period_from(BillingPeriod::try_from(offer.billing_period).unwrap_or_default()).into();
    totals::add_up_offer(order, offer)?;
    Ok(Vec::new())
}

/// Whether a line is a supplement that an order of supplements adds.
fn is_added(offer: &OfferOnOrder, line: &PricedLine) -> bool {
    line.r#type() == OfferItemType::Supplement
        && offer.selections.iter().any(|chosen| chosen.supplement_ids.contains(&line.supplement_id))
}

fn build_line(order: &Order, line: &PricedLine, area: &TaxArea, today: Date) -> Result<OrderLine> {
    let currency = order.currency();
    let initial = amount::minor_of(currency, line.initial_price.as_ref())?;
    let renewal = amount::minor_of(currency, line.renewal_price.as_ref())?;
    let taxes = if line.taxable {
        calculation::apply_taxes(area, currency, initial, calculation::category_from_family(&line.family), today)
    } else {
        Vec::new()
    };
    let kind = match line.r#type() {
        OfferItemType::Product => OrderLineType::Product,
        OfferItemType::Supplement => OrderLineType::Supplement,
        OfferItemType::Unspecified => OrderLineType::Unspecified,
    };
    Ok(OrderLine {
        r#type: kind.into(),
        product_id: line.product_id.clone(),
        tier_id: line.tier_id.clone(),
        supplement_id: line.supplement_id.clone(),
        name: line.name.clone(),
        family: line.family.clone(),
        initial_price: Some(amount::from_minor_units(currency, initial)),
        renewal_price: Some(amount::from_minor_units(currency, renewal)),
        billing_period: line.billing_period,
        provision_type: line.provision_type,
        taxable: line.taxable,
        business: line.business,
        max_authorized_users: line.max_authorized_users,
        covers: line.covers.clone(),
        product_version: Some(line.product_version),
        taxes,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tax::support::sample;
    use pavise_kernel::common::v1::{Currency, RegionCode};

    const TODAY: Date = Date { year: 2026, month: 1, day: 15 };

    fn order() -> Order {
        Order {
            currency: Currency::Cad.into(),
            locality: RegionCode::On.into(),
            channel: OrderChannel::Corp.into(),
            ..Order::default()
        }
    }

    fn offer(supplements: &[&str]) -> OfferOnOrder {
        let supplement_ids = supplements.iter().map(|id| (*id).to_owned()).collect();
        let selections = vec![Selection { product_id: "p".into(), tier_id: "t".into(), supplement_ids }];
        OfferOnOrder {
            brand: "b".into(),
            offer_id: "o".into(),
            selections,
            billing_period: BillingPeriod::Monthly.into(),
            ..OfferOnOrder::default()
        }
    }

    fn line(supplement: &str, price: i64, taxable: bool) -> PricedLine {
        let kind = if supplement.is_empty() { OfferItemType::Product } else { OfferItemType::Supplement };
        PricedLine {
            r#type: kind.into(),
            product_id: "p".into(),
            tier_id: "t".into(),
            supplement_id: supplement.into(),
            family: "lgl".into(),
            initial_price: Some(amount::from_minor_units(Currency::Cad, price)),
            renewal_price: Some(amount::from_minor_units(Currency::Cad, price + 100)),
            taxable,
            ..PricedLine::default()
        }
    }

    fn answer(lines: Vec<PricedLine>) -> ValidateSelectionsResponse {
        ValidateSelectionsResponse {
            valid: true,
            lines,
            offer_name: "Family".into(),
            ..ValidateSelectionsResponse::default()
        }
    }

    #[test]
    fn each_taxable_line_is_taxed_and_rounded_for_itself() {
        let (order, mut offer) = (order(), offer(&["s"]));
        let answer = answer(vec![line("", 2495, true), line("s", 995, false)]);
        assert_eq!(put_lines(&order, &mut offer, answer, &sample::build_area(RegionCode::On), TODAY).unwrap(), []);
        let amounts =
            [&offer.subtotal, &offer.tax, &offer.total, &offer.renewal_total].map(|amount| amount.unwrap().amount);
        assert_eq!(amounts, [3490, 324, 3814, 3690]); // 13 % of 24.95 is 3.2435
        assert!(offer.lines[1].taxes.is_empty());
        assert_eq!((offer.offer_name.as_str(), offer.period()), ("Family", Period::Month));
    }

    #[test]
    fn an_order_of_supplements_charges_only_new_ones() {
        let order = Order { entitlement_id: "e".into(), ..order() };
        let mut offer = OfferOnOrder { held_supplement_ids: vec!["held".into()], ..offer(&["new"]) };
        let answer = answer(vec![line("", 2495, false), line("held", 500, false), line("new", 995, false)]);
        assert_eq!(put_lines(&order, &mut offer, answer, &sample::build_area(RegionCode::On), TODAY).unwrap(), []);
        assert_eq!(offer.total.unwrap().amount, 995);
    }

    #[test]
    fn a_price_in_another_currency_is_refused() {
        let order = Order { currency: Currency::Usd.into(), ..order() };
        let refused = put_lines(
            &order,
            &mut offer(&[]),
            answer(vec![line("", 2495, false)]),
            &sample::build_area(RegionCode::On),
            TODAY,
        );
        assert!(refused.unwrap_err().is(ErrorReason::CurrencyMismatch));
    }

    #[test]
    fn a_supplement_without_a_price_is_a_problem() {
        let problems = put_lines(
            &order(),
            &mut offer(&["s"]),
            answer(vec![line("", 1, false)]),
            &sample::build_area(RegionCode::On),
            TODAY,
        )
        .unwrap();
        assert_eq!(problems.iter().map(|one| (one.at, one.field.as_str())).collect::<Vec<_>>(), [(0, "selections")]);
    }
}
