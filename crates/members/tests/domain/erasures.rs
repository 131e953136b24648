//! Erasures in all services: who begins them and when, what they leave, and what happens when they are cut off.

use std::collections::BTreeMap;
use std::time::Duration;

use pavise_kernel::Result;
use pavise_kernel::common::v1::{Date, JournalEntry};
use pavise_members::contract::feeds;
use pavise_members::contract::v1::*;
use pavise_testkit::scene::WireFault;
use prost::Message as _;

use crate::scene::{
    ADA, BEN, PLATFORM, STAFF, Scene, email, into_answer, name, path_of, phone, refusal_reason, request_by, scene,
    scenes,
};

const WORKER: &str = "members.erase_people";
const AGAIN: &str = "members.repeat_erasures";
/// 2024-05-02.
const SECOND_OF_MAY: i64 = 1_714_608_000;
const WEEK: Duration = Duration::from_secs(7 * 24 * 3600);

impl Scene {
    /// A person with a profile and an order.
    async fn ordering_person(&self, identity: &str) {
        let of = CreateProfileRequest {
            name: name("Zelda", "Quill"),
            emails: vec![email("zelda@example.com")],
            phone_numbers: vec![phone("5125550177")],
            date_of_birth: Some(Date { year: 1980, month: 2, day: 3 }),
            ..CreateProfileRequest::default()
        };
        self.person(identity, of).await;
        self.peers.has_order(identity, "zelda@example.com");
    }

    async fn redact(&self, who: &str, identity: &str) -> Result<Profile> {
        let request =
            RedactPersonalInformationRequest { identity_id: identity.into(), reason: "letter of 2 May".into() };
        into_answer(self.profiles().redact_personal_information(request_by(who, request)).await)
    }

    async fn erasure(&self, who: &str, identity: &str) -> Result<PersonErasure> {
        let request = GetPersonErasureRequest { identity_id: identity.into() };
        into_answer(self.personal_data().get_person_erasure(request_by(who, request)).await)
    }

    /// The entry with which the erasure of a person began.
    async fn started(&self, identity: &str) -> JournalEntry {
        let entries = self.read_journal(path_of(feeds::PROFILES)).await;
        let is_start = |entry: &&JournalEntry| entry.action == "ERASURE_STARTED" && entry.entity_id == identity;
        entries.iter().rfind(is_start).unwrap().clone()
    }

    /// The values of a person that are left in the journal of profiles.
    async fn left(&self) -> Vec<String> {
        let entries = self.read_journal(path_of(feeds::PROFILES)).await;
        let bytes: Vec<u8> = entries.iter().flat_map(|entry| entry.encode_to_vec()).collect();
        let text = String::from_utf8_lossy(&bytes).to_lowercase();
        ["zelda", "quill", "5125550177"].into_iter().filter(|value| text.contains(value)).map(str::to_owned).collect()
    }
}

/// The counts of a receipt, by domain and service.
fn counts(erasure: &PersonErasure) -> BTreeMap<(String, String), (i64, i64)> {
    let of = |domain: &ErasedDomain| {
        assert_eq!(domain.status(), ErasedDomainStatus::Erased);
        let name = domain.domain.clone();
        let services = domain.services.clone().into_iter();
        services.map(move |one| ((name.clone(), one.service), (one.entities, one.entries)))
    };
    erasure.domains.iter().flat_map(of).collect()
}

#[tokio::test]
async fn staff_erase_at_once_and_the_receipt_counts_what_there_was() {
    for scene in scenes().await {
        scene.ordering_person("ada").await;
        let preview = PreviewPersonErasureRequest { identity_id: "ada".into() };
        let preview = into_answer(scene.personal_data().preview_person_erasure(request_by(STAFF, preview)).await);
        let preview = preview.unwrap();
        assert_eq!((preview.services.len(), preview.open_records.len()), (2, 0), "{preview:?}");
        assert!(!scene.left().await.is_empty(), "a preview erases nothing");
        let blank = scene.redact(STAFF, "ada").await.unwrap();
        assert_eq!((blank.status(), blank.name), (ProfileStatus::Redacted, None));
        scene.run().await;
        let done = scene.erasure(STAFF, "ada").await.unwrap();
        assert_eq!((done.status(), done.origin()), (PersonErasureStatus::Done, PersonErasureOrigin::Staff));
        assert_eq!((done.requested_by_id.as_str(), done.reason.as_str()), ("staff", "letter of 2 May"));
        assert!(done.key_destroyed_at.is_some() && done.ended_at.is_some());
        let counted = counts(&done);
        assert_eq!(counted[&("orders".into(), "orders".into())], (1, 3), "{counted:?}");
        assert!(counted[&("members".into(), "profiles".into())].1 > 0, "{counted:?}");
        assert_eq!(scene.left().await, Vec::<String>::new());
        assert_eq!(scene.peers.destroyed().len(), 1);
        assert_eq!(scene.profile(STAFF, "ada").await.unwrap().status(), ProfileStatus::Redacted);
    }
}

#[tokio::test]
async fn open_records_are_named_and_cards_are_none() {
    for scene in scenes().await {
        scene.ordering_person("ada").await;
        scene.peers.has_open("ada", &["o1", "o2"]);
        for who in [STAFF, ADA] {
            let refused = scene.redact(who, "ada").await.unwrap_err();
            assert_eq!((refused.reason(), refused.find_fact("orders")), ("RECORDS_OPEN", Some("2")));
            assert_eq!(refused.find_fact("payment_methods"), None);
            assert!(refused.message().contains("orders: 2"), "{}", refused.message());
        }
        let preview = PreviewPersonErasureRequest { identity_id: "ada".into() };
        let preview = into_answer(scene.personal_data().preview_person_erasure(request_by(ADA, preview)).await);
        let open = preview.unwrap().open_records;
        assert_eq!(open.iter().map(|one| one.id.as_str()).collect::<Vec<_>>(), ["o1", "o2"]);
        assert_eq!(scene.profile(STAFF, "ada").await.unwrap().status(), ProfileStatus::Active);
    }
}

#[tokio::test]
async fn a_file_on_legal_hold_keeps_its_owner_from_being_erased() {
    for scene in scenes().await {
        scene.ordering_person("ada").await;
        scene.peers.has_files("ada", &[("deed", true), ("photo", false)]);
        for who in [STAFF, ADA] {
            let refused = scene.redact(who, "ada").await.unwrap_err();
            assert_eq!((refused.reason(), refused.find_fact("files")), ("RECORDS_OPEN", Some("1")));
            assert!(refused.message().contains("files on legal hold: 1"), "{}", refused.message());
        }
        let preview = PreviewPersonErasureRequest { identity_id: "ada".into() };
        let preview = into_answer(scene.personal_data().preview_person_erasure(request_by(STAFF, preview)).await);
        let held = OpenRecord { kind: "files".into(), id: "deed".into(), on_legal_hold: true };
        assert_eq!(preview.unwrap().open_records, std::slice::from_ref(&held));

        // A request of the member meets a hold of its seven days.
        scene.peers.has_files("ada", &[("deed", false)]);
        scene.redact(ADA, "ada").await.unwrap();
        scene.peers.has_files("ada", &[("deed", true)]);
        scene.clock.move_forward(WEEK);
        scene.run().await;
        let failed = scene.erasure(ADA, "ada").await.unwrap();
        assert_eq!((failed.status(), failed.open_records), (PersonErasureStatus::Failed, vec![held]));
        assert_eq!(scene.profile(STAFF, "ada").await.unwrap().status(), ProfileStatus::Active);
    }
}

#[tokio::test]
async fn an_erasure_waits_for_a_hold_that_was_set_meanwhile() {
    for scene in scenes().await {
        scene.ordering_person("ada").await;
        scene.redact(STAFF, "ada").await.unwrap();
        let entry = scene.started("ada").await;
        scene.peers.has_files("ada", &[("deed", true)]);
        for _ in 0..2 {
            let waits = scene.handle_entry(WORKER, &entry).await.unwrap_err();
            assert!(waits.is_transient(), "it is never parked: {waits:?}");
            assert!(waits.cause().unwrap_or_default().contains("files deed"), "{waits:?}");
            let running = scene.erasure(STAFF, "ada").await.unwrap();
            assert_eq!((running.status(), running.key_destroyed_at), (PersonErasureStatus::Running, None));
            assert_eq!((scene.peers.destroyed().len(), scene.left().await), (0, Vec::new()), "the rest is erased");
        }
        scene.peers.has_files("ada", &[("deed", false)]);
        scene.handle_entry(WORKER, &entry).await.unwrap();
        let done = scene.erasure(STAFF, "ada").await.unwrap();
        assert_eq!(done.status(), PersonErasureStatus::Done);
        assert_eq!(counts(&done)[&("orders".into(), "orders".into())], (1, 3), "as before the hold");
    }
}

#[tokio::test]
async fn a_members_request_begins_after_seven_days_and_can_be_taken_back() {
    for scene in scenes().await {
        scene.ordering_person("ada").await;
        let stale = scene.redact("User/ada/!", "ada").await.unwrap_err();
        assert_eq!(stale.reason(), "PROOF_NEEDED");
        let asked = scene.redact(ADA, "ada").await.unwrap();
        assert_eq!(asked.status(), ProfileStatus::Active);
        assert!(asked.erasure_due_at.is_some() && asked.name.is_some());
        let again = scene.redact(ADA, "ada").await.unwrap();
        assert_eq!(again.version, asked.version, "a repeat changes nothing");
        let cancel = || CancelPersonErasureRequest { identity_id: "ada".into() };
        let foreign = scene.personal_data().cancel_person_erasure(request_by(BEN, cancel())).await;
        assert_eq!(refusal_reason(foreign), "NOT_THE_OWNER");
        for _ in 0..2 {
            let canceled = into_answer(scene.personal_data().cancel_person_erasure(request_by(ADA, cancel())).await);
            assert_eq!(canceled.unwrap().status(), PersonErasureStatus::Canceled);
        }
        assert_eq!(scene.profile(ADA, "ada").await.unwrap().erasure_due_at, None);
        scene.clock.move_forward(WEEK);
        scene.run().await;
        assert_eq!(scene.profile(ADA, "ada").await.unwrap().status(), ProfileStatus::Active, "it was taken back");

        scene.redact(ADA, "ada").await.unwrap();
        scene.clock.move_forward(WEEK - Duration::from_secs(1));
        scene.run().await;
        assert_eq!(scene.erasure(ADA, "ada").await.unwrap().status(), PersonErasureStatus::Requested);
        scene.clock.move_forward(Duration::from_secs(1));
        scene.run().await;
        let done = scene.erasure(ADA, "ada").await.unwrap();
        assert_eq!((done.status(), done.origin()), (PersonErasureStatus::Done, PersonErasureOrigin::Member));
        assert_eq!((done.requested_by_id, done.reason), (String::new(), String::new()), "for staff");
        assert_eq!(scene.left().await, Vec::<String>::new());
        let late = scene.personal_data().cancel_person_erasure(request_by(ADA, cancel())).await;
        assert_eq!(refusal_reason(late), "STATUS_NOT_ALLOWED");
    }
}

#[tokio::test]
async fn what_is_open_at_its_time_lets_it_fail_and_it_can_be_asked_for_again() {
    for scene in scenes().await {
        scene.ordering_person("ada").await;
        scene.redact(ADA, "ada").await.unwrap();
        scene.peers.has_open("ada", &["o1"]);
        scene.clock.move_forward(WEEK);
        scene.run().await;
        let failed = scene.erasure(ADA, "ada").await.unwrap();
        assert_eq!(failed.status(), PersonErasureStatus::Failed);
        assert_eq!(failed.open_records, [OpenRecord { kind: "orders".into(), id: "o1".into(), on_legal_hold: false }]);
        let profile = scene.profile(ADA, "ada").await.unwrap();
        assert_eq!((profile.status(), profile.erasure_due_at), (ProfileStatus::Active, None));
        scene.peers.has_open("ada", &[]);
        assert!(scene.redact(ADA, "ada").await.unwrap().erasure_due_at.is_some());
        let again = scene.erasure(ADA, "ada").await.unwrap();
        assert_eq!((again.status(), again.open_records.len()), (PersonErasureStatus::Requested, 0));
        // Staff do not wait for the seven days.
        assert_eq!(scene.redact(STAFF, "ada").await.unwrap().status(), ProfileStatus::Redacted);
        scene.run().await;
        assert_eq!(scene.erasure(STAFF, "ada").await.unwrap().status(), PersonErasureStatus::Done);
    }
}

/// An erasure whose calls are lost, or that is killed before or after each call, ends as one that nothing disturbs.
#[tokio::test]
async fn an_erasure_that_is_killed_after_each_step_ends_the_same() {
    for (at, scene) in scenes().await.into_iter().enumerate() {
        scene.ordering_person("undisturbed").await;
        scene.redact(STAFF, "undisturbed").await.unwrap();
        let entry = scene.started("undisturbed").await;
        let before = scene.wire.calls();
        scene.handle_entry(WORKER, &entry).await.unwrap();
        let steps = scene.wire.calls() - before;
        let expected = counts(&scene.erasure(STAFF, "undisturbed").await.unwrap());
        assert!(steps > 10 && expected.len() > 1, "{steps} {expected:?}");
        for how in [WireFault::KilledBefore, WireFault::KilledAfter] {
            // The second engine gets a third of the steps.
            for step in (0..steps).step_by(1 + 2 * at) {
                let person = format!("{how:?}-{step}");
                // Staff make so many profiles in a while only.
                scene.clock.move_forward(Duration::from_secs(30));
                scene.ordering_person(&person).await;
                scene.redact(STAFF, &person).await.unwrap();
                let entry = scene.started(&person).await;
                scene.wire.break_after(step, how);
                let done = scene.wire.unless_killed(scene.handle_entry(WORKER, &entry)).await;
                assert!(done.is_none(), "{person} was not killed: {done:?}");
                scene.handle_entry(WORKER, &entry).await.unwrap();
                // Another try of what is done changes nothing.
                let done = scene.erasure(STAFF, &person).await.unwrap();
                scene.handle_entry(WORKER, &entry).await.unwrap();
                assert_eq!(scene.erasure(STAFF, &person).await.unwrap(), done, "{person}");
                assert_eq!(done.status(), PersonErasureStatus::Done, "{person}");
                assert_eq!(counts(&done), expected, "{person}");
                assert!(done.key_destroyed_at.is_some(), "{person}");
            }
        }
        assert_eq!(scene.left().await, Vec::<String>::new());
    }
}

#[tokio::test]
async fn a_domain_that_is_down_is_waited_for() {
    let scene = scene().await;
    scene.ordering_person("ada").await;
    scene.redact(STAFF, "ada").await.unwrap();
    let entry = scene.started("ada").await;
    scene.wire.set_down("orders", true);
    assert!(scene.handle_entry(WORKER, &entry).await.unwrap_err().is_transient());
    assert_eq!(scene.erasure(STAFF, "ada").await.unwrap().status(), PersonErasureStatus::Running);
    scene.wire.set_down("orders", false);
    scene.handle_entry(WORKER, &entry).await.unwrap();
    assert_eq!(scene.erasure(STAFF, "ada").await.unwrap().status(), PersonErasureStatus::Done);
}

/// The database knows nothing of an erasure: an older backup was restored. Only the key database has it.
#[tokio::test]
async fn who_is_there_again_after_a_restored_backup_is_erased_again() {
    for scene in scenes().await {
        for identity in ["ada", "ben", "carl", "dora", "eve"] {
            scene.clock.move_forward(Duration::from_secs(30));
            scene.ordering_person(identity).await;
        }
        // Ben had asked for it, and eve was erased in the ordinary way.
        scene.redact(BEN, "ben").await.unwrap();
        scene.redact(STAFF, "eve").await.unwrap();
        scene.run().await;
        let eve = scene.erasure(STAFF, "eve").await.unwrap();
        for name in ["p/ada", "p/ben", "p/nobody", "e/profiles/carl"] {
            scene.peers.destroy(name, SECOND_OF_MAY);
        }
        scene.run_timer(AGAIN, "at the start").await.unwrap();
        for identity in ["ada", "ben"] {
            let blank = scene.profile(STAFF, identity).await.unwrap();
            assert_eq!((blank.status(), blank.name, blank.emails.len()), (ProfileStatus::Redacted, None, 0));
            let running = scene.erasure(STAFF, identity).await.unwrap();
            assert_eq!(running.status(), PersonErasureStatus::Running);
        }
        scene.run().await;
        for identity in ["ada", "ben"] {
            let done = scene.erasure(STAFF, identity).await.unwrap();
            assert_eq!((done.status(), done.origin()), (PersonErasureStatus::Done, PersonErasureOrigin::DestroyedKey));
            assert!(done.reason.contains("erased on 2024-05-02, and again"), "{}", done.reason);
            assert_eq!(done.key_destroyed_at.unwrap().seconds, SECOND_OF_MAY, "the first time");
            assert!(done.started_at.unwrap().seconds > SECOND_OF_MAY && done.ended_at.is_some());
            assert_eq!(counts(&done)[&("orders".into(), "orders".into())], (1, 3), "what the backup brought back");
            scene.run_timer(AGAIN, "at another start").await.unwrap();
            scene.run().await;
            assert_eq!(scene.erasure(STAFF, identity).await.unwrap(), done, "a repeat changes nothing");
        }
        assert_eq!(scene.erasure(STAFF, "eve").await.unwrap(), eve);
        for identity in ["carl", "dora"] {
            assert_eq!(scene.profile(STAFF, identity).await.unwrap().status(), ProfileStatus::Active, "{identity}");
        }
        let repeat = |id: &str| RepeatPersonErasureRequest { identity_id: id.into() };
        let refused = scene.personal_data().repeat_person_erasure(request_by(PLATFORM, repeat("dora"))).await;
        assert_eq!(refusal_reason(refused), "INVALID_FIELD", "the key of dora is there");
        let refused = scene.personal_data().repeat_person_erasure(request_by(PLATFORM, repeat("nobody"))).await;
        assert_eq!(refusal_reason(refused), "NOT_FOUND");
        let refused = scene.personal_data().repeat_person_erasure(request_by(STAFF, repeat("ada"))).await;
        assert_eq!(refusal_reason(refused), "REALM_NOT_ALLOWED");
    }
}

/// The comparison with the destroyed keys is killed before and after each of its calls.
#[tokio::test]
async fn an_erasure_that_is_repeated_and_killed_ends_the_same() {
    for how in [WireFault::KilledBefore, WireFault::KilledAfter] {
        // It asks for the keys, repeats the erasure, which asks for the key, and asks for further keys.
        for step in 0..4 {
            let scene = scene().await;
            scene.ordering_person("ada").await;
            scene.peers.destroy("p/ada", SECOND_OF_MAY);
            scene.wire.break_after(step, how);
            let done = scene.wire.unless_killed(scene.run_timer(AGAIN, "killed")).await;
            assert!(done.is_none(), "{how:?} {step} was not killed: {done:?}");
            scene.run_timer(AGAIN, "the next start").await.unwrap();
            let entry = scene.started("ada").await;
            scene.handle_entry(WORKER, &entry).await.unwrap();
            let done = scene.erasure(STAFF, "ada").await.unwrap();
            assert_eq!((done.status(), done.origin()), (PersonErasureStatus::Done, PersonErasureOrigin::DestroyedKey));
            assert_eq!(scene.profile(STAFF, "ada").await.unwrap().status(), ProfileStatus::Redacted);
            assert_eq!(counts(&done)[&("orders".into(), "orders".into())], (1, 3));
            scene.run_timer(AGAIN, "another start").await.unwrap();
            assert_eq!(scene.erasure(STAFF, "ada").await.unwrap(), done);
            assert_eq!(scene.left().await, Vec::<String>::new());
        }
    }
}

#[tokio::test]
async fn people_take_their_data_along() {
    for scene in scenes().await {
        scene.ordering_person("ada").await;
        let ask = || ExportPersonalDataRequest { identity_id: "ada".into() };
        let stale = scene.personal_data().export_personal_data(request_by("User/ada/!", ask())).await;
        assert_eq!(refusal_reason(stale), "PROOF_NEEDED");
        let foreign = scene.personal_data().export_personal_data(request_by(BEN, ask())).await;
        assert_eq!(refusal_reason(foreign), "NOT_THE_OWNER");
        let plain = format!("{STAFF}/+members.personal_data.read");
        let plain = scene.personal_data().export_personal_data(request_by(&plain, ask())).await;
        assert_eq!(refusal_reason(plain), "PERMISSION_MISSING");
        for who in [ADA, STAFF, PLATFORM] {
            let answer = scene.personal_data().export_personal_data(request_by(who, ask())).await.unwrap();
            let (mut stream, mut values) = (answer.into_inner(), Vec::new());
            while let Some(value) = stream.message().await.unwrap() {
                values.push((value.service, value.field, value.value));
            }
            let has = |service: &str, field: &str, text: &str| {
                let wanted = (service.to_owned(), field.to_owned(), text.to_owned());
                assert!(values.contains(&wanted), "{wanted:?} in {values:?}");
            };
            has("orders", "personalInfo.email", "zelda@example.com");
            has("profiles", "emails.address", "zelda@example.com");
            has("profiles", "name.lastName", "Quill");
            has("profiles", "dateOfBirth", "1980-02-03");
        }
    }
}
