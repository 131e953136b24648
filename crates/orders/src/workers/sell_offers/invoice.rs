//! The invoice of an attempt. It has the paid offers only: nobody is billed for an offer that failed.

use pavise_kernel::Result;
use pavise_kernel::common::v1::RegionCode;
use pavise_kernel::worker::Work;

use crate::contract::billing::invoice_service_client::InvoiceServiceClient;
use crate::contract::billing::{
    CreateInvoiceRequest, InvoiceBuyer, InvoiceItem, ItemType, PayInvoiceRequest, ProductType, Recurrence,
};
use crate::contract::v1::*;
use crate::orders::support::charge::is_charged;

/// Raises the invoice of the approved offers and records their payments on it. Answers its id, which is empty when
/// nothing was charged.
///
/// # Errors
/// When billing does not answer or refuses. The entry is tried again.
pub(super) async fn raise_invoice(work: &Work, order: &Order, outcomes: &[OfferSettlement]) -> Result<String> {
    let approved: Vec<(&OfferOnOrder, &OfferSettlement)> = outcomes
        .iter()
        .filter(|outcome| outcome.approved)
        .filter_map(|outcome| {
            order.offers.iter().find(|offer| offer.id == outcome.order_offer_id).map(|offer| (offer, outcome))
        })
        .collect();
    if !approved.iter().any(|(offer, _)| is_charged(order, offer)) {
        return Ok(String::new());
    }
    let mut billing = InvoiceServiceClient::new(work.peer_channel("billing"));
    let request = CreateInvoiceRequest {
        identity_id: order.owner_id.clone(),
        currency: order.currency,
        items: approved.iter().flat_map(|(offer, _)| list_items(offer)).collect(),
        order_id: order.id.clone(),
        buyer: Some(describe_buyer(order)),
        // The sales have paid it already, so it names no payment method.
        ..CreateInvoiceRequest::default()
    };
    let invoice = billing.create_invoice(work.new_request(request, "invoice")).await?.into_inner();
    for (offer, outcome) in approved.into_iter().filter(|(offer, _)| is_charged(order, offer)) {
        let request = PayInvoiceRequest {
            identity_id: order.owner_id.clone(),
            invoice_id: invoice.id.clone(),
            amount: offer.total,
            transaction_id: outcome.transaction_id.clone(),
            ..PayInvoiceRequest::default()
        };
        billing.pay_invoice(work.new_request(request, &format!("pay {}", offer.id))).await?;
    }
    Ok(invoice.id)
}

/// The buyer as the invoice names them: the business of a business plan, else the person.
fn describe_buyer(order: &Order) -> InvoiceBuyer {
    let person = order.personal_info.as_ref().map(|person| format!("{} {}", person.first_name, person.last_name));
    let business = order.business_info.as_ref();
    let name = business.map(|business| business.name.clone()).or(person).unwrap_or_default();
    let plain = |letter: &char| !matches!(*letter, '\0'..='\u{1f}' | '<' | '>');
    InvoiceBuyer {
        name: name.trim().chars().filter(plain).take(200).collect(),
        address: business.and_then(|business| business.address.clone()).or_else(|| order.address.clone()),
        locale: order.locale,
    }
}

/// The lines and taxes of an offer as items.
fn list_items(offer: &OfferOnOrder) -> Vec<InvoiceItem> {
    let lines = offer.lines.iter().map(|line| InvoiceItem {
        r#type: ItemType::Order.into(),
        amount: line.initial_price,
        description: describe_line(line),
        recurrence: recurrence_from(line).into(),
        product_type: if line.r#type() == OrderLineType::Supplement {
            ProductType::Supplement
        } else {
            ProductType::Product
        }
        .into(),
        product_id: line.product_id.clone(),
        tier_id: line.tier_id.clone(),
        supplement_id: line.supplement_id.clone(),
        offer_id: offer.offer_id.clone(),
        ..InvoiceItem::default()
    });
    let taxes = offer.taxes.iter().map(|tax| {
        let region = RegionCode::try_from(tax.locality).unwrap_or_default().spelling();
        let name = format!("{region} {}", tax.component().spelling());
        InvoiceItem {
            r#type: ItemType::Tax.into(),
            amount: tax.amount,
            description: format!("Tax {name}"),
            recurrence: Recurrence::OneTime.into(),
            offer_id: offer.offer_id.clone(),
            tax_name: name,
            tax_rate_ppm: tax.rate_ppm,
            ..InvoiceItem::default()
        }
    });
    lines.chain(taxes).collect()
}

fn describe_line(line: &OrderLine) -> String {
    let name = if line.name.is_empty() { &line.product_id } else { &line.name };
    name.chars().take(200).collect()
}

fn recurrence_from(line: &OrderLine) -> Recurrence {
    if line.renewal_price.is_some_and(|price| price.amount > 0) { Recurrence::Recurring } else { Recurrence::OneTime }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::amount;
    use pavise_kernel::common::v1::Currency;

    #[test]
    fn an_invoice_names_the_business_before_the_person() {
        let person = PersonalInfo { first_name: "Zoë".into(), last_name: "Li".into(), ..PersonalInfo::default() };
        let order = Order { personal_info: Some(person), ..Order::default() };
        assert_eq!(describe_buyer(&order).name, "Zoë Li");
        let business = BusinessInfo { name: "A <b> & Co\u{7}".into(), ..BusinessInfo::default() };
        let order = Order { business_info: Some(business), ..order };
        assert_eq!(describe_buyer(&order).name, "A b & Co");
    }

    #[test]
    fn the_items_of_an_offer_come_to_its_total() {
        let money = |amount| Some(amount::from_minor_units(Currency::Cad, amount));
        let line = |price, renewal| OrderLine {
            initial_price: money(price),
            renewal_price: money(renewal),
            product_id: "p".into(),
            ..OrderLine::default()
        };
        let tax = AppliedTax {
            component: TaxComponent::Hst.into(),
            locality: RegionCode::On.into(),
            rate_ppm: 130_000,
            amount: money(390),
        };
        let offer = OfferOnOrder {
            lines: vec![line(2000, 2000), line(1000, 0)],
            taxes: vec![tax],
            total: money(3390),
            ..OfferOnOrder::default()
        };
        let made = list_items(&offer);
        assert_eq!(made.iter().map(|item| item.amount.unwrap().amount).sum::<i64>(), 3390);
        assert_eq!(
            made.iter().map(|item| item.recurrence()).collect::<Vec<_>>(),
            [Recurrence::Recurring, Recurrence::OneTime, Recurrence::OneTime]
        );
        assert_eq!(made.last().unwrap().tax_name, "ON HST");
        assert!(made.iter().all(|item| !item.description.is_empty()));
    }
}
