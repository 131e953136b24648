//! Properties of key databases.

use super::Fixture;
use crate::port::key_store::WrappedKey;

fn key(name: &str, master: &str, wrapped: &[u8]) -> WrappedKey {
    WrappedKey { name: name.to_owned(), master: master.to_owned(), wrapped: wrapped.to_vec(), at: 7 }
}

fn names<const N: usize>(names: [&str; N]) -> Vec<String> {
    names.map(str::to_owned).to_vec()
}

/// Of two processes that make a person's key at once, the first one's is everybody's.
pub async fn a_name_has_one_key(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let (here, there) = (&database.keys, &database.other_keys);
    let (first, second) = ([key("p/a'\"", "m", b"\x00\xff1"), key("p/b", "m", b"2")], [key("p/b", "m", b"3")]);
    let (one, other) = tokio::join!(here.add(&first), there.add(&second));
    one.unwrap();
    other.unwrap();
    there.add(&[key("p/a'\"", "m", b"late")]).await.unwrap();
    let mut found = here.keys(&names(["p/a'\"", "p/b", "p/none"])).await.unwrap();
    found.sort_by(|a, b| a.name.cmp(&b.name));
    assert_eq!(found[0], first[0]);
    assert!(found[1] == first[1] || found[1] == second[0]);
    assert_eq!(found.len(), 2);
    assert!(here.keys(&[]).await.unwrap().is_empty());
}

/// A destroyed key has no bytes, and its name gets no other key. So it is for a name that had none.
pub async fn a_destroyed_key_stays_destroyed(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let (here, there) = (&database.keys, &database.other_keys);
    here.add(&[key("p/a", "m", b"1"), key("p/b", "m", b"2")]).await.unwrap();
    there.destroy(&names(["p/a", "p/c"]), 9).await.unwrap();
    here.destroy(&names(["p/a"]), 10).await.unwrap();
    here.add(&[key("p/a", "m", b"new"), key("p/c", "m", b"new")]).await.unwrap();
    let mut found = here.keys(&names(["p/a", "p/b", "p/c"])).await.unwrap();
    found.sort_by(|a, b| a.name.cmp(&b.name));
    let seen: Vec<_> = found.iter().map(|key| (key.is_destroyed(), key.at)).collect();
    assert_eq!(seen, [(true, 9), (false, 7), (true, 9)], "the time of the first erasure stays");
    let listed = |page: Vec<WrappedKey>| page.into_iter().map(|key| key.name).collect::<Vec<_>>();
    assert_eq!(listed(there.destroyed("", 10).await.unwrap()), ["p/a", "p/c"], "the list of the erased");
    assert_eq!(listed(there.destroyed("", 1).await.unwrap()), ["p/a"]);
    assert_eq!(listed(there.destroyed("p/a", 1).await.unwrap()), ["p/c"]);
}

/// A rotation replaces what it has read, and nothing that changed meanwhile.
pub async fn a_key_is_rewrapped_where_it_is_still_the_same(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let keys = &database.keys;
    let old: Vec<WrappedKey> = ["p/a", "p/b", "p/c", "p/d"].map(|name| key(name, "old", name.as_bytes())).to_vec();
    keys.add(&old).await.unwrap();
    keys.add(&[key("p/e", "new", b"5")]).await.unwrap();
    keys.destroy(&names(["p/b"]), 9).await.unwrap();
    let page = keys.wrapped_otherwise("new", "", 2).await.unwrap();
    assert_eq!(page, [old[0].clone(), old[2].clone()], "destroyed ones are wrapped by none");
    assert_eq!(keys.wrapped_otherwise("new", "p/c", 9).await.unwrap(), [old[3].clone()]);
    let pairs: Vec<_> =
        old.iter().map(|one| (one.clone(), key(&one.name, "new", format!("{}!", one.name).as_bytes()))).collect();
    assert_eq!(database.other_keys.rewrap(&pairs).await.unwrap(), 3);
    assert_eq!(keys.rewrap(&pairs).await.unwrap(), 0, "it was done already");
    assert!(keys.wrapped_otherwise("new", "", 9).await.unwrap().is_empty());
    let found = keys.keys(&names(["p/a", "p/b"])).await.unwrap();
    let bytes: Vec<_> = found.iter().map(|one| (one.name.as_str(), one.wrapped.as_slice())).collect();
    assert!(bytes.contains(&("p/a", b"p/a!")) && bytes.contains(&("p/b", b"")), "{bytes:?}");
}
