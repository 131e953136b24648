//! Unique lookups: taken, folded, released.

use super::Fixture;
use super::tables::THING;
use super::things::{SampleEntity, commit_all, commit_writes, journal_of, new_command};
use crate::port::store::Outcome;

/// A scalar value is taken for other entities, not for its own entity. An entity without a value takes none.
pub async fn taken_scalar(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let store = database.store.clone();
    let a = SampleEntity::new("a").with("code", "one").with("siteName", "Main Site");
    assert_eq!(commit_writes(&store, vec![a.create()]).await, Outcome::Committed(1));
    assert_eq!(
        commit_writes(&store, vec![SampleEntity::new("b").with("code", "one").create()]).await,
        Outcome::Taken("code".into())
    );
    let folded = SampleEntity::new("b").with("siteName", "MAIN site");
    assert_eq!(commit_writes(&store, vec![folded.create()]).await, Outcome::Taken("site_name".into()));
    assert_eq!(commit_writes(&store, vec![a.with("more", 1).change(1)]).await, Outcome::Committed(2), "its own value");
    assert_eq!(commit_writes(&store, vec![SampleEntity::new("b").create()]).await, Outcome::Committed(3));
    assert_eq!(
        commit_writes(&store, vec![SampleEntity::new("c").create()]).await,
        Outcome::Committed(4),
        "two without a value"
    );
    assert_eq!(
        commit_writes(&store, vec![SampleEntity::new("b").with("code", "one").change(1)]).await,
        Outcome::Taken("code".into())
    );
    assert_eq!(
        commit_writes(&store, vec![SampleEntity::new("d").with("code", "ONE").create()]).await,
        Outcome::Committed(5),
        "not folded"
    );
}

/// A repeated value is taken, whatever its case. A lookup that is not unique is never taken.
pub async fn taken_many_and_folded(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let store = database.store.clone();
    let a = SampleEntity::new("a")
        .many("emails.address", "ann@example.com")
        .many("emails.address", "Ann@Work.example")
        .many("tags", "x");
    let a = a.many("tags", "x");
    assert_eq!(commit_writes(&store, vec![a.create()]).await, Outcome::Committed(1), "a value twice is one");
    let b = SampleEntity::new("b").many("emails.address", "bob@example.com").many("tags", "x");
    assert_eq!(commit_writes(&store, vec![b.create()]).await, Outcome::Committed(2));
    let c = SampleEntity::new("c").many("tags", "x").many("emails.address", "ANN@work.EXAMPLE");
    assert_eq!(commit_writes(&store, vec![c.create()]).await, Outcome::Taken("emails.address".into()));
    assert_eq!(
        commit_writes(&store, vec![b.many("emails.address", "ann@example.com").change(1)]).await,
        Outcome::Taken("emails.address".into())
    );
    assert_eq!(commit_writes(&store, vec![a.change(1)]).await, Outcome::Committed(3), "its own values");
    let found = store.find(&THING, THING.lookup("emails.address").unwrap(), "ann@work.example").await.unwrap();
    assert_eq!(found.unwrap().id, "a");
}

/// Two writes of one batch, or of one command, want the same value: the first gets it.
pub async fn taken_in_a_batch(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let store = database.store.clone();
    let of = |id: &str| SampleEntity::new(id).with("code", "one").many("emails.address", "ann@example.com");
    let outcomes =
        commit_all(&store, &[new_command(vec![of("a").create()]), new_command(vec![of("b").create()])]).await;
    assert_eq!(outcomes, [Outcome::Committed(1), Outcome::Taken("code".into())]);
    let both = commit_writes(
        &store,
        vec![SampleEntity::new("c").with("code", "two").create(), SampleEntity::new("d").with("code", "two").create()],
    )
    .await;
    assert_eq!(both, Outcome::Taken("code".into()));
    let many = ["e", "f"].map(|id| SampleEntity::new(id).many("emails.address", "eve@example.com").create());
    assert_eq!(commit_writes(&store, many.to_vec()).await, Outcome::Taken("emails.address".into()));
    assert_eq!(journal_of(&store, "things").await.len(), 1);
}

/// A value is free again after its entity changes or is removed.
pub async fn a_value_is_released(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let store = database.store.clone();
    let of = |id: &str| {
        SampleEntity::new(id).with("code", "one").with("siteName", "Site").many("emails.address", "ann@example.com")
    };
    commit_writes(&store, vec![of("a").create()]).await;
    assert_eq!(commit_writes(&store, vec![SampleEntity::new("a").change(1)]).await, Outcome::Committed(2));
    assert_eq!(commit_writes(&store, vec![of("b").create()]).await, Outcome::Committed(3), "after a change");
    assert_eq!(commit_writes(&store, vec![of("b").remove(1)]).await, Outcome::Committed(4));
    assert_eq!(commit_writes(&store, vec![of("c").create()]).await, Outcome::Committed(5), "after a removal");
}

/// One command releases a value, and a later command of the same batch takes it.
pub async fn a_value_moves_within_a_batch(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let store = database.store.clone();
    let of = |id: &str, code: &str| SampleEntity::new(id).with("code", code).many("emails.address", code);
    // Both orders of the ids are tested, because an engine may write in the order of ids.
    for (number, (from, to)) in [("a", "b"), ("z", "y")].into_iter().enumerate() {
        let code = format!("code-{number}");
        commit_writes(&store, vec![of(from, &code).create()]).await;
        let batch = [new_command(vec![SampleEntity::new(from).change(1)]), new_command(vec![of(to, &code).create()])];
        let outcomes = commit_all(&store, &batch).await;
        assert!(outcomes.iter().all(|outcome| matches!(outcome, Outcome::Committed(_))), "{outcomes:?}");
        let found = store.find(&THING, THING.lookup("code").unwrap(), &code).await.unwrap().unwrap();
        assert_eq!(found.id, to);
    }
}

/// One command takes repeated values from one entity and gives them to another one.
pub async fn a_value_moves_within_a_command(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let store = database.store.clone();
    let email = THING.lookup("emails.address").unwrap();
    // Both orders of the ids are tested, because an engine may write in the order of ids.
    for (number, (from, to)) in [("a", "b"), ("z", "y")].into_iter().enumerate() {
        let code = format!("{number}@example.com");
        let with = |id: &str| SampleEntity::new(id).many("emails.address", &code);
        commit_writes(&store, vec![with(from).create(), SampleEntity::new(to).create()]).await;
        let moved = commit_writes(&store, vec![with(to).change(1), SampleEntity::new(from).change(1)]).await;
        assert!(matches!(moved, Outcome::Committed(_)), "{moved:?}");
        assert_eq!(store.find(&THING, email, &code).await.unwrap().unwrap().id, to);
    }
}

/// A value is taken within the same other fields, where nothing counts as a value. Elsewhere it is free.
pub async fn taken_within_other_fields(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let store = database.store.clone();
    let of = |id: &str, parent: &str, locale: &str, nick: &str| {
        let mut thing = SampleEntity::new(id).with("nick", nick);
        for (field, value) in [("parentId", parent), ("locale", locale)] {
            thing = if value.is_empty() { thing } else { thing.with(field, value) };
        }
        thing
    };
    let taken = Outcome::Taken("nick".into());
    assert_eq!(commit_writes(&store, vec![of("a", "one", "en", "Main").create()]).await, Outcome::Committed(1));
    assert_eq!(commit_writes(&store, vec![of("b", "one", "en", "MAIN").create()]).await, taken, "folded");
    assert_eq!(commit_writes(&store, vec![of("b", "two", "en", "Main").create()]).await, Outcome::Committed(2));
    assert_eq!(commit_writes(&store, vec![of("c", "one", "fr", "Main").create()]).await, Outcome::Committed(3));
    assert_eq!(commit_writes(&store, vec![of("d", "one", "", "Main").create()]).await, Outcome::Committed(4));
    assert_eq!(commit_writes(&store, vec![of("e", "one", "", "main").create()]).await, taken, "two without a locale");
    assert_eq!(commit_writes(&store, vec![of("e", "", "", "main").create()]).await, Outcome::Committed(5));
    assert_eq!(commit_writes(&store, vec![of("f", "", "", "main").create()]).await, taken, "two without anything");
    let none = [SampleEntity::new("g").with("parentId", "one"), SampleEntity::new("h").with("parentId", "one")];
    let none = none.map(|thing| thing.create()).to_vec();
    assert_eq!(commit_writes(&store, none).await, Outcome::Committed(7), "those without a value take none");
    assert_eq!(
        commit_writes(&store, vec![of("c", "one", "en", "Main").change(1)]).await,
        taken,
        "moved to where it is taken"
    );
    let both = [of("i", "x", "", "y").create(), of("j", "x", "", "Y").create()].to_vec();
    assert_eq!(commit_writes(&store, both).await, taken, "of one command");
    assert_eq!(
        commit_writes(&store, vec![of("a", "one", "en", "Other").change(1)]).await,
        Outcome::Committed(8),
        "released"
    );
    assert_eq!(commit_writes(&store, vec![of("c", "one", "en", "Main").change(1)]).await, Outcome::Committed(9));
    assert_eq!(journal_of(&store, "things").await.len(), 9);
}
