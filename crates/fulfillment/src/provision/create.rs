//! A funded offer is accepted.

use std::collections::BTreeSet;

use pavise_kernel::common::v1::{BillingPeriod, ProvisionType};
use pavise_kernel::{Call, Error, Result};

use super::plan_change;
use crate::contract::v1::{CreateProvisionRequest, PlanChange, Provision, ProvisionAuthorizedUser, ProvisionLine};

/// Accepts the offer with its lines and people numbered.
pub(super) async fn create(call: &Call, request: CreateProvisionRequest) -> Result<Provision> {
    billable(&request)?;
    let plan_change = if request.entitlement_id.is_empty() { None } else { Some(extension(call, &request).await?) };
    let lines = numbered_lines(request.lines);
    let authorized_users = numbered_users(call.owner(), request.authorized_users)?;
    let provision_type = match ProvisionType::try_from(request.provision_type) {
        Ok(ProvisionType::OnFirstUse) => ProvisionType::OnFirstUse,
        _ => ProvisionType::Immediate,
    };
    let billing_period = if request.billing_period == 0 { of_lines(&lines).into() } else { request.billing_period };
    call.create(Provision {
        owner_id: call.owner().to_owned(),
        order_id: request.order_id,
        offer_id: request.offer_id,
        order_offer_id: request.order_offer_id,
        brand: request.brand,
        lines,
        authorized_users,
        business: request.business,
        provision_type: provision_type.into(),
        payment_method_id: request.payment_method_id,
        group_id: request.group_id,
        service_area: request.service_area,
        market_locale: request.market_locale,
        billing_period,
        co_brand_partner: request.co_brand_partner,
        offer_name: request.offer_name,
        postal_code: request.postal_code,
        source: request.source,
        holder_name: request.holder_name,
        plan_change,
        ..Default::default()
    })
    .await
}

/// One subscription can bill all lines that renew: one offer, one period, one currency.
fn billable(request: &CreateProvisionRequest) -> Result<()> {
    let mut renewing = request.lines.iter().enumerate().filter(|(_, line)| line.is_recurring());
    let Some((_, first)) = renewing.next() else { return Ok(()) };
    if request.offer_id.is_empty() {
        return Err(Error::field("offer_id", "what renews belongs to an offer"));
    }
    for (at, line) in renewing {
        if line.billing_period != first.billing_period {
            return Err(Error::field(format!("lines[{at}].billing_period"), "all lines that renew do so together"));
        }
        if line.renewal_price.map(|price| price.currency) != first.renewal_price.map(|price| price.currency) {
            return Err(Error::field(format!("lines[{at}].renewal_price.currency"), "all lines are in one currency"));
        }
    }
    Ok(())
}

/// Supplements of one line are added to an entitlement of the buyer's.
async fn extension(call: &Call, request: &CreateProvisionRequest) -> Result<PlanChange> {
    let entitlement = plan_change::entitlement(call, &request.entitlement_id).await?;
    let [line] = request.lines.as_slice() else { return Err(Error::field("lines", "an entitlement is extended by one line")) };
    if line.product_id != entitlement.product_id {
        return Err(Error::field("lines[0].product_id", "is not the product of the entitlement"));
    }
    if line.supplement_ids.is_empty() {
        return Err(Error::field("lines[0].supplement_ids", "name the supplements that are added"));
    }
    Ok(PlanChange { extends: true, ..plan_change::from(entitlement) })
}

/// The lines with their ids; what only the service sets is cleared.
pub(super) fn numbered_lines(lines: Vec<ProvisionLine>) -> Vec<ProvisionLine> {
    let number = |(at, line): (usize, ProvisionLine)| {
        let provision_type = if line.provision_type == 0 { ProvisionType::Immediate.into() } else { line.provision_type };
        ProvisionLine { id: (at + 1).to_string(), provision_type, entitlement_id: String::new(), ..line }
    };
    lines.into_iter().enumerate().map(number).collect()
}

/// The people with their ids. Nobody is named twice, and the buyer is not among them.
fn numbered_users(buyer: &str, users: Vec<ProvisionAuthorizedUser>) -> Result<Vec<ProvisionAuthorizedUser>> {
    let (mut emails, mut identities) = (BTreeSet::new(), BTreeSet::from([buyer.to_owned()]));
    let mut numbered = Vec::with_capacity(users.len());
    for (at, user) in users.into_iter().enumerate() {
        if !user.email.is_empty() && !emails.insert(user.email.to_lowercase()) {
            return Err(Error::field(format!("authorized_users[{at}].email"), "another authorized user has the same address"));
        }
        if !user.identity_id.is_empty() && !identities.insert(user.identity_id.clone()) {
            return Err(Error::field(format!("authorized_users[{at}].identity_id"), "is the buyer or another authorized user"));
        }
        numbered.push(ProvisionAuthorizedUser { id: (at + 1).to_string(), ..user });
    }
    Ok(numbered)
}

/// How often the lines renew, as the first that does.
pub(super) fn of_lines(lines: &[ProvisionLine]) -> BillingPeriod {
    lines.iter().find(|line| line.is_recurring()).map_or(BillingPeriod::OneTime, ProvisionLine::billing_period)
}

#[cfg(test)]
mod tests {
    use pavise_kernel::common::v1::{Currency, Money};

    use super::*;

    fn user(email: &str, identity: &str) -> ProvisionAuthorizedUser {
        ProvisionAuthorizedUser { email: email.to_owned(), identity_id: identity.to_owned(), ..Default::default() }
    }

    #[test]
    fn people_are_numbered_and_nobody_is_named_twice() {
        let users = numbered_users("buyer", vec![user("a@x.org", ""), user("", ""), user("", "spouse")]).unwrap();
        assert_eq!(users.iter().map(|user| user.id.as_str()).collect::<Vec<_>>(), ["1", "2", "3"]);
        let twice = numbered_users("buyer", vec![user("a@x.org", ""), user("A@X.org", "")]).unwrap_err();
        assert_eq!(twice.violations()[0].field, "authorized_users[1].email");
        let buyer = numbered_users("buyer", vec![user("", "buyer")]).unwrap_err();
        assert_eq!(buyer.violations()[0].field, "authorized_users[0].identity_id");
    }

    #[test]
    fn what_renews_together_is_billed_together() {
        let price = |currency: Currency| Some(Money { currency: currency.into(), amount: 2995 });
        let line = |period: BillingPeriod, currency| ProvisionLine {
            billing_period: period.into(),
            renewal_price: price(currency),
            ..Default::default()
        };
        let request = |lines| CreateProvisionRequest { offer_id: "offer".to_owned(), lines, ..Default::default() };
        let monthly = line(BillingPeriod::Monthly, Currency::Usd);
        billable(&request(vec![monthly.clone(), line(BillingPeriod::OneTime, Currency::Cad), monthly.clone()])).unwrap();
        let field = |request: CreateProvisionRequest| billable(&request).unwrap_err().violations()[0].field.clone();
        assert_eq!(field(request(vec![monthly.clone(), line(BillingPeriod::Annual, Currency::Usd)])), "lines[1].billing_period");
        assert_eq!(
            field(request(vec![monthly.clone(), line(BillingPeriod::Monthly, Currency::Cad)])),
            "lines[1].renewal_price.currency"
        );
        assert_eq!(field(CreateProvisionRequest { lines: vec![monthly], ..Default::default() }), "offer_id");
    }

    #[test]
    fn a_caller_does_not_say_which_entitlement_a_line_has() {
        let given = ProvisionLine { id: "9".to_owned(), entitlement_id: "mine".to_owned(), ..Default::default() };
        let lines = numbered_lines(vec![given]);
        assert_eq!((lines[0].id.as_str(), lines[0].entitlement_id.as_str()), ("1", ""));
        assert_eq!(lines[0].provision_type(), ProvisionType::Immediate);
    }
}
