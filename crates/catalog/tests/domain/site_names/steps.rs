//! A failure between each pair of steps: of the reservation, the commit, the confirmation and the release.

use pavise_catalog::contract::v1::ReservedNameStatus::{Held, Reserved};
use pavise_catalog::contract::v1::*;
use pavise_kernel::table::Realm;
use pavise_testkit::scene::{Cut, Engine, answer, by, reason};

use super::world::{Holder, PLATFORM, STAFF, World};

const CUTS: [Cut; 4] = [Cut::Before, Cut::After, Cut::KilledBefore, Cut::KilledAfter];

#[tokio::test]
async fn a_name_is_reserved_held_and_freed() {
    for engine in Engine::BOTH {
        let world = World::on(engine).await;
        let (offer, product) = (world.new_offer().await, world.new_product().await);
        world.set(&offer, "family-plan").await.unwrap();
        assert_eq!(world.state("family-plan", &offer).await, Some(Reserved));
        assert_eq!(reason(world.set(&product, "family-plan").await), "NAME_TAKEN");
        world.follow(&offer).await.unwrap();
        assert_eq!(world.state("family-plan", &offer).await, Some(Held));
        let refused = world.set(&product, "family-plan").await.unwrap_err();
        assert_eq!((refused.reason(), refused.violations()[0].field.as_str()), ("NAME_TAKEN", "site_name"));
        world.set(&offer, "family-plan-2").await.unwrap();
        assert_eq!(reason(world.set(&product, "family-plan").await), "NAME_TAKEN", "until the worker has freed it");
        world.follow(&offer).await.unwrap();
        assert_eq!(world.state("family-plan-2", &offer).await, Some(Held));
        world.set(&product, "family-plan").await.unwrap();
        world.follow(&product).await.unwrap();
        world.delete(&product).await;
        world.follow(&product).await.unwrap();
        world.set(&offer, "").await.unwrap();
        world.follow(&offer).await.unwrap();
        assert!(world.kept().await.is_empty());
    }
}

#[tokio::test]
async fn the_rules_of_a_name_are_told_for_the_holders_field() {
    let world = World::on(Engine::Sqlite).await;
    let offer = world.new_offer().await;
    for (name, said) in [("checkout", "own pages"), ("ab", "3 to 50")] {
        let refused = world.set(&offer, name).await.unwrap_err();
        assert_eq!((refused.reason(), refused.violations()[0].field.as_str()), ("INVALID_FIELD", "site_name"));
        assert!(refused.violations()[0].description.contains(said), "{name}: {refused}");
    }
    assert_eq!(reason(world.set(&offer, "Family").await), "INVALID_FIELD");
    assert!(world.kept().await.is_empty(), "what is refused is not reserved");
    let check = async |name: &str, holder: &Holder| {
        let space = pavise_kernel::common::v1::NameSpace::SiteName.into();
        let (name, holder_id) = (name.to_owned(), holder.id().to_owned());
        let request = CheckNameRequest { space, name, holder_aggregate: "Offer".into(), holder_id };
        answer(world.names().check_name(by(STAFF, request)).await).unwrap()
    };
    let other = world.new_offer().await;
    world.set(&offer, "family-plan").await.unwrap();
    assert!(check("family-plan", &offer).await.free && check("another-plan", &other).await.free);
    let taken = check("family-plan", &other).await;
    assert!(!taken.free && taken.taken.is_some_and(|name| name.holder_id == offer.id()));
    assert!(check("checkout", &other).await.problem.contains("own pages"));
}

#[tokio::test]
async fn a_dry_run_reserves_nothing_and_tells_what_is_taken() {
    let world = World::on(Engine::Sqlite).await;
    let (offer, product) = (world.new_offer().await, world.new_product().await);
    let dry = async |name: &str| {
        let request = UpdateProductSiteNameRequest { product_id: product.id().into(), site_name: name.into() };
        let mut request = by(STAFF, request);
        request.metadata_mut().insert("pavise-validate-only", "true".parse().unwrap());
        let mut client = product_service_client::ProductServiceClient::new(world.transport());
        answer(client.update_product_site_name(request).await).map(|product| product.site_name)
    };
    assert_eq!(dry("family-plan").await.unwrap(), "family-plan");
    assert!(world.kept().await.is_empty());
    world.set(&offer, "family-plan").await.unwrap();
    assert_eq!(reason(dry("family-plan").await), "NAME_TAKEN");
    assert_eq!(reason(dry("checkout").await), "INVALID_FIELD");
}

/// The process dies, or the keeper does not answer, around the reservation.
#[tokio::test]
async fn a_reservation_without_a_commit_is_cancelled_or_runs_out() {
    for engine in Engine::BOTH {
        let world = World::on(engine).await;
        for (at, cut) in CUTS.into_iter().enumerate() {
            let (offer, product, name) = (world.new_offer().await, world.new_product().await, format!("plan-{at}"));
            world.wire.cut(0, cut);
            assert!(!matches!(world.unless_killed(world.set(&offer, &name)).await, Some(Ok(()))), "{cut:?}");
            assert!(!world.wire.is_uncut());
            assert_eq!(world.name(&offer).await, "", "{cut:?}: nothing was committed");
            // Only a killed process leaves a reservation behind.
            let left = world.state(&name, &offer).await;
            assert_eq!(left, (cut == Cut::KilledAfter).then_some(Reserved), "{cut:?}");
            if left.is_some() {
                assert_eq!(reason(world.set(&product, &name).await), "NAME_TAKEN");
                world.wait_for_the_end_of_reservations(&name).await;
                assert_eq!(world.state(&name, &offer).await, None);
            }
            world.set(&product, &name).await.unwrap();
        }
    }
}

/// The process dies, or the keeper does not answer, around the steps after the commit.
#[tokio::test]
async fn what_is_committed_is_confirmed_and_freed_in_the_end() {
    for engine in Engine::BOTH {
        let world = World::on(engine).await;
        for (at, cut) in CUTS.into_iter().enumerate() {
            let (offer, product) = (world.new_offer().await, world.new_product().await);
            let [first, second] = ["first", "second"].map(|name| format!("{name}-{at}"));
            let follow = async || {
                world.wire.cut(0, cut);
                let cut_off = world.unless_killed(world.follow(&offer)).await;
                assert!(!matches!(cut_off, Some(Ok(()))) && !world.wire.is_uncut(), "{cut:?}");
            };
            world.set(&offer, &first).await.unwrap();
            follow().await;
            assert_eq!(reason(world.set(&product, &first).await), "NAME_TAKEN", "{cut:?}");
            world.follow(&offer).await.unwrap();
            assert_eq!(world.state(&first, &offer).await, Some(Held));
            world.set(&offer, &second).await.unwrap();
            follow().await;
            assert_eq!(reason(world.set(&product, &second).await), "NAME_TAKEN", "{cut:?}");
            world.follow(&offer).await.unwrap();
            assert_eq!(world.state(&second, &offer).await, Some(Held));
            world.set(&product, &first).await.unwrap();
            world.set(&offer, "").await.unwrap();
            follow().await;
            world.follow(&offer).await.unwrap();
            assert_eq!(world.state(&second, &offer).await, None);
            world.set(&offer, &second).await.unwrap();
            world.delete(&offer).await;
            follow().await;
            world.follow(&offer).await.unwrap();
            assert_eq!(world.state(&second, &offer).await, None);
        }
    }
}

#[tokio::test]
async fn a_name_that_its_holder_takes_again_stays_the_holders() {
    let world = World::on(Engine::Sqlite).await;
    let (offer, product) = (world.new_offer().await, world.new_product().await);
    for name in ["family-plan", "", "family-plan"] {
        world.set(&offer, name).await.unwrap();
    }
    let entries = world.entries(&offer).await;
    // The worker is late, and then handles the entries in any order.
    for at in [2, 1, 3, 0, 2] {
        world.handle(offer.worker(), &entries[at]).await.unwrap();
        assert_eq!(reason(world.set(&product, "family-plan").await), "NAME_TAKEN");
    }
    assert_eq!(world.state("family-plan", &offer).await, Some(Held));
}

/// The keeper itself guards against a worker that stood still for long and wakes up.
#[tokio::test]
async fn a_late_step_of_a_worker_undoes_nothing() {
    let world = World::on(Engine::Sqlite).await;
    let offer = world.new_offer().await;
    for name in ["family-plan", "", "family-plan"] {
        world.set(&offer, name).await.unwrap();
        world.follow(&offer).await.unwrap();
    }
    let entries = world.entries(&offer).await;
    let made = entries.iter().map(|entry| pavise_kernel::worker::entity::<Offer>(entry).unwrap().unwrap());
    let made: Vec<Offer> = made.collect();
    let release = ReleaseNamesRequest {
        space: 1,
        holder_service: "offers".into(),
        holder_aggregate: "Offer".into(),
        holder_id: offer.id().into(),
        holder_created_at: made[2].created_at,
        holder_version: made[2].version,
    };
    answer(world.names().release_names(by(PLATFORM, release.clone())).await).unwrap();
    assert_eq!(world.state("family-plan", &offer).await, Some(Held));
    world.set(&offer, "").await.unwrap();
    world.follow(&offer).await.unwrap();
    let hold = HoldNameRequest {
        id: "SITE_NAME.family-plan".into(),
        space: 1,
        holder_service: release.holder_service,
        holder_aggregate: release.holder_aggregate,
        holder_id: release.holder_id,
        holder_created_at: made[3].created_at,
        holder_version: made[3].version,
    };
    assert!(!answer(world.names().hold_name(by(PLATFORM, hold)).await).unwrap().held);
    assert!(world.kept().await.is_empty());
}

#[tokio::test]
async fn a_worker_that_is_later_than_the_reservation_takes_the_name_again_or_fails() {
    let world = World::on(Engine::Sqlite).await;
    let (offer, other, product) = (world.new_offer().await, world.new_offer().await, world.new_product().await);
    world.set(&offer, "family-plan").await.unwrap();
    world.set(&other, "business-plan").await.unwrap();
    world.wait_for_the_end_of_reservations("late").await;
    assert!(world.kept().await.is_empty());
    world.set(&product, "business-plan").await.unwrap();
    world.follow(&offer).await.unwrap();
    assert_eq!(world.state("family-plan", &offer).await, Some(Held));
    assert_eq!(reason(world.follow(&other).await), "NAME_TAKEN", "the runner sets the entry aside");
    // Another name for one of the two mends it.
    world.set(&other, "small-business-plan").await.unwrap();
    for entry in world.entries(&other).await {
        world.handle(other.worker(), &entry).await.unwrap();
    }
    assert_eq!(world.state("small-business-plan", &other).await, Some(Held));
}

#[tokio::test]
async fn only_machines_write_names_and_only_they_and_staff_read_them() {
    let world = World::on(Engine::Sqlite).await;
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
        let wrote = answer(world.names().expire_name(by(&of(realm), expire.clone())).await);
        assert_eq!(wrote.map_or_else(|error| error.reason().to_owned(), |_| String::new()), writes, "{realm:?}");
        assert_eq!(reason(answer(world.names().get_name(by(&of(realm), read.clone())).await)), reads, "{realm:?}");
    }
}
