//! Makes a provision of a funded offer.

use std::collections::BTreeSet;

use pavise_kernel::common::v1::{Date, ProvisionType};
use pavise_kernel::time::is_real;
use pavise_kernel::{Call, Error, Result};

use super::support::lines::{billing_period_of, number_lines};
use super::support::plan_change::{load_plan, plan_change_of};
use crate::contract::v1::{CreateProvisionRequest, PlanChange, Provision, ProvisionAuthorizedUser};

/// Makes a provision with numbered lines and people.
pub(crate) async fn create_provision(call: &Call, request: CreateProvisionRequest) -> Result<Provision> {
    check_billable(&request)?;
    let plan_change =
        if request.entitlement_id.is_empty() { None } else { Some(build_extension(call, &request).await?) };
    let lines = number_lines(request.lines);
    let authorized_users = number_users(call.owner(), request.authorized_users)?;
    let provision_type = match ProvisionType::try_from(request.provision_type) {
        Ok(ProvisionType::OnFirstUse) => ProvisionType::OnFirstUse,
        _ => ProvisionType::Immediate,
    };
    let billing_period =
        if request.billing_period == 0 { billing_period_of(&lines).into() } else { request.billing_period };
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
        effective_on: check_first_day(request.effective_on)?,
        division_id: request.division_id,
        plan_change,
        ..Default::default()
    })
    .await
}

/// Checks the first day of the plans.
fn check_first_day(day: Option<Date>) -> Result<Option<Date>> {
    if day.is_some_and(|day| !is_real(day)) {
        return Err(Error::field("effective_on", "is not a day of the calendar"));
    }
    Ok(day)
}

/// Checks that one subscription can bill all lines that renew: they have one offer, one period and one currency.
fn check_billable(request: &CreateProvisionRequest) -> Result<()> {
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

/// Makes the plan change of an offer that adds supplements to an entitlement of the buyer.
async fn build_extension(call: &Call, request: &CreateProvisionRequest) -> Result<PlanChange> {
    let entitlement = load_plan(call, &request.entitlement_id).await?;
    let [line] = request.lines.as_slice() else {
        return Err(Error::field("lines", "an entitlement is extended by one line"));
    };
    if line.product_id != entitlement.product_id {
        return Err(Error::field("lines[0].product_id", "is not the product of the entitlement"));
    }
    if line.supplement_ids.is_empty() {
        return Err(Error::field("lines[0].supplement_ids", "name the supplements that are added"));
    }
    Ok(PlanChange { extends: true, ..plan_change_of(entitlement) })
}

/// Numbers the people. Refuses a person who is named twice, and the buyer among them.
fn number_users(buyer: &str, users: Vec<ProvisionAuthorizedUser>) -> Result<Vec<ProvisionAuthorizedUser>> {
    let (mut emails, mut identities) = (BTreeSet::new(), BTreeSet::from([buyer.to_owned()]));
    let mut numbered = Vec::with_capacity(users.len());
    for (at, user) in users.into_iter().enumerate() {
        if !user.email.is_empty() && !emails.insert(user.email.to_lowercase()) {
            return Err(Error::field(
                format!("authorized_users[{at}].email"),
                "another authorized user has the same address",
            ));
        }
        if !user.identity_id.is_empty() && !identities.insert(user.identity_id.clone()) {
            return Err(Error::field(
                format!("authorized_users[{at}].identity_id"),
                "is the buyer or another authorized user",
            ));
        }
        numbered.push(ProvisionAuthorizedUser { id: (at + 1).to_string(), ..user });
    }
    Ok(numbered)
}

#[cfg(test)]
mod tests {
    use pavise_kernel::common::v1::{BillingPeriod, Currency, Money};

    use super::*;
    use crate::contract::v1::ProvisionLine;

    fn user(email: &str, identity: &str) -> ProvisionAuthorizedUser {
        ProvisionAuthorizedUser { email: email.to_owned(), identity_id: identity.to_owned(), ..Default::default() }
    }

    #[test]
    fn people_are_numbered_and_nobody_is_named_twice() {
        let users = number_users("buyer", vec![user("a@x.org", ""), user("", ""), user("", "spouse")]).unwrap();
        assert_eq!(users.iter().map(|user| user.id.as_str()).collect::<Vec<_>>(), ["1", "2", "3"]);
        let twice = number_users("buyer", vec![user("a@x.org", ""), user("A@X.org", "")]).unwrap_err();
        assert_eq!(twice.violations()[0].field, "authorized_users[1].email");
        let buyer = number_users("buyer", vec![user("", "buyer")]).unwrap_err();
        assert_eq!(buyer.violations()[0].field, "authorized_users[0].identity_id");
    }

    #[test]
    fn lines_that_renew_are_billed_on_one_invoice() {
        let price = |currency: Currency| Some(Money { currency: currency.into(), amount: 2995 });
        let line = |period: BillingPeriod, currency| ProvisionLine {
            billing_period: period.into(),
            renewal_price: price(currency),
            ..Default::default()
        };
        let request = |lines| CreateProvisionRequest { offer_id: "offer".to_owned(), lines, ..Default::default() };
        let monthly = line(BillingPeriod::Monthly, Currency::Usd);
        check_billable(&request(vec![monthly.clone(), line(BillingPeriod::OneTime, Currency::Cad), monthly.clone()]))
            .unwrap();
        let field =
            |request: CreateProvisionRequest| check_billable(&request).unwrap_err().violations()[0].field.clone();
        assert_eq!(
            field(request(vec![monthly.clone(), line(BillingPeriod::Annual, Currency::Usd)])),
            "lines[1].billing_period"
        );
        assert_eq!(
            field(request(vec![monthly.clone(), line(BillingPeriod::Monthly, Currency::Cad)])),
            "lines[1].renewal_price.currency"
        );
        assert_eq!(field(CreateProvisionRequest { lines: vec![monthly], ..Default::default() }), "offer_id");
    }
}
