//! The entitlement of each line: a new one, one that comes back, or one that changes.

use pavise_cover::{Person, check_people};
use pavise_kernel::Result;
use pavise_kernel::common::v1::{Date, ProvisionType, RelationType};
use pavise_kernel::peers::PeerChannel;
use pavise_kernel::time::to_days;
use tonic::Request;

use super::run::Run;
use crate::contract::v1::entitlement_service_client::EntitlementServiceClient;
use crate::contract::v1::{
    ActivateEntitlementRequest, AddAuthorizedUsersRequest, AddEntitlementRequest, ChangeProductRequest,
    ChangeServiceAreaRequest, CreateEntitlementRequest, Entitlement, EntitlementPerson, EntitlementStatus,
    EntitlementStatusReason, FulfillEntitlementRequest, FulfillmentStatus, GetEntitlementRequest, Provision,
    ProvisionAuthorizedUser, ProvisionLine, ReinstatementStatus, UpdateSubscriptionIdRequest,
};
use crate::provision::support::plan_change::supplements_since;

type Entitlements = EntitlementServiceClient<PeerChannel>;

/// Makes and records the missing entitlements line by line.
pub(super) async fn add_entitlements(run: &mut Run) -> Result<()> {
    let missing: Vec<_> = run.provision().lines.iter().filter(|line| line.entitlement_id.is_empty()).cloned().collect();
    for line in missing {
        let mut entitlements = EntitlementServiceClient::new(run.peer_channel("fulfillment"));
        let made = match earlier_entitlement(run.provision(), &line) {
            Some(id) => change_entitlement(run, &mut entitlements, &line, id).await?,
            None => create_entitlement(run, &mut entitlements, &line).await?,
        };
        let made = fulfill_entitlement(run, &mut entitlements, &line, made).await?;
        let record = AddEntitlementRequest {
            provision_id: run.provision().id.clone(),
            line_id: line.id.clone(),
            entitlement_id: made.id,
        };
        let request = run.change_request(record, &format!("entitlement/{}/recorded", line.id));
        let provision = run.provisions().add_entitlement(request).await?.into_inner();
        run.set_provision(provision);
    }
    Ok(())
}

/// The entitlement that the line changes or brings back; none where it makes a new one.
fn earlier_entitlement(provision: &Provision, line: &ProvisionLine) -> Option<String> {
    if let Some(change) = &provision.plan_change {
        return Some(change.entitlement_id.clone());
    }
    let reinstated = provision
        .reinstatement
        .as_ref()
        .filter(|one| one.status() == ReinstatementStatus::Reinstated && one.line_id == line.id);
    reinstated.map(|one| one.entitlement_id.clone())
}

async fn create_entitlement(run: &Run, entitlements: &mut Entitlements, line: &ProvisionLine) -> Result<Entitlement> {
    let provision = run.provision();
    let wanted = CreateEntitlementRequest {
        identity_id: provision.owner_id.clone(),
        product_id: line.product_id.clone(),
        tier_id: line.tier_id.clone(),
        supplement_ids: line.supplement_ids.clone(),
        name: line.name.clone(),
        family: line.family.clone(),
        subscription_id: subscription_of(provision, line),
        provision_id: provision.id.clone(),
        order_id: provision.order_id.clone(),
        offer_id: provision.offer_id.clone(),
        authorized_users: people_of(provision, line, first_day(run)),
        product_version: line.product_version,
        provisioning_type: line.provision_type,
        service_area: provision.service_area,
        market_locale: provision.market_locale,
        co_brand_partner: provision.co_brand_partner,
        group_id: provision.group_id.clone(),
        business: line.business,
        holder_name: provision.holder_name.clone(),
        effective_on: provision.effective_on,
        ..Default::default()
    };
    Ok(entitlements
        .create_entitlement(run.new_request(wanted, &format!("entitlement/{}", line.id)))
        .await?
        .into_inner())
}

/// Changes an earlier entitlement to the state of the line. Each call is left out where it would change nothing.
async fn change_entitlement(
    run: &Run,
    entitlements: &mut Entitlements,
    line: &ProvisionLine,
    entitlement_id: String,
) -> Result<Entitlement> {
    let (provision, step) = (run.provision(), |what: &str| format!("entitlement/{}/{what}", line.id));
    let identity_id = provision.owner_id.clone();
    let asked = GetEntitlementRequest { identity_id: identity_id.clone(), entitlement_id: entitlement_id.clone() };
    let mut entitlement = entitlements.get_entitlement(Request::new(asked)).await?.into_inner();
    if entitlement.status() == EntitlementStatus::Cancelled && provision.plan_change.is_none() {
        let wanted = ActivateEntitlementRequest {
            identity_id: identity_id.clone(),
            entitlement_id: entitlement_id.clone(),
            reason: EntitlementStatusReason::Reinstate.into(),
        };
        entitlement =
            entitlements.activate_entitlement(run.new_request(wanted, &step("reinstated"))).await?.into_inner();
    }
    // The plan comes back where the holder is now.
    let is_reinstated = provision.plan_change.is_none();
    if is_reinstated && provision.service_area != 0 && entitlement.service_area != provision.service_area {
        let wanted = ChangeServiceAreaRequest {
            identity_id: identity_id.clone(),
            entitlement_id: entitlement_id.clone(),
            service_area: provision.service_area,
        };
        entitlement = entitlements.change_service_area(run.new_request(wanted, &step("area"))).await?.into_inner();
    }
    let wanted = wanted_product(provision, line, &entitlement);
    if is_another(&entitlement, &wanted) {
        entitlement = entitlements.change_product(run.new_request(wanted, &step("product"))).await?.into_inner();
    }
    let subscription_id = subscription_of(provision, line);
    if !subscription_id.is_empty() && entitlement.subscription_id != subscription_id {
        let wanted = UpdateSubscriptionIdRequest { entitlement_id: entitlement_id.clone(), subscription_id };
        entitlement =
            entitlements.update_subscription_id(run.new_request(wanted, &step("subscription"))).await?.into_inner();
    }
    let known = |person: &EntitlementPerson| {
        entitlement
            .authorized_users
            .iter()
            .any(|one| (&one.id, one.permission_type) == (&person.id, person.permission_type))
    };
    let new: Vec<_> = people_of(provision, line, first_day(run)).into_iter().filter(|person| !known(person)).collect();
    if !new.is_empty() {
        let wanted =
            AddAuthorizedUsersRequest { identity_id, entitlement_id, authorized_users: new, ..Default::default() };
        entitlement = entitlements.add_authorized_users(run.new_request(wanted, &step("people"))).await?.into_inner();
    }
    Ok(entitlement)
}

/// The product, tier, supplements and version afterwards. An extension leaves the version of the plan; another change and
/// a plan that comes back are in the version of the line.
fn wanted_product(provision: &Provision, line: &ProvisionLine, entitlement: &Entitlement) -> ChangeProductRequest {
    let extends = provision.plan_change.as_ref().is_some_and(|change| change.extends);
    let (tier_id, supplement_ids) = changed_plan(provision, line, entitlement);
    ChangeProductRequest {
        identity_id: provision.owner_id.clone(),
        entitlement_id: entitlement.id.clone(),
        product_id: line.product_id.clone(),
        tier_id,
        supplement_ids,
        name: if extends { String::new() } else { line.name.clone() },
        family: line.family.clone(),
        product_version: if extends { Some(entitlement.product_version) } else { line.product_version },
        ..Default::default()
    }
}

/// Whether the request asks for another plan or version than the entitlement has.
fn is_another(entitlement: &Entitlement, wanted: &ChangeProductRequest) -> bool {
    let version = wanted.product_version.unwrap_or(entitlement.product_version);
    (&entitlement.product_id, &entitlement.tier_id, &entitlement.supplement_ids, entitlement.product_version)
        != (&wanted.product_id, &wanted.tier_id, &wanted.supplement_ids, version)
}

/// The tier and the supplements afterwards. An extension keeps the ones of the plan and adds its own. Another change keeps
/// the supplements that were bought since it was requested.
fn changed_plan(provision: &Provision, line: &ProvisionLine, entitlement: &Entitlement) -> (String, Vec<String>) {
    let (tier_id, mut supplement_ids, more): (_, _, Vec<_>) = match &provision.plan_change {
        None => (&line.tier_id, line.supplement_ids.clone(), Vec::new()),
        Some(change) if change.extends => {
            (&entitlement.tier_id, entitlement.supplement_ids.clone(), line.supplement_ids.iter().collect())
        }
        Some(change) => (&line.tier_id, line.supplement_ids.clone(), supplements_since(change, entitlement).collect()),
    };
    let missing: Vec<_> = more.into_iter().filter(|id| !supplement_ids.contains(id)).cloned().collect();
    supplement_ids.extend(missing);
    (tier_id.clone(), supplement_ids)
}

/// Fulfills the entitlement, unless it waits for its first use.
async fn fulfill_entitlement(
    run: &Run,
    entitlements: &mut Entitlements,
    line: &ProvisionLine,
    entitlement: Entitlement,
) -> Result<Entitlement> {
    let due = match entitlement.fulfillment_status() {
        FulfillmentStatus::PendingCreate => entitlement.provisioning_type() != ProvisionType::OnFirstUse,
        FulfillmentStatus::PendingChange => true,
        FulfillmentStatus::Unspecified | FulfillmentStatus::Fulfilled | FulfillmentStatus::NotFulfilled => false,
    };
    if !due {
        return Ok(entitlement);
    }
    let wanted = FulfillEntitlementRequest {
        identity_id: entitlement.owner_id.clone(),
        entitlement_id: entitlement.id.clone(),
        fulfillment_status: FulfillmentStatus::Fulfilled.into(),
    };
    Ok(entitlements
        .fulfill_entitlement(run.new_request(wanted, &format!("entitlement/{}/fulfilled", line.id)))
        .await?
        .into_inner())
}

/// The subscription that pays for a line; empty for a line that does not renew.
fn subscription_of(provision: &Provision, line: &ProvisionLine) -> String {
    if line.is_recurring() { provision.subscription_id.clone() } else { String::new() }
}

/// The day on which the plans begin: the ages of the people count then.
fn first_day(run: &Run) -> Date {
    let today = run.today();
    run.provision().effective_on.filter(|day| to_days(*day) > to_days(today)).unwrap_or(today)
}

/// The people whom a line covers. A business plan covers users of the business, other plans cover family members. A line
/// covers the relations and ages of its tier, and no more people than it has room for.
fn people_of(provision: &Provision, line: &ProvisionLine, today: Date) -> Vec<EntitlementPerson> {
    let most = line.max_authorized_users.map_or(usize::MAX, |most| usize::try_from(most).unwrap_or_default());
    let is_meant = |user: &&ProvisionAuthorizedUser| {
        let of_business = user.relation_type() == RelationType::NormalUser;
        line.business == of_business || provision.lines.iter().all(|line| line.business != of_business)
    };
    let meant: Vec<_> = provision.authorized_users.iter().filter(is_meant).collect();
    let person = |user: &&ProvisionAuthorizedUser| Person {
        relation: user.relation_type(),
        birth_date: user.birth_date,
        stays: false,
    };
    let checked = check_people(&line.covers, &meant.iter().map(person).collect::<Vec<_>>(), today);
    let covered = meant.into_iter().zip(checked).filter(|(_, uncovered)| uncovered.is_none());
    let person = |(user, _): (&ProvisionAuthorizedUser, _)| EntitlementPerson {
        id: user.identity_id.clone(),
        permission_type: user.relation_type,
        name: format!("{} {}", user.first_name, user.last_name).trim().chars().take(200).collect(),
        birth_date: user.birth_date,
        added_on: None,
    };
    covered.take(most).map(person).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::PlanChange;
    use pavise_kernel::common::v1::CoveredRelation;

    fn ids(ids: &[&str]) -> Vec<String> {
        ids.iter().map(|id| (*id).to_owned()).collect()
    }

    #[test]
    fn an_extension_keeps_the_tier_and_another_change_what_was_bought_since() {
        let line =
            ProvisionLine { tier_id: "single".to_owned(), supplement_ids: ids(&["b", "c"]), ..Default::default() };
        let entitlement =
            Entitlement { tier_id: "family".to_owned(), supplement_ids: ids(&["a", "b"]), ..Default::default() };
        let change = |extends, had: &[&str]| {
            let plan_change = PlanChange { extends, from_supplement_ids: ids(had), ..Default::default() };
            Provision { plan_change: Some(plan_change), ..Default::default() }
        };
        assert_eq!(
            changed_plan(&change(true, &["a", "b"]), &line, &entitlement),
            ("family".to_owned(), ids(&["a", "b", "c"]))
        );
        assert_eq!(
            changed_plan(&change(false, &["a", "b"]), &line, &entitlement),
            ("single".to_owned(), ids(&["b", "c"]))
        );
        let bought_since = changed_plan(&change(false, &["b"]), &line, &entitlement);
        assert_eq!(bought_since, ("single".to_owned(), ids(&["b", "c", "a"])));
    }

    #[test]
    fn a_line_covers_the_relations_and_ages_of_its_tier() {
        let today = Date { year: 2026, month: 3, day: 2 };
        let rule = |kind: RelationType, until_age| CoveredRelation { r#type: kind.into(), most: 1, until_age };
        let user = |id: &str, kind: RelationType, born: i32| ProvisionAuthorizedUser {
            identity_id: id.to_owned(),
            relation_type: kind.into(),
            birth_date: Some(Date { year: born, ..today }),
            ..Default::default()
        };
        let authorized_users = vec![
            user("grown", RelationType::Dependent, 1990),
            user("child", RelationType::Dependent, 2015),
            user("spouse", RelationType::Spouse, 1980),
        ];
        let provision = Provision { authorized_users, ..Default::default() };
        let covered = |covers: Vec<CoveredRelation>| {
            let line = ProvisionLine { covers, ..Default::default() };
            people_of(&provision, &line, today).into_iter().map(|person| person.id).collect::<Vec<_>>()
        };
        assert_eq!(covered(vec![rule(RelationType::Spouse, 0)]), ["spouse"]);
        assert_eq!(
            covered(vec![rule(RelationType::Spouse, 0), rule(RelationType::Dependent, 26)]),
            ["child", "spouse"]
        );
        assert_eq!(covered(Vec::new()), ["grown", "child", "spouse"]);
        let line = ProvisionLine { max_authorized_users: Some(1), ..Default::default() };
        let born = people_of(&provision, &line, today)[0].birth_date;
        assert_eq!(born, Some(Date { year: 1990, ..today }), "the day of birth reaches the plan");
    }

    #[test]
    fn only_a_reinstated_line_brings_its_entitlement_back() {
        let found = crate::contract::v1::Reinstatement {
            entitlement_id: "old".to_owned(),
            line_id: "1".to_owned(),
            ..Default::default()
        };
        let line = |id: &str| ProvisionLine { id: id.to_owned(), ..Default::default() };
        for (status, expected) in [
            (ReinstatementStatus::Pending, None),
            (ReinstatementStatus::Reinstated, Some("old".to_owned())),
            (ReinstatementStatus::Ignored, None),
            (ReinstatementStatus::Suspended, None),
        ] {
            let reinstatement = crate::contract::v1::Reinstatement { status: status.into(), ..found.clone() };
            let provision = Provision { reinstatement: Some(reinstatement), ..Default::default() };
            assert_eq!(earlier_entitlement(&provision, &line("1")), expected);
            assert_eq!(earlier_entitlement(&provision, &line("2")), None);
        }
    }
}
