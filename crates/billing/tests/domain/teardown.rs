//! A scene fails at its end when a journal is not sound.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::scene::{APPROVES, Scene, card, scenes};

/// The failure of a scene that ends.
fn failure(scene: Scene) -> Option<String> {
    let failed = catch_unwind(AssertUnwindSafe(|| drop(scene))).err()?;
    Some(failed.downcast_ref::<String>().cloned().unwrap_or_default())
}

#[tokio::test]
async fn a_damaged_journal_fails_the_test() {
    let damages = [
        ("UPDATE payment_methods_journal SET entity_id = 'nobody' WHERE clock = 1", "payment_methods/nobody"),
        ("DELETE FROM payment_methods_journal WHERE clock = 1", "after clock 0 comes 2"),
        ("DELETE FROM payment_methods_journal WHERE clock = 2", "the counter stands at 2, the last entry at 1"),
        ("UPDATE payment_methods SET version = version + 1", "payment_methods/"),
        ("DELETE FROM payment_methods", "is in the journal at 1 and not in its table"),
    ];
    for (sql, expected) in damages {
        for scene in scenes().await {
            scene.method(card(APPROVES)).await;
            scene.method(card("test_4000000000000002")).await;
            scene.database().execute(sql).await;
            let failure = failure(scene);
            assert!(failure.as_ref().is_some_and(|told| told.contains(expected)), "{sql}: {failure:?}");
        }
    }
}

#[tokio::test]
async fn a_sound_journal_does_not() {
    for scene in scenes().await {
        scene.method(card(APPROVES)).await;
        assert_eq!(failure(scene), None);
    }
}
