//! Tests of the rules of groups.

use super::*;
use crate::contract::v1::*;

const AT: Timestamp = Timestamp { seconds: 1_800_000_000, nanos: 0 };

fn field(group: &Group) -> Option<String> {
    group.check().err().map(|error| error.violations()[0].field.clone())
}

fn day(month: i32, day: i32) -> Option<Date> {
    Some(Date { year: 2026, month, day })
}

fn agent(split_percent: i32, starts_on: Option<Date>, ends_on: Option<Date>) -> GroupAssociate {
    let role = AssociateRole::WritingAgent.into();
    GroupAssociate { role, split_percent, starts_on, ends_on, ..GroupAssociate::default() }
}

#[test]
fn the_splits_of_writing_agents_make_a_hundred_on_each_day() {
    let refused = |associates: &[GroupAssociate]| check_splits(associates).err().map(|error| error.to_string());
    let (all_year, first_half, second_half) = ((day(1, 1), None), (day(1, 1), day(6, 30)), (day(7, 1), None));
    assert_eq!(refused(&[]), None);
    assert_eq!(refused(&[agent(60, all_year.0, all_year.1), agent(40, all_year.0, all_year.1)]), None);
    let handed_over = [
        agent(60, all_year.0, all_year.1),
        agent(40, first_half.0, first_half.1),
        agent(40, second_half.0, second_half.1),
    ];
    assert_eq!(refused(&handed_over), None);
    let short = refused(&[agent(60, all_year.0, all_year.1), agent(39, all_year.0, all_year.1)]);
    assert!(short.is_some_and(|why| why.contains("99 %")));
    let left = refused(&handed_over[..2]);
    assert!(left.is_some_and(|why| why.contains("60 % on 2026-07-01")), "one agent left and nobody followed");
    let trainer = GroupAssociate { role: AssociateRole::FieldTrainer.into(), ..agent(10, day(1, 1), None) };
    assert!(check_splits(&[trainer]).is_err_and(|error| error.violations()[0].field == "associates[0].split_percent"));
}

#[test]
fn none_goes_with_none_only() {
    let of = |model, payout, strategy| {
        let (mut commission, none) = (GroupCommission::default(), GroupCommission::default());
        assert_eq!(commission, none);
        commission.set_model(model);
        commission.set_payout(payout);
        commission.set_strategy(strategy);
        check_commission(Some(&commission)).is_ok()
    };
    use {CommissionModel as M, CommissionPayout as P, CommissionStrategy as S};
    assert!(of(M::None, P::None, S::None) && of(M::Standard, P::Advance, S::Level));
    assert!(!of(M::None, P::Advance, S::Level) && !of(M::None, P::None, S::Level));
    assert!(!of(M::Standard, P::None, S::Level) && !of(M::Over200, P::AsEarned, S::None));
}

#[test]
fn what_a_group_names_is_there_once_and_in_its_country() {
    let division = |id: &str, name: &str| GroupDivision { id: id.into(), name: name.into(), code: String::new() };
    let divisions = vec![division("w", "West"), division("e", "East")];
    let group = Group { divisions, country_identifier: CountryCode::Usa.into(), ..Group::default() };
    assert_eq!(field(&group), None);
    let twice = Group { divisions: vec![division("w", "West"), division("x", "west")], ..group.clone() };
    assert_eq!(field(&twice).unwrap(), "divisions[1].name");
    let person = |identity: &str, at: &str| AuthorizedIdentity {
        identity_id: identity.into(),
        division_ids: vec![at.into()],
        ..AuthorizedIdentity::default()
    };
    let of = |people: Vec<AuthorizedIdentity>| Group { authorized_identities: people, ..group.clone() };
    assert_eq!(field(&of(vec![person("ann", "w"), person("ben", "w")])), None);
    assert_eq!(
        field(&of(vec![person("ann", "w"), person("ann", "e")])).unwrap(),
        "authorized_identities[1].identity_id"
    );
    assert_eq!(field(&of(vec![person("ann", "north")])).unwrap(), "authorized_identities[0].division_ids");
    assert_eq!(field(&of(vec![person("", "w")])).unwrap(), "authorized_identities[0].identity_id");
    let address = pavise_kernel::common::v1::Address { country: CountryCode::Can.into(), ..Default::default() };
    let address = GroupAddress { r#type: AddressType::Billing.into(), address: Some(address) };
    let abroad = Group { addresses: vec![address], ..group.clone() };
    assert_eq!(field(&abroad).unwrap(), "addresses[0].address.country");
}

#[test]
fn an_active_group_is_complete() {
    let mut group = Group { effective_date: day(3, 1), offer_ids: vec!["offer".into()], ..Group::default() };
    group.set_status(GroupStatus::Active);
    group.set_pay_type(PayType::Payroll);
    let missing = group.check().unwrap_err();
    let fields: Vec<&str> = missing.violations().iter().map(|one| one.field.as_str()).collect();
    assert_eq!((missing.reason(), fields), ("GROUP_INCOMPLETE", vec!["contacts", "pay_periods"]));
    let contact = GroupContact { r#type: ContactType::Primary.into(), ..GroupContact::default() };
    group.contacts = vec![contact.clone()];
    group.set_pay_type(PayType::SelfPay);
    assert_eq!(field(&group), None);
    group.contacts.push(contact);
    assert_eq!(field(&group).unwrap(), "contacts[1].type");
}

#[test]
fn only_an_employer_who_pays_has_shares() {
    let share = |percent: i32, amount: Option<i64>| EmployerShare {
        percent,
        amount: amount.map(|amount| pavise_kernel::common::v1::Money { amount, ..Default::default() }),
        ..EmployerShare::default()
    };
    let of = |kind: PayType, employer_shares: Vec<EmployerShare>| {
        field(&Group { pay_type: kind.into(), employer_shares, ..Group::default() })
    };
    assert_eq!(of(PayType::PartialFringe, vec![share(50, None)]), None);
    assert_eq!(of(PayType::Fringe, Vec::new()), None);
    assert_eq!(of(PayType::PartialFringe, Vec::new()).unwrap(), "employer_shares");
    assert_eq!(of(PayType::Payroll, vec![share(50, None)]).unwrap(), "employer_shares");
    assert_eq!(of(PayType::Fringe, vec![share(50, Some(100))]).unwrap(), "employer_shares[0].percent");
    assert_eq!(of(PayType::Fringe, vec![share(0, None)]).unwrap(), "employer_shares[0].percent");
    let twice = vec![share(50, None), share(0, Some(100))];
    assert_eq!(of(PayType::Fringe, twice).unwrap(), "employer_shares[1].tier_id");
}

#[test]
fn somebody_whose_role_is_gone_is_noted_until_they_have_one_again() {
    let person = |identity: &str| AuthorizedIdentity { identity_id: identity.into(), ..AuthorizedIdentity::default() };
    let of = |people: &[&str]| Group {
        id: "acme".into(),
        authorized_identities: people.iter().map(|one| person(one)).collect(),
        ..Group::default()
    };
    let before = of(&["ann", "ben"]);
    let mut after = of(&["ben"]);
    after.derive(Some(&before), &AT).unwrap();
    assert_eq!((after.group_id.as_str(), &after.former_identity_ids[..]), ("acme", &["ann".to_owned()][..]));
    let mut again = Group { former_identity_ids: after.former_identity_ids.clone(), ..of(&["ann", "ben"]) };
    again.derive(Some(&after), &AT).unwrap();
    assert!(again.former_identity_ids.is_empty());
    let future = Some(Date { year: 2090, month: 1, day: 1 });
    let early = Group { original_creation_date: future, ..of(&[]) }.derive(None, &AT);
    assert_eq!(early.unwrap_err().violations()[0].field, "original_creation_date");
}
