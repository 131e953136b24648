//! Prices: the catalogue says what a choice costs, the buyer's area what is added to it. No price comes from a caller.

use pavise_kernel::common::v1::{BillingPeriod, Date};
use pavise_kernel::{Call, Error, Result};
use tonic::Code;

use super::{draft, totals};
use crate::amount;
use crate::contract::catalog::offer_service_client::OfferServiceClient;
use crate::contract::catalog::{
    self, OfferItemType, PricedLine, SalesChannelKind, ValidateSelectionsRequest, ValidateSelectionsResponse,
};
use crate::contract::v1::*;
use crate::tax::{area, calculate};

/// The most lines of an order: with their taxes they fit on one invoice.
const MOST_LINES: usize = 120;

/// Why an offer cannot be bought as chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    /// Which of the order's offers.
    pub(crate) at: usize,
    /// Which field of the choice: `selections[0].tier_id`.
    pub(crate) field: String,
    /// What is wrong, for the caller.
    pub(crate) description: String,
}

/// Prices what is not paid yet at today's prices and taxes, and adds up. Answers what cannot be bought; the order is
/// only usable when that is nothing.
///
/// # Errors
/// `TAX_AREA_UNKNOWN`, `CURRENCY_MISMATCH`, `AMOUNT_TOO_LARGE`, or when the catalogue does not answer.
pub(crate) async fn price(call: &Call, order: &mut Order) -> Result<Vec<Problem>> {
    let mut problems = Vec::new();
    let area = area::find(call, order.locality()).await?;
    let mut offers = std::mem::take(&mut order.offers);
    for (at, offer) in offers.iter_mut().enumerate() {
        if offer.status() == OfferStatusOnOrder::Funded {
            continue;
        }
        match asked(call, order, offer).await? {
            Ok(answer) => {
                problems.extend(answer.problems.iter().map(|one| Problem {
                    at,
                    field: one.field.clone(),
                    description: one.description.clone(),
                }));
                if answer.valid {
                    problems.extend(
                        lines(order, offer, answer, &area, call.today())?.into_iter().map(|problem| Problem { at, ..problem }),
                    );
                }
            }
            Err(problem) => problems.push(Problem { at, ..problem }),
        }
    }
    order.offers = offers;
    if order.offers.iter().map(|offer| offer.lines.len()).sum::<usize>() > MOST_LINES {
        return Err(Error::field("offers", format!("come to more than {MOST_LINES} products and supplements; split the order")));
    }
    order.totals = Some(totals::add_up(order)?);
    order.priced_at = Some(call.timestamp());
    Ok(problems)
}

/// The refusal of a request whose choices cannot be bought. `path` is where the choices are in the request.
///
/// # Errors
/// `SELECTION_REFUSED` when there is a problem.
pub(crate) fn sellable(path: &str, problems: &[Problem]) -> Result<()> {
    let Some(first) = problems.first() else { return Ok(()) };
    let place = |problem: &Problem| format!("{path}[{}].{}", problem.at, problem.field);
    let error = Error::new(ErrorReason::SelectionRefused, format!("{}: {}", place(first), first.description));
    Err(problems.iter().fold(error, |error, problem| error.violation(place(problem), &problem.description)))
}

/// The refusal of an order with something on it that can no longer be bought.
///
/// # Errors
/// `OFFER_NOT_BUYABLE` when there is a problem.
pub(crate) fn still_buyable(problems: &[Problem]) -> Result<()> {
    let Some(first) = problems.first() else { return Ok(()) };
    let place = |problem: &Problem| format!("offers[{}]", problem.at);
    let message = format!("{} can no longer be bought: {}", place(first), first.description);
    let error = Error::new(ErrorReason::OfferNotBuyable, message);
    Err(problems.iter().fold(error, |error, problem| error.precondition("OFFER", place(problem), &problem.description)))
}

/// What the catalogue says of an offer; an offer that it does not know is a problem of the choice.
async fn asked(call: &Call, order: &Order, offer: &OfferOnOrder) -> Result<Result<ValidateSelectionsResponse, Problem>> {
    let mut catalog = OfferServiceClient::new(call.peer("catalog"));
    match catalog.validate_selections(call.peer_request(question(order, offer), &offer.id)).await {
        Ok(answer) => Ok(Ok(answer.into_inner())),
        Err(status) if status.code() == Code::NotFound => {
            Ok(Err(Problem { at: 0, field: "offer_id".to_owned(), description: "there is no such offer".to_owned() }))
        }
        Err(status) => Err(status.into()),
    }
}

fn question(order: &Order, offer: &OfferOnOrder) -> ValidateSelectionsRequest {
    // What the member has already belongs to the choice: a new supplement may need or exclude it.
    let with_held = |chosen: &Selection| catalog::Selection {
        product_id: chosen.product_id.clone(),
        tier_id: chosen.tier_id.clone(),
        supplement_ids: offer.held_supplement_ids.iter().chain(&chosen.supplement_ids).cloned().collect(),
    };
    ValidateSelectionsRequest {
        brand: offer.brand.clone(),
        offer_id: offer.offer_id.clone(),
        selections: offer.selections.iter().map(with_held).collect(),
        billing_period: offer.billing_period,
        currency: order.currency,
        locality: order.locality,
        channel: channel(order).into(),
        group_id: order.group_id.clone(),
        locale: order.locale,
    }
}

/// The way that an order's channel sells.
fn channel(order: &Order) -> SalesChannelKind {
    if !order.group_id.is_empty() {
        return SalesChannelKind::Group;
    }
    match order.channel() {
        OrderChannel::GroupSites => SalesChannelKind::Group,
        OrderChannel::Hubsites | OrderChannel::LaunchByLs | OrderChannel::LsaPlus | OrderChannel::SubmitApp => {
            SalesChannelKind::Network
        }
        OrderChannel::Corp | OrderChannel::BuyNow | OrderChannel::AddLegalSupplement | OrderChannel::Unspecified => {
            SalesChannelKind::D2c
        }
    }
}

/// Puts the catalogue's prices on an offer, with the area's taxes, and adds up.
fn lines(
    order: &Order,
    offer: &mut OfferOnOrder,
    answer: ValidateSelectionsResponse,
    area: &TaxArea,
    today: Date,
) -> Result<Vec<Problem>> {
    let charged =
        |line: &PricedLine| offer.held_supplement_ids.is_empty() && order.entitlement_id.is_empty() || is_added(offer, line);
    let priced = answer
        .lines
        .iter()
        .filter(|line| charged(line))
        .map(|line| taxed(order, line, area, today))
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
    offer.period = draft::period(BillingPeriod::try_from(offer.billing_period).unwrap_or_default()).into();
    totals::add_up_offer(order, offer)?;
    Ok(Vec::new())
}

/// Whether a line is a supplement that an order of supplements adds.
fn is_added(offer: &OfferOnOrder, line: &PricedLine) -> bool {
    line.r#type() == OfferItemType::Supplement
        && offer.selections.iter().any(|chosen| chosen.supplement_ids.contains(&line.supplement_id))
}

fn taxed(order: &Order, line: &PricedLine, area: &TaxArea, today: Date) -> Result<OrderLine> {
    let currency = order.currency();
    let initial = amount::minor(currency, line.initial_price.as_ref())?;
    let renewal = amount::minor(currency, line.renewal_price.as_ref())?;
    let taxes = if line.taxable {
        calculate::applied(area, currency, initial, calculate::category(&line.family), today)
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
        initial_price: Some(amount::money(currency, initial)),
        renewal_price: Some(amount::money(currency, renewal)),
        billing_period: line.billing_period,
        provision_type: line.provision_type,
        taxable: line.taxable,
        business: line.business,
        max_authorized_users: line.max_authorized_users,
        taxes,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tax::sample;
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
            initial_price: Some(amount::money(Currency::Cad, price)),
            renewal_price: Some(amount::money(Currency::Cad, price + 100)),
            taxable,
            ..PricedLine::default()
        }
    }

    fn answer(lines: Vec<PricedLine>) -> ValidateSelectionsResponse {
        ValidateSelectionsResponse { valid: true, lines, offer_name: "Family".into(), ..ValidateSelectionsResponse::default() }
    }

    #[test]
    fn each_taxable_line_is_taxed_and_rounded_for_itself() {
        let (order, mut offer) = (order(), offer(&["s"]));
        let answer = answer(vec![line("", 2495, true), line("s", 995, false)]);
        assert_eq!(lines(&order, &mut offer, answer, &sample::area(RegionCode::On), TODAY).unwrap(), []);
        let amounts = [&offer.subtotal, &offer.tax, &offer.total, &offer.renewal_total].map(|amount| amount.unwrap().amount);
        assert_eq!(amounts, [3490, 324, 3814, 3690]); // 13 % of 24.95 is 3.2435
        assert!(offer.lines[1].taxes.is_empty());
        assert_eq!((offer.offer_name.as_str(), offer.period()), ("Family", Period::Month));
    }

    #[test]
    fn an_order_of_supplements_charges_what_is_added_and_asks_with_what_is_held() {
        let order = Order { entitlement_id: "e".into(), ..order() };
        let mut offer = OfferOnOrder { held_supplement_ids: vec!["held".into()], ..offer(&["new"]) };
        assert_eq!(question(&order, &offer).selections[0].supplement_ids, ["held", "new"]);
        let answer = answer(vec![line("", 2495, false), line("held", 500, false), line("new", 995, false)]);
        assert_eq!(lines(&order, &mut offer, answer, &sample::area(RegionCode::On), TODAY).unwrap(), []);
        assert_eq!(offer.total.unwrap().amount, 995);
    }

    #[test]
    fn a_price_in_another_currency_is_refused() {
        let order = Order { currency: Currency::Usd.into(), ..order() };
        let refused = lines(&order, &mut offer(&[]), answer(vec![line("", 2495, false)]), &sample::area(RegionCode::On), TODAY);
        assert!(refused.unwrap_err().is(ErrorReason::CurrencyMismatch));
    }

    #[test]
    fn a_supplement_without_a_price_is_a_problem() {
        let problems =
            lines(&order(), &mut offer(&["s"]), answer(vec![line("", 1, false)]), &sample::area(RegionCode::On), TODAY).unwrap();
        let refused = sellable("order.offers", &problems).unwrap_err();
        assert_eq!(refused.violations()[0].field, "order.offers[0].selections");
        assert!(refused.is(ErrorReason::SelectionRefused));
    }

    #[test]
    fn a_group_order_is_sold_through_the_group_whatever_its_channel() {
        assert_eq!(channel(&Order { group_id: "g".into(), ..order() }), SalesChannelKind::Group);
        assert_eq!(channel(&Order { channel: OrderChannel::LsaPlus.into(), ..order() }), SalesChannelKind::Network);
        assert_eq!(channel(&order()), SalesChannelKind::D2c);
    }
}
