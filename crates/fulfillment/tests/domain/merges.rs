//! Provisions of an identity that is merged into another.

use pavise_fulfillment::contract::v1::ProvisionStatus;
use pavise_kernel::owned_entities::may_pass;
use pavise_kernel::worker::Work;
use pavise_kernel::{OwnerMove, Result};

use crate::scene::{Scene, family};

/// Hands a provision over, or back.
async fn move_to_owner(scene: &Scene, id: &str, undone: bool) -> Result<()> {
    let work = Work::new(&scene.kernel, "identity.merge", format!("merge {undone}"), "");
    let thing = OwnerMove { merge: "merge", undone, id, from: "member", to: "other" };
    scene.move_to_owner("provision").move_to_owner(&work, &thing).await
}

#[tokio::test]
async fn a_provision_learns_of_the_merge_when_it_is_done_and_keeps_its_owner() {
    let mut scene = Scene::new().await;
    let created = scene.create(family()).await;
    let refused = move_to_owner(&scene, &created.id, false).await.unwrap_err();
    assert!(may_pass(&refused) && refused.message().contains("CREATED"), "what it sets up is moved later: {refused:?}");
    assert_eq!(scene.provision(&created.id).await.identity_merge_id, "");

    scene.run_workers().await;
    move_to_owner(&scene, &created.id, false).await.unwrap();
    let done = scene.provision(&created.id).await;
    assert_eq!((done.status(), done.identity_merge_id.as_str()), (ProvisionStatus::Completed, "merge"));
    assert_eq!(done.owner_id, created.owner_id);
    move_to_owner(&scene, &created.id, true).await.unwrap();
    assert_eq!(scene.provision(&created.id).await, done, "an unmerge changes nothing of the record");
}
