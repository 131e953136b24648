use std::collections::BTreeSet;

use pavise_kernel::Aggregate as _;
use proptest::prelude::*;

use super::*;
use crate::contract::{METHODS, PROVISION_TABLE, provision_calls};

const RUNNING: [&str; 6] = [
    "STARTED",
    "IN_PROGRESS",
    "IDENTITIES_ADDED",
    "CLASSIC_MAPS_ADDED",
    "SUBSCRIPTION_AND_ENTITLEMENT_ADDED",
    "BUSINESS_ADDED",
];

/// Every move of the lifecycle in the specification.
fn declared() -> BTreeSet<(&'static str, &'static str)> {
    let mut moves = BTreeSet::from([
        // From a funded order to the end.
        ("CREATED", "STARTED"),
        ("STARTED", "IN_PROGRESS"),
        ("IN_PROGRESS", "IDENTITIES_ADDED"),
        ("IDENTITIES_ADDED", "CLASSIC_MAPS_ADDED"),
        ("CLASSIC_MAPS_ADDED", "SUBSCRIPTION_AND_ENTITLEMENT_ADDED"),
        ("SUBSCRIPTION_AND_ENTITLEMENT_ADDED", "BUSINESS_ADDED"),
        ("SUBSCRIPTION_AND_ENTITLEMENT_ADDED", "COMPLETED"),
        ("BUSINESS_ADDED", "COMPLETED"),
        // The first use and another try.
        ("CREATED", "PROCESS"),
        ("FAILED", "PROCESS"),
        // An earlier membership.
        ("CREATED", "POTENTIAL_REINSTATEMENT"),
        ("STARTED", "POTENTIAL_REINSTATEMENT"),
        ("POTENTIAL_REINSTATEMENT", "REINSTATE_CHECKED"),
        ("REINSTATE_CHECKED", "IN_PROGRESS"),
        ("REINSTATE_CHECKED", "FAILED"),
        // Colliding profiles.
        ("CREATED", "PENDING_PROFILE_REVIEW"),
        ("STARTED", "PENDING_PROFILE_REVIEW"),
        ("PENDING_PROFILE_REVIEW", "IN_PROGRESS"),
        // A plan change.
        ("PENDING_PLAN_CHANGE", "IN_PROGRESS"),
    ]);
    for status in RUNNING {
        moves.insert((status, "FAILED"));
        moves.insert(("PROCESS", status));
    }
    for status in statuses().filter(|status| !["COMPLETED", "DELETED"].contains(status)) {
        moves.insert((status, "DELETED"));
    }
    moves
}

fn all() -> impl Iterator<Item = Status> {
    (1..=16).filter_map(|number| Status::try_from(number).ok())
}

fn statuses() -> impl Iterator<Item = &'static str> {
    all().map(Status::spelling)
}

fn events() -> Vec<Event> {
    let mut events = vec![
        Event::Process,
        Event::Start,
        Event::Enter,
        Event::MatchFound,
        Event::MatchChecked,
        Event::Reinstate,
        Event::SubmitAsNew,
        Event::Suspend,
        Event::CollisionFound,
        Event::ProfileChecked,
        Event::ProfileMerged,
        Event::ProcessPlanChange,
        Event::IdentitiesAdded,
        Event::ClassicMapsAdded,
        Event::SubscriptionAndEntitlementAdded,
        Event::BusinessAdded,
        Event::Complete,
        Event::Fail,
        Event::Delete,
    ];
    events.extend(all().map(Event::Resume));
    events
}

#[test]
fn the_function_is_the_declared_table() {
    let mut moves = BTreeSet::new();
    for status in all() {
        for event in events() {
            if let Some(to) = next_status(status, event) {
                moves.insert((status.spelling(), to.spelling()));
            }
        }
    }
    assert_eq!(moves, declared());
}

#[test]
fn every_declared_move_has_a_call_and_every_call_leads_somewhere() {
    let moves = declared();
    let mut covered = BTreeSet::new();
    for method in
        METHODS.iter().filter(|method| method.aggregate.is_some_and(|table| table.name == PROVISION_TABLE.name))
    {
        for to in method.to {
            covered.extend(method.from.iter().map(|from| (*from, *to)).filter(|(from, to)| method.leads(from, to)));
        }
    }
    assert_eq!(covered, moves);
}

/// UpdateStatus leads where its steps in the contract lead, for every status, failure and type.
#[test]
fn update_status_leads_where_its_steps_say() {
    let mut led = BTreeSet::new();
    for (from, target) in all().flat_map(|from| all().map(move |target| (from, target))) {
        let failures = std::iter::once(None).chain(RUNNING.map(Status::from_spelling));
        for (failed_in, kind) in
            failures.flat_map(|failed| [ProvisionType::Immediate, ProvisionType::OnFirstUse].map(|kind| (failed, kind)))
        {
            let failure = failed_in
                .map(|status| crate::contract::v1::ProvisionFailure { status: status.into(), ..Default::default() });
            let provision =
                Provision { status: from.into(), failure, provision_type: kind.into(), ..Default::default() };
            if event_for(&provision, target).and_then(|event| next_status(from, event)) == Some(target) {
                led.insert((from.spelling(), target.spelling()));
            }
        }
    }
    assert_eq!(led, provision_calls::UPDATE_STATUS.steps.iter().copied().collect());
}

#[test]
fn the_terminal_statuses_are_those_of_the_contract() {
    let stuck: Vec<&str> = all()
        .filter(|status| events().iter().all(|event| next_status(*status, *event).is_none()))
        .map(Status::spelling)
        .collect();
    assert_eq!(stuck, Provision::TABLE.terminal);
}

#[test]
fn only_what_runs_can_fail() {
    for status in all() {
        assert_eq!(next_status(status, Event::Fail).is_some(), is_running(status), "{status:?}");
    }
}

proptest! {
    #[test]
    fn no_events_lead_where_nothing_is_declared(chosen in prop::collection::vec(prop::sample::select(events()), 0..60)) {
        let moves = declared();
        let mut status = Status::Created;
        for event in chosen {
            let Some(to) = next_status(status, event) else { continue };
            prop_assert!(moves.contains(&(status.spelling(), to.spelling())), "{status:?} to {to:?} by {event:?}");
            prop_assert!(!Provision::TABLE.terminal.contains(&status.spelling()));
            status = to;
        }
    }

    #[test]
    fn every_request_follows_the_lifecycle(
        from in prop::sample::select(all().collect::<Vec<_>>()),
        target in prop::sample::select(all().collect::<Vec<_>>()),
        failed_in in prop::option::of(prop::sample::select(RUNNING.to_vec())),
        first_use in any::<bool>(),
    ) {
        let failure = failed_in.and_then(Status::from_spelling).map(|status| crate::contract::v1::ProvisionFailure { status: status.into(), ..Default::default() });
        let kind = if first_use { ProvisionType::OnFirstUse } else { ProvisionType::Immediate };
        let provision = Provision { status: from.into(), failure, provision_type: kind.into(), ..Default::default() };
        if let Some(to) = event_for(&provision, target).and_then(|event| next_status(from, event)) {
            prop_assert_eq!(to, target);
            prop_assert!(declared().contains(&(from.spelling(), to.spelling())));
        }
        if first_use && from == Status::Created {
            prop_assert!(event_for(&provision, Status::Started).is_none(), "it waits for its first use");
        }
    }
}
