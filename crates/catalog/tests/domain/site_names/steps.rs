//! A failure between each pair of steps: of the reservation, the commit, the confirmation and the release.

use pavise_catalog::contract::v1::ReservedNameStatus::{Held, Reserved};
use pavise_catalog::contract::v1::*;
use pavise_kernel::table::Realm;
use pavise_testkit::scene::{Engine, WireFault, into_answer, refusal_reason, request_by};

use super::scene::{Holder, PLATFORM, STAFF, Scene};

const CUTS: [WireFault; 4] = [WireFault::Before, WireFault::After, WireFault::KilledBefore, WireFault::KilledAfter];

#[tokio::test]
async fn a_name_is_reserved_held_and_freed() {
    for engine in Engine::BOTH {
        let scene = Scene::on(engine).await;
        let (offer, product) = (scene.new_offer().await, scene.new_product().await);
        scene.set(&offer, "family-plan").await.unwrap();
        assert_eq!(scene.state("family-plan", &offer).await, Some(Reserved));
        assert_eq!(refusal_reason(scene.set(&product, "family-plan").await), "NAME_TAKEN");
        scene.follow(&offer).await.unwrap();
        assert_eq!(scene.state("family-plan", &offer).await, Some(Held));
        let refused = scene.set(&product, "family-plan").await.unwrap_err();
        assert_eq!((refused.reason(), refused.violations()[0].field.as_str()), ("NAME_TAKEN", "site_name"));
        scene.set(&offer, "family-plan-2").await.unwrap();
        assert_eq!(
            refusal_reason(scene.set(&product, "family-plan").await),
            "NAME_TAKEN",
            "until the worker has freed it"
        );
        scene.follow(&offer).await.unwrap();
        assert_eq!(scene.state("family-plan-2", &offer).await, Some(Held));
        scene.set(&product, "family-plan").await.unwrap();
        scene.follow(&product).await.unwrap();
        scene.delete(&product).await;
        scene.follow(&product).await.unwrap();
        scene.set(&offer, "").await.unwrap();
        scene.follow(&offer).await.unwrap();
        assert!(scene.kept().await.is_empty());
    }
}

#[tokio::test]
async fn the_rules_of_a_name_are_told_for_the_holders_field() {
    let scene = Scene::on(Engine::Sqlite).await;
    let offer = scene.new_offer().await;
    for (name, said) in [("checkout", "own pages"), ("ab", "3 to 50")] {
        let refused = scene.set(&offer, name).await.unwrap_err();
        assert_eq!((refused.reason(), refused.violations()[0].field.as_str()), ("INVALID_FIELD", "site_name"));
        assert!(refused.violations()[0].description.contains(said), "{name}: {refused}");
    }
    assert_eq!(refusal_reason(scene.set(&offer, "Family").await), "INVALID_FIELD");
    assert!(scene.kept().await.is_empty(), "what is refused is not reserved");
    let check = async |name: &str, holder: &Holder| {
        let space = pavise_kernel::common::v1::NameSpace::SiteName.into();
        let (name, holder_id) = (name.to_owned(), holder.id().to_owned());
        let request = CheckNameRequest { space, name, holder_aggregate: "Offer".into(), holder_id };
        into_answer(scene.names().check_name(request_by(STAFF, request)).await).unwrap()
    };
    let other = scene.new_offer().await;
    scene.set(&offer, "family-plan").await.unwrap();
    assert!(check("family-plan", &offer).await.free && check("another-plan", &other).await.free);
    let taken = check("family-plan", &other).await;
    assert!(!taken.free && taken.taken.is_some_and(|name| name.holder_id == offer.id()));
    assert!(check("checkout", &other).await.problem.contains("own pages"));
}

#[tokio::test]
async fn a_dry_run_reserves_nothing_and_tells_what_is_taken() {
    let scene = Scene::on(Engine::Sqlite).await;
    let (offer, product) = (scene.new_offer().await, scene.new_product().await);
    let dry = async |name: &str| {
        let request = UpdateProductSiteNameRequest { product_id: product.id().into(), site_name: name.into() };
        let mut request = request_by(STAFF, request);
        request.metadata_mut().insert("pavise-validate-only", "true".parse().unwrap());
        let mut client = product_service_client::ProductServiceClient::new(scene.transport());
        into_answer(client.update_product_site_name(request).await).map(|product| product.site_name)
    };
    assert_eq!(dry("family-plan").await.unwrap(), "family-plan");
    assert!(scene.kept().await.is_empty());
    scene.set(&offer, "family-plan").await.unwrap();
    assert_eq!(refusal_reason(dry("family-plan").await), "NAME_TAKEN");
    assert_eq!(refusal_reason(dry("checkout").await), "INVALID_FIELD");
}

/// The process dies, or the keeper does not answer, around the reservation.
#[tokio::test]
async fn a_reservation_without_a_commit_is_cancelled_or_runs_out() {
    for engine in Engine::BOTH {
        let scene = Scene::on(engine).await;
        for (at, cut) in CUTS.into_iter().enumerate() {
            let (offer, product, name) = (scene.new_offer().await, scene.new_product().await, format!("plan-{at}"));
            scene.wire.break_after(0, cut);
            assert!(!matches!(scene.wire.unless_killed(scene.set(&offer, &name)).await, Some(Ok(()))), "{cut:?}");
            assert!(!scene.wire.is_uncut());
            assert_eq!(scene.name(&offer).await, "", "{cut:?}: nothing was committed");
            // Only a killed process leaves a reservation behind.
            let left = scene.state(&name, &offer).await;
            assert_eq!(left, (cut == WireFault::KilledAfter).then_some(Reserved), "{cut:?}");
            if left.is_some() {
                assert_eq!(refusal_reason(scene.set(&product, &name).await), "NAME_TAKEN");
                scene.wait_for_the_end_of_reservations(&name).await;
                assert_eq!(scene.state(&name, &offer).await, None);
            }
            scene.set(&product, &name).await.unwrap();
        }
    }
}

/// The process dies, or the keeper does not answer, around the steps after the commit.
#[tokio::test]
async fn committed_names_are_confirmed_and_freed_in_the_end() {
    for engine in Engine::BOTH {
        let scene = Scene::on(engine).await;
        for (at, cut) in CUTS.into_iter().enumerate() {
            let (offer, product) = (scene.new_offer().await, scene.new_product().await);
            let [first, second] = ["first", "second"].map(|name| format!("{name}-{at}"));
            let follow = async || {
                scene.wire.break_after(0, cut);
                let cut_off = scene.wire.unless_killed(scene.follow(&offer)).await;
                assert!(!matches!(cut_off, Some(Ok(()))) && !scene.wire.is_uncut(), "{cut:?}");
            };
            scene.set(&offer, &first).await.unwrap();
            follow().await;
            assert_eq!(refusal_reason(scene.set(&product, &first).await), "NAME_TAKEN", "{cut:?}");
            scene.follow(&offer).await.unwrap();
            assert_eq!(scene.state(&first, &offer).await, Some(Held));
            scene.set(&offer, &second).await.unwrap();
            follow().await;
            assert_eq!(refusal_reason(scene.set(&product, &second).await), "NAME_TAKEN", "{cut:?}");
            scene.follow(&offer).await.unwrap();
            assert_eq!(scene.state(&second, &offer).await, Some(Held));
            scene.set(&product, &first).await.unwrap();
            scene.set(&offer, "").await.unwrap();
            follow().await;
            scene.follow(&offer).await.unwrap();
            assert_eq!(scene.state(&second, &offer).await, None);
            scene.set(&offer, &second).await.unwrap();
            scene.delete(&offer).await;
            follow().await;
            scene.follow(&offer).await.unwrap();
            assert_eq!(scene.state(&second, &offer).await, None);
        }
    }
}

#[tokio::test]
async fn a_name_that_its_holder_takes_again_stays_the_holders() {
    let scene = Scene::on(Engine::Sqlite).await;
    let (offer, product) = (scene.new_offer().await, scene.new_product().await);
    for name in ["family-plan", "", "family-plan"] {
        scene.set(&offer, name).await.unwrap();
    }
    let entries = scene.entries(&offer).await;
    // The worker is late, and then handles the entries in any order.
    for at in [2, 1, 3, 0, 2] {
        scene.handle_entry(offer.worker(), &entries[at]).await.unwrap();
        assert_eq!(refusal_reason(scene.set(&product, "family-plan").await), "NAME_TAKEN");
    }
    assert_eq!(scene.state("family-plan", &offer).await, Some(Held));
}

/// The keeper itself guards against a worker that stood still for long and wakes up.
#[tokio::test]
async fn a_late_step_of_a_worker_undoes_nothing() {
    let scene = Scene::on(Engine::Sqlite).await;
    let offer = scene.new_offer().await;
    for name in ["family-plan", "", "family-plan"] {
        scene.set(&offer, name).await.unwrap();
        scene.follow(&offer).await.unwrap();
    }
    let entries = scene.entries(&offer).await;
    let made = entries.iter().map(|entry| pavise_kernel::worker::decode_entity::<Offer>(entry).unwrap().unwrap());
    let made: Vec<Offer> = made.collect();
    let release = ReleaseNamesRequest {
        space: 1,
        holder_service: "offers".into(),
        holder_aggregate: "Offer".into(),
        holder_id: offer.id().into(),
        holder_created_at: made[2].created_at,
        holder_version: made[2].version,
    };
    into_answer(scene.names().release_names(request_by(PLATFORM, release.clone())).await).unwrap();
    assert_eq!(scene.state("family-plan", &offer).await, Some(Held));
    scene.set(&offer, "").await.unwrap();
    scene.follow(&offer).await.unwrap();
    let hold = HoldNameRequest {
        id: "SITE_NAME.family-plan".into(),
        space: 1,
        holder_service: release.holder_service,
        holder_aggregate: release.holder_aggregate,
        holder_id: release.holder_id,
        holder_created_at: made[3].created_at,
        holder_version: made[3].version,
    };
    assert!(!into_answer(scene.names().hold_name(request_by(PLATFORM, hold)).await).unwrap().held);
    assert!(scene.kept().await.is_empty());
}

#[tokio::test]
async fn a_worker_that_is_later_than_the_reservation_takes_the_name_again_or_fails() {
    let scene = Scene::on(Engine::Sqlite).await;
    let (offer, other, product) = (scene.new_offer().await, scene.new_offer().await, scene.new_product().await);
    scene.set(&offer, "family-plan").await.unwrap();
    scene.set(&other, "business-plan").await.unwrap();
    scene.wait_for_the_end_of_reservations("late").await;
    assert!(scene.kept().await.is_empty());
    scene.set(&product, "business-plan").await.unwrap();
    scene.follow(&offer).await.unwrap();
    assert_eq!(scene.state("family-plan", &offer).await, Some(Held));
    assert_eq!(refusal_reason(scene.follow(&other).await), "NAME_TAKEN", "the runner sets the entry aside");
    // Another name for one of the two mends it.
    scene.set(&other, "small-business-plan").await.unwrap();
    for entry in scene.entries(&other).await {
        scene.handle_entry(other.worker(), &entry).await.unwrap();
    }
    assert_eq!(scene.state("small-business-plan", &other).await, Some(Held));
}

#[tokio::test]
async fn only_machines_write_names_and_only_they_and_staff_read_them() {
    let scene = Scene::on(Engine::Sqlite).await;
    let of = |realm: Realm| format!("{}/somebody", pavise_kernel::access::realm_name(realm));
    let expire = ExpireNameRequest { id: "SITE_NAME.plan".into() };
    let read = GetNameRequest { id: "SITE_NAME.plan".into() };
    for (realm, writes, reads) in [
        (Realm::User, "REALM_NOT_ALLOWED", "REALM_NOT_ALLOWED"),
        (Realm::GroupAdmin, "REALM_NOT_ALLOWED", "REALM_NOT_ALLOWED"),
        (Realm::Partner, "REALM_NOT_ALLOWED", "REALM_NOT_ALLOWED"),
        (Realm::Internal, "REALM_NOT_ALLOWED", "NOT_FOUND"),
        (Realm::Machine, "", "NOT_FOUND"),
    ] {
        let wrote = into_answer(scene.names().expire_name(request_by(&of(realm), expire.clone())).await);
        assert_eq!(wrote.map_or_else(|error| error.reason().to_owned(), |_| String::new()), writes, "{realm:?}");
        assert_eq!(
            refusal_reason(into_answer(scene.names().get_name(request_by(&of(realm), read.clone())).await)),
            reads,
            "{realm:?}"
        );
    }
}
