//! Two identities of one person become one, wherever the work is interrupted, and are taken apart again.

use std::sync::Arc;
use std::time::Duration;

use pavise_contract::scope_roles;
use pavise_identity::contract::v1::identity_merge_service_client::IdentityMergeServiceClient;
use pavise_identity::contract::v1::*;
use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::error::Common;
use pavise_kernel::peers::Transport;
use pavise_kernel::table::ScopeKind;
use pavise_kernel::worker::{Work, Worker};
use pavise_testkit::runs;
use tonic::{Request, Response, Status};

use crate::scene::{PASSWORD, Scene, WireFault, refusal_reason, request_by, scene, scenes, sign_up, with};

const DAY: Duration = Duration::from_secs(24 * 3600);
const THINGS: [(&str, &str); 7] = [
    ("card", "c"),
    ("coverage", "v"),
    ("entitlement", "e"),
    ("invoice", "i"),
    ("order", "o"),
    ("subscription", "s1"),
    ("subscription", "s2"),
];

fn service(scene: &Scene) -> IdentityMergeServiceClient<Transport> {
    IdentityMergeServiceClient::new(scene.transport())
}

/// Ada, who survives, and Bob with one of everything.
async fn pair(scene: &Scene) -> (Identity, Identity) {
    let ada = scene.member("ada@x.example").await;
    let named = CreateIdentityRequest { usernames: vec!["bob".into()], ..sign_up("bob@x.example") };
    let bob = scene.identities().create_identity(scene.platform(named)).await.unwrap().into_inner();
    for (kind, id) in THINGS {
        scene.peers.give(kind, id, &bob.id);
    }
    scene.peers.give("provision", "p", &bob.id);
    (ada, bob)
}

fn all() -> Vec<String> {
    THINGS.iter().map(|(kind, id)| format!("{kind} {id}")).collect()
}

/// The records of an identity, except the record of its set-up.
fn of(scene: &Scene, identity: &Identity) -> Vec<String> {
    scene.peers.of(&identity.id).into_iter().filter(|thing| thing != "provision p").collect()
}

fn wanted(ada: &Identity, bob: &Identity) -> MergeIdentityRequest {
    MergeIdentityRequest {
        identity_id: ada.id.clone(),
        merged_identity_id: bob.id.clone(),
        instruction: Some(MergeInstruction { reason: "the same person".into() }),
        ..Default::default()
    }
}

async fn merge(scene: &Scene, ada: &Identity, bob: &Identity) -> Result<Response<IdentityMerge>, Status> {
    service(scene).merge_identity(scene.platform(wanted(ada, bob))).await
}

async fn unmerge(scene: &Scene, merge: &IdentityMerge) -> Result<Response<IdentityMerge>, Status> {
    let request = UnmergeIdentityRequest {
        identity_id: merge.owner_id.clone(),
        merge_id: merge.id.clone(),
        ..Default::default()
    };
    service(scene).unmerge_identity(scene.platform(request)).await
}

async fn report(
    scene: &Scene,
    merge: &IdentityMerge,
    processor: &str,
    status: IdentityMergeStatus,
) -> Result<Response<IdentityMerge>, Status> {
    let request = UpdateProcessorStatusRequest {
        merge_id: merge.id.clone(),
        processor: processor.to_owned(),
        status: status.into(),
        ..Default::default()
    };
    service(scene).update_processor_status(scene.platform(request)).await
}

async fn get(scene: &Scene, merge: &IdentityMerge) -> IdentityMerge {
    let request = GetIdentityMergeRequest { merge_id: merge.id.clone() };
    service(scene).get_identity_merge(scene.platform(request)).await.unwrap().into_inner()
}

async fn identity(scene: &Scene, id: &str) -> Identity {
    let request = GetIdentityRequest { identity_id: id.to_owned() };
    scene.identities().get_identity(scene.platform(request)).await.unwrap().into_inner()
}

async fn journal(scene: &Scene) -> Vec<JournalEntry> {
    scene.read_journal("/pavise.identity.v1.IdentityMergeService/ReadJournal").await
}

/// Lets the workers of all domains go through the journal, from its start as after a restart, until there is nothing new.
async fn run_workers(scene: &Scene) {
    let takes_part =
        |worker: &&Arc<dyn Worker>| worker.name() == "identity.merge_names" || worker.name().ends_with(".hand_over");
    let workers: Vec<_> = scene.workers().iter().filter(takes_part).collect();
    assert_eq!(workers.len(), 5, "the names, and the things of four domains");
    let mut seen = 0;
    loop {
        let entries = journal(scene).await;
        if entries.len() == seen {
            return;
        }
        for entry in entries.iter().skip(seen) {
            for worker in &workers {
                scene.handle_entry(worker.name(), entry).await.unwrap();
            }
        }
        seen = entries.len();
    }
}

/// Lets those that wait be woken, and go on.
async fn wake(scene: &Scene) {
    scene.run_timer("identity.wake_processors", &scene.kernel.business_clock().now().to_string()).await.unwrap();
    run_workers(scene).await;
}

fn statuses(merge: &IdentityMerge) -> Vec<(&str, &'static str, i32)> {
    merge.processors.iter().map(|one| (one.processor.as_str(), one.status().spelling(), one.moved)).collect()
}

fn status_of(merge: &IdentityMerge, processor: &str) -> IdentityMergeStatus {
    merge.processors.iter().find(|one| one.processor == processor).unwrap().status()
}

#[tokio::test]
async fn merge_moves_all_records_and_unmerge_returns_them() {
    for scene in scenes().await {
        let (ada, bob) = pair(&scene).await;
        let session = scene.sign_in("bob@x.example", PASSWORD).await.unwrap();
        let begun = merge(&scene, &ada, &bob).await.unwrap().into_inner();
        assert_eq!((begun.status(), begun.owner_id.as_str()), (IdentityMergeStatus::InProgress, ada.id.as_str()));
        run_workers(&scene).await;
        let done = get(&scene, &begun).await;
        assert_eq!(done.status(), IdentityMergeStatus::Complete, "{done:#?}");
        let moved = [
            ("provision", "OK", 1),
            ("orders", "OK", 1),
            ("payment_methods", "OK", 1),
            ("subscriptions", "OK", 2),
            ("invoices", "OK", 1),
            ("entitlements", "OK", 1),
            ("coverages", "OK", 1),
            ("user_state", "OK", 0),
            ("applications", "OK", 0),
            ("identities", "OK", 0),
        ];
        assert_eq!(statuses(&done), moved);
        assert_eq!((of(&scene, &ada), of(&scene, &bob)), (all(), Vec::new()));
        assert_eq!(scene.peers.merge_of("p"), Some(done.id.clone()));

        let (one, other) = (identity(&scene, &ada.id).await, identity(&scene, &bob.id).await);
        let addresses: Vec<_> = one.emails.iter().map(|email| (email.address.as_str(), email.primary)).collect();
        assert_eq!(addresses, [("ada@x.example", true), ("bob@x.example", false)]);
        assert_eq!(one.usernames, ["bob"]);
        assert_eq!((other.status(), other.emails.len()), (IdentityStatus::Merged, 0));
        assert_eq!(other.merged.as_ref().map(|into| into.identity_id.as_str()), Some(ada.id.as_str()));
        assert_eq!(scene.sign_in("bob@x.example", PASSWORD).await.unwrap().identity_id, ada.id, "with Ada's password");
        let ended = scene
            .entries()
            .await
            .into_iter()
            .any(|entry| entry.entity_id == session.session_id && entry.action == "SESSION_REVOKED");
        assert!(ended, "his sign-ins are ended");
        let address = AddEmailRequest { identity_id: bob.id.clone(), email: "new@x.example".into(), primary: true };
        assert_eq!(refusal_reason(scene.identities().add_email(scene.platform(address)).await), "STATUS_NOT_ALLOWED");

        scene.clock.move_forward(DAY * 29);
        let undone = unmerge(&scene, &done).await.unwrap().into_inner();
        assert_eq!((undone.status(), undone.action()), (IdentityMergeStatus::InProgress, MergeAction::Unmerge));
        run_workers(&scene).await;
        let undone = get(&scene, &done).await;
        assert_eq!(undone.status(), IdentityMergeStatus::Complete, "{undone:#?}");
        assert_eq!((of(&scene, &ada), of(&scene, &bob)), (Vec::new(), all()));
        let (one, other) = (identity(&scene, &ada.id).await, identity(&scene, &bob.id).await);
        assert_eq!((one.emails, one.usernames), (ada.emails.clone(), ada.usernames.clone()));
        assert_eq!(
            (other.status(), other.emails[0].address.as_str(), other.emails[0].primary, other.emails.len()),
            (IdentityStatus::Active, "bob@x.example", true, 1)
        );
        assert_eq!((other.usernames, other.merged), (bob.usernames.clone(), None));
        assert_eq!(scene.sign_in("bob@x.example", PASSWORD).await.unwrap().identity_id, bob.id);
        assert_eq!(refusal_reason(unmerge(&scene, &done).await), "UNMERGE_NOT_POSSIBLE");
        let actions: std::collections::BTreeSet<_> =
            journal(&scene).await.into_iter().map(|entry| entry.action).collect();
        assert_eq!(Vec::from_iter(actions), ["MERGE", "UNMERGE"]);
        merge(&scene, &ada, &bob).await.unwrap();
    }
}

#[tokio::test]
async fn roles_in_scopes_go_over_and_come_back() {
    for scene in scenes().await {
        let division = |id: &str, role: &str| ScopeGrant {
            kind: ScopeKind::Division.into(),
            id: id.into(),
            within_id: "acme".into(),
            roles: vec![role.into()],
        };
        let boss = async |email: &str, grants: Vec<ScopeGrant>| {
            let request = CreateIdentityRequest {
                realm: IdentityRealm::GroupAdmin.into(),
                emails: vec![email.into()],
                scopes: Some(ScopeGrants { grants }),
                ..Default::default()
            };
            scene.identities().create_identity(scene.platform(request)).await.unwrap().into_inner()
        };
        let (user, clerk) = (scope_roles::division::AUTHORIZED_USER, scope_roles::division::FILE_ADMINISTRATOR);
        let ada = boss("ada@x.example", vec![division("sales", user)]).await;
        let bob = boss("bob@x.example", vec![division("sales", clerk), division("lab", user)]).await;
        let begun = merge(&scene, &ada, &bob).await.unwrap().into_inner();
        run_workers(&scene).await;
        let both = ScopeGrant { roles: vec![user.into(), clerk.into()], ..division("sales", user) };
        assert_eq!(identity(&scene, &ada.id).await.scopes, [both, division("lab", user)]);
        assert!(identity(&scene, &bob.id).await.scopes.is_empty());
        unmerge(&scene, &begun).await.unwrap();
        run_workers(&scene).await;
        assert_eq!(identity(&scene, &ada.id).await.scopes, ada.scopes);
        assert_eq!(identity(&scene, &bob.id).await.scopes, bob.scopes);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn domains_that_report_at_the_same_time_all_get_on() {
    for scene in scenes().await {
        let (ada, bob) = pair(&scene).await;
        let begun = merge(&scene, &ada, &bob).await.unwrap().into_inner();
        let entry = journal(&scene).await.pop().unwrap();
        let handed = scene.workers().iter().filter(|worker| worker.name().ends_with(".hand_over")).map(|worker| {
            let (worker, entry) = (worker.clone(), entry.clone());
            let work = Work::of_worker(&scene.kernel, worker.as_ref(), entry.clock.to_string(), "");
            tokio::spawn(async move { worker.handle(&work, &entry).await })
        });
        for handled in futures::future::join_all(handed).await {
            handled.unwrap().unwrap();
        }
        run_workers(&scene).await;
        assert_eq!(get(&scene, &begun).await.status(), IdentityMergeStatus::Complete);
        assert_eq!((of(&scene, &ada), of(&scene, &bob)), (all(), Vec::new()));
    }
}

#[tokio::test]
async fn a_process_killed_at_any_call_ends_in_the_same_state() {
    let mut killed = 0;
    for how in [WireFault::KilledBefore, WireFault::KilledAfter] {
        for at in 0.. {
            let scene = scene().await;
            let (ada, bob) = pair(&scene).await;
            let begun = merge(&scene, &ada, &bob).await.unwrap().into_inner();
            // The long run also cuts the calls to identity itself, which are many more.
            if !runs::is_long_run() {
                scene.wire.exempt_domain("identity");
            }
            scene.wire.break_after(at, how);
            let finished = scene.wire.unless_killed(run_workers(&scene)).await.is_some();
            scene.wire.cancel_cut();
            run_workers(&scene).await;
            let done = get(&scene, &begun).await;
            assert_eq!(done.status(), IdentityMergeStatus::Complete, "killed {how:?} call {at}: {done:#?}");
            assert_eq!((of(&scene, &ada), of(&scene, &bob)), (all(), Vec::new()), "killed {how:?} call {at}");
            let mut ids: Vec<_> = done.processors.iter().flat_map(|one| one.ids.iter().map(String::as_str)).collect();
            ids.sort_unstable();
            assert_eq!(
                ids,
                ["c", "e", "i", "o", "p", "s1", "s2", "v"],
                "killed {how:?} call {at}: what has to come back is known"
            );
            if finished {
                break;
            }
            killed += 1;
        }
    }
    assert!(killed > 30, "only {killed} places were tried");
}

#[tokio::test]
async fn a_part_that_does_not_answer_is_waited_for_and_what_is_being_paid_too() {
    for scene in scenes().await {
        let (ada, bob) = pair(&scene).await;
        scene.wire.set_down("billing", true);
        scene.peers.is_processing("o", true);
        let begun = merge(&scene, &ada, &bob).await.unwrap().into_inner();
        run_workers(&scene).await;
        let waiting = get(&scene, &begun).await;
        assert_eq!(waiting.status(), IdentityMergeStatus::InProgress);
        for name in ["orders", "payment_methods", "subscriptions", "invoices"] {
            assert_eq!(status_of(&waiting, name), IdentityMergeStatus::Created, "{name} waits");
        }
        assert_eq!(status_of(&waiting, "entitlements"), IdentityMergeStatus::Ok, "the others do not wait for them");
        scene.sign_in("bob@x.example", PASSWORD).await.unwrap();
        wake(&scene).await;
        assert_eq!(get(&scene, &begun).await.version, waiting.version, "not before its time");

        scene.clock.move_forward(Duration::from_secs(5));
        wake(&scene).await;
        let again = get(&scene, &begun).await;
        assert_eq!(again.processors.iter().find(|one| one.processor == "invoices").unwrap().attempts, 2);
        // A record that is made meanwhile is moved, too.
        scene.peers.give("entitlement", "late", &bob.id);
        scene.wire.set_down("billing", false);
        scene.peers.is_processing("o", false);
        scene.clock.move_forward(Duration::from_secs(10));
        wake(&scene).await;
        let done = get(&scene, &begun).await;
        assert_eq!(done.status(), IdentityMergeStatus::Complete, "{done:#?}");
        assert!(of(&scene, &bob).is_empty());
        assert!(of(&scene, &ada).contains(&"entitlement late".to_owned()));
    }
}

#[tokio::test]
async fn unmovable_records_are_reported_and_failures_retried() {
    for scene in scenes().await {
        let (ada, bob) = pair(&scene).await;
        scene.peers.refuses("s1", Some(Common::StatusNotAllowed));
        scene.peers.refuses("i", Some(Common::PermissionMissing));
        let begun = merge(&scene, &ada, &bob).await.unwrap().into_inner();
        run_workers(&scene).await;
        let failed = get(&scene, &begun).await;
        assert_eq!(failed.status(), IdentityMergeStatus::Failed);
        assert_eq!(status_of(&failed, "invoices"), IdentityMergeStatus::Failed);
        let subscriptions = failed.processors.iter().find(|one| one.processor == "subscriptions").unwrap();
        assert_eq!(
            (subscriptions.status(), subscriptions.moved, subscriptions.left_ids.as_slice()),
            (IdentityMergeStatus::Warning, 1, ["s1".to_owned()].as_slice())
        );
        assert_eq!(subscriptions.message, "STATUS_NOT_ALLOWED: it stays");
        assert_eq!(identity(&scene, &bob.id).await.status(), IdentityStatus::Active, "the names wait for the rest");
        assert_eq!(
            refusal_reason(report(&scene, &begun, "invoices", IdentityMergeStatus::Ok).await),
            "PROCESSOR_STATUS_NOT_ALLOWED"
        );
        assert_eq!(
            refusal_reason(report(&scene, &begun, "loyalty", IdentityMergeStatus::Ok).await),
            "PROCESSOR_UNKNOWN"
        );

        scene.peers.refuses("i", None);
        merge(&scene, &ada, &bob).await.unwrap();
        run_workers(&scene).await;
        let done = get(&scene, &begun).await;
        assert_eq!(done.status(), IdentityMergeStatus::Warning, "{done:#?}");
        assert_eq!(of(&scene, &bob), ["subscription s1"]);

        // A record that has another owner since stays there.
        scene.peers.give("order", "o", "somebody else");
        unmerge(&scene, &done).await.unwrap();
        run_workers(&scene).await;
        let undone = get(&scene, &done).await;
        assert_eq!(undone.status(), IdentityMergeStatus::Warning, "{undone:#?}");
        assert_eq!(status_of(&undone, "orders"), IdentityMergeStatus::Warning);
        assert_eq!(scene.peers.of("somebody else"), ["order o"]);
        let back = ["card c", "coverage v", "entitlement e", "invoice i", "subscription s1", "subscription s2"];
        assert_eq!(of(&scene, &bob), back);
        assert_eq!(identity(&scene, &bob.id).await.status(), IdentityStatus::Active);
    }
}

#[tokio::test]
async fn programs_outside_take_part_and_are_waited_for() {
    for scene in scenes().await {
        let (ada, bob) = pair(&scene).await;
        let plan = CreateIdentityMergeRequest {
            identity_id: ada.id.clone(),
            merged_identity_id: bob.id.clone(),
            ..Default::default()
        };
        let planned = service(&scene).create_identity_merge(scene.platform(plan)).await.unwrap().into_inner();
        run_workers(&scene).await;
        assert_eq!(
            (planned.status(), of(&scene, &ada)),
            (IdentityMergeStatus::Created, Vec::new()),
            "a plan moves nothing"
        );
        let add = |name: &str| AddProcessorStatusesRequest {
            merge_id: planned.id.clone(),
            processors: vec![name.to_owned()],
        };
        for own in &planned.processors {
            let again = service(&scene).add_processor_statuses(scene.platform(add(&own.processor))).await;
            assert_eq!(refusal_reason(again), "INVALID_FIELD", "{} is the platform's own", own.processor);
        }
        service(&scene).add_processor_statuses(scene.platform(add("loyalty"))).await.unwrap();
        let begin =
            MergeIdentityRequest { identity_id: ada.id.clone(), merge_id: planned.id.clone(), ..Default::default() };
        service(&scene).merge_identity(scene.platform(begin)).await.unwrap();
        run_workers(&scene).await;
        assert_eq!(get(&scene, &planned).await.status(), IdentityMergeStatus::InProgress);
        assert_eq!(identity(&scene, &bob.id).await.status(), IdentityStatus::Active, "the names wait for it");
        report(&scene, &planned, "loyalty", IdentityMergeStatus::Failed).await.unwrap();
        run_workers(&scene).await;
        assert_eq!(get(&scene, &planned).await.status(), IdentityMergeStatus::Failed);
        report(&scene, &planned, "loyalty", IdentityMergeStatus::Warning).await.unwrap();
        run_workers(&scene).await;
        assert_eq!(
            get(&scene, &planned).await.status(),
            IdentityMergeStatus::Warning,
            "somebody decided to go on without it"
        );
        assert_eq!(identity(&scene, &bob.id).await.status(), IdentityStatus::Merged);
    }
}

#[tokio::test]
async fn identities_that_cannot_merge_are_refused_with_the_reason() {
    for scene in scenes().await {
        let (ada, bob) = pair(&scene).await;
        let eve = scene.member("eve@x.example").await;
        let boss = scene.staff("boss@x.example", &["*"]).await;
        let clerk = scene.staff("clerk@x.example", &["identity.identity_merge.*"]).await;
        let other = scene.staff("other@x.example", &["identity.identity_merge.read"]).await;
        assert_eq!(refusal_reason(merge(&scene, &ada, &ada).await), "INVALID_FIELD");
        assert_eq!(refusal_reason(merge(&scene, &ada, &boss).await), "IDENTITIES_NOT_MERGEABLE");
        assert_eq!(
            refusal_reason(merge(&scene, &clerk, &other).await),
            "IDENTITIES_NOT_MERGEABLE",
            "a program merges no staff"
        );
        let nobody = Identity { id: "nobody".into(), ..Identity::default() };
        assert_eq!(refusal_reason(merge(&scene, &ada, &nobody).await), "NOT_FOUND");
        let token = scene.sign_in("clerk@x.example", PASSWORD).await.unwrap().access_token;
        let as_clerk = |request| request_by(&token, request);
        let refused = service(&scene).merge_identity(as_clerk(wanted(&clerk, &boss))).await;
        assert_eq!(refusal_reason(refused), "PERMISSION_NOT_HELD", "nobody merges away who may do more");
        service(&scene).merge_identity(as_clerk(wanted(&clerk, &other))).await.unwrap();

        merge(&scene, &ada, &bob).await.unwrap();
        assert_eq!(
            merge(&scene, &ada, &bob).await.unwrap().into_inner().version,
            1,
            "asked again, it is the same merge"
        );
        assert_eq!(refusal_reason(merge(&scene, &eve, &bob).await), "IDENTITY_IN_MERGE");
        let delete = DeleteIdentityRequest { identity_id: bob.id.clone() };
        assert_eq!(
            refusal_reason(scene.identities().delete_identity(scene.platform(delete)).await),
            "IDENTITY_IN_MERGE"
        );
        assert_eq!(refusal_reason(merge(&scene, &ada, &eve).await), "IDENTITY_IN_MERGE");
        run_workers(&scene).await;
        assert_eq!(refusal_reason(merge(&scene, &eve, &bob).await), "IDENTITY_MERGED");
        let first = journal(&scene).await.into_iter().rfind(|entry| entry.owner_id == ada.id).unwrap();
        let first = IdentityMerge { id: first.entity_id, owner_id: ada.id.clone(), ..IdentityMerge::default() };

        let second = merge(&scene, &eve, &ada).await.unwrap().into_inner();
        run_workers(&scene).await;
        assert_eq!(
            refusal_reason(unmerge(&scene, &first).await),
            "UNMERGE_NOT_POSSIBLE",
            "the later merge is undone first"
        );
        unmerge(&scene, &second).await.unwrap();
        run_workers(&scene).await;
        unmerge(&scene, &first).await.unwrap();
        run_workers(&scene).await;
        assert_eq!(of(&scene, &bob), all());

        merge(&scene, &ada, &bob).await.unwrap();
        run_workers(&scene).await;
        scene.clock.move_forward(DAY * 30);
        let by_pair = UnmergeIdentityRequest {
            identity_id: ada.id.clone(),
            merged_identity_id: bob.id.clone(),
            ..Default::default()
        };
        assert_eq!(
            refusal_reason(service(&scene).unmerge_identity(scene.platform(by_pair)).await),
            "UNMERGE_NOT_POSSIBLE"
        );
    }
}

#[tokio::test]
async fn merge_preview_lists_the_records_to_move() {
    let scene = scene().await;
    let (ada, bob) = pair(&scene).await;
    scene.wire.set_down("fulfillment", true);
    let ask = with(scene.platform(wanted(&ada, &bob)), "pavise-validate-only", "true");
    let preview = service(&scene).merge_identity(ask).await.unwrap().into_inner();
    let ids: Vec<_> = preview.processors.iter().map(|one| (one.processor.as_str(), one.ids.join(" "))).collect();
    let expected = [
        ("provision", ""),
        ("orders", "o"),
        ("payment_methods", "c"),
        ("subscriptions", "s1 s2"),
        ("invoices", "i"),
        ("entitlements", ""),
        ("coverages", ""),
        ("user_state", ""),
        ("applications", ""),
        ("identities", ""),
    ];
    assert_eq!(ids, expected.map(|(name, ids)| (name, ids.to_owned())));
    assert!(preview.processors[0].message.starts_with("UNAVAILABLE"), "{:?}", preview.processors[0]);
    assert!(journal(&scene).await.is_empty());
    run_workers(&scene).await;
    assert_eq!(of(&scene, &bob), all());
    assert_eq!(refusal_reason(service(&scene).merge_identity(Request::new(wanted(&ada, &bob))).await), "TOKEN_MISSING");
}
