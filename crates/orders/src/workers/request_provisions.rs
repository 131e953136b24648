//! `orders.request_provisions`: hands paid offers to fulfillment, one at a time.

use pavise_kernel::common::v1::{JournalEntry, Money, ProvisionType};
use pavise_kernel::worker::{JournalFeed, Work, Worker};
use pavise_kernel::{Result, async_trait};

use super::support::entry::read_moved_order;
use crate::contract::feeds;
use crate::contract::fulfillment::provision_service_client::ProvisionServiceClient;
use crate::contract::fulfillment::{
    CreateProvisionRequest, ProvisionAuthorizedUser, ProvisionBusiness, ProvisionLine, ProvisionSupplement,
};
use crate::contract::v1::*;
use crate::orders::support::charge::is_billed_elsewhere;
use crate::orders::support::people::relation_of;
use crate::shared::amount;

/// The worker.
pub(crate) struct RequestProvisions;

#[async_trait]
impl Worker for RequestProvisions {
    fn name(&self) -> &'static str {
        "orders.request_provisions"
    }

    fn key_name(&self) -> &'static str {
        "orders.fulfillment"
    }

    fn feed(&self) -> JournalFeed {
        feeds::ORDERS
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        let Some(order) = read_moved_order(entry, &[OrderStatus::Funded, OrderStatus::PartiallyFunded])? else {
            return Ok(());
        };
        // The entry of an earlier attempt handed over the offers that were paid in it.
        for offer in order
            .offers
            .iter()
            .filter(|offer| offer.status() == OfferStatusOnOrder::Funded && offer.funded_attempt == order.attempt)
        {
            let request = work.new_request(build_provision(&order, offer)?, &format!("provision {}", offer.id));
            ProvisionServiceClient::new(work.peer_channel("fulfillment")).create_provision(request).await?;
        }
        Ok(())
    }
}

/// The request to set an offer up.
///
/// # Errors
/// `CURRENCY_MISMATCH`, `AMOUNT_TOO_LARGE`: never for an order that was stored.
fn build_provision(order: &Order, offer: &OfferOnOrder) -> Result<CreateProvisionRequest> {
    let lines = if order.entitlement_id.is_empty() {
        let products = offer.lines.iter().filter(|line| line.r#type() == OrderLineType::Product);
        products.map(|line| build_line(order, offer, line, Some(line))).collect::<Result<Vec<_>>>()?
    } else {
        // An order of supplements has one line for all of them.
        offer.lines.first().map(|line| build_line(order, offer, line, None)).transpose()?.into_iter().collect()
    };
    let waits = !lines.is_empty() && lines.iter().all(|line| line.provision_type() == ProvisionType::OnFirstUse);
    let business = order.business_info.as_ref().filter(|_| lines.iter().any(|line| line.business));
    Ok(CreateProvisionRequest {
        identity_id: order.owner_id.clone(),
        order_id: order.id.clone(),
        offer_id: offer.offer_id.clone(),
        order_offer_id: offer.id.clone(),
        brand: offer.brand.clone(),
        lines,
        authorized_users: list_authorized_users(order, offer),
        business: business.map(|business| ProvisionBusiness {
            name: business.name.clone(),
            address: business.address.clone(),
            ..Default::default()
        }),
        provision_type: if waits { ProvisionType::OnFirstUse } else { ProvisionType::Immediate }.into(),
        payment_method_id: order.payment_method_id.clone(),
        group_id: order.group_id.clone(),
        service_area: order.locality,
        market_locale: order.locale,
        billing_period: offer.billing_period,
        co_brand_partner: order.co_brand_partner,
        offer_name: offer.offer_name.chars().take(200).collect(),
        entitlement_id: order.entitlement_id.clone(),
        postal_code: order.address.as_ref().map(|address| address.postal_code.clone()).unwrap_or_default(),
        source: order.source.as_ref().map(|source| source.name.clone()).unwrap_or_default(),
        holder_name: order.personal_info.as_ref().map(full_name).unwrap_or_default(),
        effective_on: order.effective_on,
        division_id: order.division_id.clone(),
    })
}

/// The full name of the buyer.
fn full_name(buyer: &PersonalInfo) -> String {
    format!("{} {}", buyer.first_name, buyer.last_name).trim().to_owned()
}

/// The line of a product with its supplements. `charged` is the line of the product itself, if it is bought.
fn build_line(
    order: &Order,
    offer: &OfferOnOrder,
    line: &OrderLine,
    charged: Option<&OrderLine>,
) -> Result<ProvisionLine> {
    let supplements =
        offer.lines.iter().filter(|one| one.r#type() == OrderLineType::Supplement && one.product_id == line.product_id);
    let renewal: Money =
        amount::sum_of(order.currency(), supplements.clone().chain(charged).map(|one| one.renewal_price.as_ref()))?;
    let billed_elsewhere = is_billed_elsewhere(order);
    let priced = |one: &OrderLine| ProvisionSupplement {
        supplement_id: one.supplement_id.clone(),
        name: one.name.chars().take(200).collect(),
        renewal_price: one.renewal_price.filter(|_| !billed_elsewhere),
    };
    Ok(ProvisionLine {
        product_id: line.product_id.clone(),
        tier_id: line.tier_id.clone(),
        supplement_ids: supplements.clone().map(|one| one.supplement_id.clone()).collect(),
        name: line.name.chars().take(200).collect(),
        family: line.family.clone(),
        provision_type: line.provision_type,
        // A line without a renewal gets no subscription.
        renewal_price: Some(renewal).filter(|renewal| renewal.amount > 0 && !billed_elsewhere),
        billing_period: line.billing_period,
        business: line.business,
        taxable: line.taxable,
        supplements: supplements.map(priced).collect(),
        max_authorized_users: charged.map(|product| product.max_authorized_users),
        covers: charged.map(|product| product.covers.clone()).unwrap_or_default(),
        product_version: line.product_version,
        ..ProvisionLine::default()
    })
}

/// The people whom an offer covers. Business plans cover users of the business, and the others family members.
fn list_authorized_users(order: &Order, offer: &OfferOnOrder) -> Vec<ProvisionAuthorizedUser> {
    let covers =
        |business: bool| offer.lines.iter().any(|line| line.business == business && line.max_authorized_users > 0);
    let people = order.authorized_users.iter().filter(|user| covers(user.r#type() == AuthorizedUserType::NormalUser));
    people
        .map(|user| ProvisionAuthorizedUser {
            relation_type: relation_of(user.r#type()).into(),
            first_name: user.first_name.clone(),
            last_name: user.last_name.clone(),
            email: user.email.clone(),
            birth_date: user.birth_date,
            ..ProvisionAuthorizedUser::default()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pavise_kernel::common::v1::{Currency, RelationType};

    fn line(product: &str, supplement: &str, renewal: i64) -> OrderLine {
        let kind = if supplement.is_empty() { OrderLineType::Product } else { OrderLineType::Supplement };
        OrderLine {
            r#type: kind.into(),
            product_id: product.into(),
            tier_id: "t".into(),
            supplement_id: supplement.into(),
            renewal_price: Some(amount::from_minor_units(Currency::Usd, renewal)),
            max_authorized_users: i32::from(supplement.is_empty()) * 2,
            ..OrderLine::default()
        }
    }

    fn order(lines: Vec<OrderLine>) -> (Order, OfferOnOrder) {
        let offer = OfferOnOrder { id: "a".into(), lines, ..OfferOnOrder::default() };
        (Order { currency: Currency::Usd.into(), owner_id: "m".into(), ..Order::default() }, offer)
    }

    #[test]
    fn supplements_go_with_their_product() {
        let (order, offer) = order(vec![line("p", "", 2000), line("p", "s", 500), line("q", "", 0)]);
        let made = build_provision(&order, &offer).unwrap();
        assert_eq!(made.lines.len(), 2);
        assert_eq!(made.lines[0].supplement_ids, ["s"]);
        assert_eq!(made.lines[0].renewal_price.unwrap().amount, 2500);
        assert_eq!(made.lines[1].renewal_price, None);
    }

    #[test]
    fn an_offer_waits_for_its_first_use_only_when_all_its_lines_do() {
        let waiting = |line: OrderLine| OrderLine { provision_type: ProvisionType::OnFirstUse.into(), ..line };
        let (first, offer) = order(vec![waiting(line("p", "", 1)), line("q", "", 1)]);
        assert_eq!(build_provision(&first, &offer).unwrap().provision_type(), ProvisionType::Immediate);
        let (second, offer) = order(vec![waiting(line("p", "", 1))]);
        assert_eq!(build_provision(&second, &offer).unwrap().provision_type(), ProvisionType::OnFirstUse);
    }

    #[test]
    fn people_go_with_the_plans_that_cover_them() {
        let user = |kind: AuthorizedUserType| AuthorizedUser { r#type: kind.into(), ..AuthorizedUser::default() };
        let (mut order, personal) = order(vec![line("p", "", 1)]);
        order.authorized_users = vec![user(AuthorizedUserType::Spouse), user(AuthorizedUserType::NormalUser)];
        let relations = |offer: &OfferOnOrder| {
            list_authorized_users(&order, offer).iter().map(|user| user.relation_type()).collect::<Vec<_>>()
        };
        assert_eq!(relations(&personal), [RelationType::Spouse]);
        let business =
            OfferOnOrder { lines: vec![OrderLine { business: true, ..line("b", "", 1) }], ..OfferOnOrder::default() };
        assert_eq!(relations(&business), [RelationType::NormalUser]);
    }

    #[test]
    fn an_order_of_supplements_extends_the_plan_by_them_alone() {
        let (order, offer) = order(vec![line("p", "s", 500), line("p", "u", 300)]);
        let made = build_provision(&Order { entitlement_id: "e".into(), ..order }, &offer).unwrap();
        assert_eq!((made.entitlement_id.as_str(), made.lines.len()), ("e", 1));
        assert_eq!(made.lines[0].supplement_ids, ["s", "u"]);
        assert_eq!(made.lines[0].renewal_price.unwrap().amount, 800);
    }
}
