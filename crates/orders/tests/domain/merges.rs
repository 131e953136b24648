//! Orders of an identity that is merged into another.

use pavise_kernel::owned_entities::may_pass;
use pavise_kernel::worker::Work;
use pavise_kernel::{OwnerMove, Result};
use pavise_orders::contract::v1::{AssignOwnerRequest, Order, OrderStatus};

use crate::scene::{PLATFORM, Scene, request_by, scenes};

/// Hands an order from one owner to another, as the merge with this id.
async fn move_to_owner(scene: &Scene, order: &Order, (from, to): (&str, &str), merge: &str) -> Result<()> {
    let work = Work::new(&scene.kernel, "identity.merge", merge.to_owned(), "");
    let thing = OwnerMove { merge, undone: false, id: &order.id, from, to };
    scene.move_to_owner("orders").move_to_owner(&work, &thing).await
}

async fn owner(scene: &Scene, order: &Order) -> String {
    scene.get(PLATFORM, order).await.unwrap().owner_id
}

#[tokio::test]
async fn an_order_goes_over_once_and_comes_back() {
    for scene in scenes().await {
        let order = scene.order(&["legal"]).await;
        for _ in 0..2 {
            move_to_owner(&scene, &order, ("alice", "bob"), "first").await.unwrap();
            assert_eq!(owner(&scene, &order).await, "bob");
        }
        move_to_owner(&scene, &order, ("alice", "bob"), "another").await.expect("it is where it should be");
        move_to_owner(&scene, &order, ("bob", "alice"), "back").await.unwrap();
        assert_eq!(owner(&scene, &order).await, "alice");
        let assigned = scene.actions(&order).await.into_iter().filter(|action| action == "OWNER_ASSIGNED").count();
        assert_eq!(assigned, 2, "a repeat writes nothing");
    }
}

#[tokio::test]
async fn an_order_that_is_being_paid_waits() {
    for scene in scenes().await {
        let order = scene.order(&["legal"]).await;
        assert_eq!(scene.purchase(&order).await.unwrap().status(), OrderStatus::Processing);
        let refused = move_to_owner(&scene, &order, ("alice", "bob"), "first").await.unwrap_err();
        assert!(may_pass(&refused) && refused.message().contains("PROCESSING"), "{refused:?}");
        assert_eq!(owner(&scene, &order).await, "alice");
    }
}

#[tokio::test]
async fn an_order_that_went_to_a_third_member_stays_there() {
    for scene in scenes().await {
        let order = scene.order(&["legal"]).await;
        let request = AssignOwnerRequest { order_id: order.id.clone(), identity_id: "carol".into() };
        scene.orders().assign_owner(request_by(PLATFORM, request)).await.unwrap();
        let refused = move_to_owner(&scene, &order, ("alice", "bob"), "first").await.unwrap_err();
        assert_eq!((refused.reason(), may_pass(&refused)), ("NOT_FOUND", false));
        assert_eq!(owner(&scene, &order).await, "carol");
    }
}
