use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};

use super::*;

#[derive(Debug, Clone, Default, PartialEq)]
struct Part {
    id: String,
    name: String,
    region: i32,
    text: String,
    /// Set by the service only.
    seen: i32,
}

#[derive(Debug, Clone, Default, PartialEq)]
struct Shelf {
    region: i32,
    parts: Vec<Part>,
}

/// The field by which parts are told apart.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Key {
    Id,
    /// Without case.
    Name,
    Region,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    Append,
    Put,
    Replace,
    Remove,
}

const PARTS: RequestField = RequestField { name: "parts", many: true };

fn form(key: Key) -> ItemForm<Part> {
    let (key, same): (_, fn(&Part, &Part) -> bool) = match key {
        Key::Id => ("id", |one, other| one.id == other.id),
        Key::Name => ("name", |one, other| one.name.eq_ignore_ascii_case(&other.name)),
        Key::Region => ("region", |one, other| one.region == other.region),
    };
    ItemForm { key, same, id: Some((|part| &part.id, |part| &mut part.id)), keep: |known, part| part.seen = known.seen }
}

fn edit(parts: &mut Vec<Part>, kind: Kind, key: Key, new: &[Part], new_id: &dyn Fn() -> String) -> Result<Vec<usize>> {
    let edit = ListEdit { form: form(key), from: PARTS, new_id };
    let has_key = |part: &Part, wanted: &Part| match key {
        Key::Id => part.id == wanted.id,
        Key::Name => part.name.eq_ignore_ascii_case(&wanted.name),
        Key::Region => part.region == wanted.region,
    };
    match kind {
        Kind::Append => edit.append_items(parts, new),
        Kind::Put => edit.upsert_items(parts, new),
        Kind::Replace => edit.replace_items(parts, new),
        Kind::Remove => remove(parts, new, PARTS, has_key, false).map(|()| Vec::new()),
    }
}

/// The plain model: parts by their keys, and the order of the keys. `None` where the edit is refused.
fn model(parts: &[Part], kind: Kind, key: Key, new: &[Part], new_id: &dyn Fn() -> String) -> Option<Vec<Part>> {
    let key_of = |part: &Part| match key {
        Key::Id => part.id.clone(),
        Key::Name => part.name.to_ascii_lowercase(),
        Key::Region => part.region.to_string(),
    };
    let mut order: Vec<String> = parts.iter().map(key_of).collect();
    let mut known: BTreeMap<String, Part> = parts.iter().map(|part| (key_of(part), part.clone())).collect();
    let mut named = BTreeSet::new();
    for part in new {
        let mut part = part.clone();
        let before = known.get(&key_of(&part)).cloned();
        let (may_be_there, must_be_there) = match kind {
            Kind::Append => (false, false),
            Kind::Put => (true, false),
            Kind::Replace | Kind::Remove => (true, true),
        };
        if before.is_some() && !may_be_there || before.is_none() && must_be_there {
            return None;
        }
        if let Kind::Remove = kind {
            known.remove(&key_of(&part));
            order.retain(|known| *known != key_of(&part));
            continue;
        }
        if part.id.is_empty() {
            part.id = before.as_ref().map_or_else(new_id, |before| before.id.clone());
        }
        let is_other = |other: &Part| key_of(other) != key_of(&part) && other.id == part.id;
        if known.values().any(is_other) || !named.insert(key_of(&part)) {
            return None;
        }
        part.seen = before.as_ref().map_or(0, |before| before.seen);
        if before.is_none() {
            order.push(key_of(&part));
        }
        known.insert(key_of(&part), part);
    }
    Some(order.iter().map(|key| known[key].clone()).collect())
}

/// A part of few possible keys, so that sequences meet the same ones.
fn random_part(rng: &mut StdRng) -> Part {
    let id = ["", "a", "b", "c", "d"][rng.random_range(0..5)].to_owned();
    let name = ["lamp", "Lamp", "LAMP", "rug", "Rug", "bed"][rng.random_range(0..6)].to_owned();
    let text = rng.random_range(0..1000).to_string();
    Part { id, name, region: rng.random_range(1..5), text, seen: rng.random_range(0..9) }
}

#[test]
fn edits_equal_a_plain_model_over_random_sequences() {
    let mut rng = StdRng::seed_from_u64(14);
    let (mut made, mut refused) = (0, 0);
    for sequence in 0..10_000 {
        let key = [Key::Id, Key::Name, Key::Region][sequence % 3];
        let mut shelves: Vec<Shelf> = (1..4).map(|region| Shelf { region, parts: Vec::new() }).collect();
        let (ours, theirs) = (Cell::new(0), Cell::new(0));
        let count = |ids: &Cell<u32>| {
            ids.set(ids.get() + 1);
            format!("new-{}", ids.get())
        };
        for _ in 0..8 {
            let region = rng.random_range(1..5);
            let kind = [Kind::Append, Kind::Put, Kind::Replace, Kind::Remove][rng.random_range(0..4)];
            let new: Vec<Part> = (0..rng.random_range(0..4)).map(|_| random_part(&mut rng)).collect();
            let before = shelves.clone();
            let found = find_outer(&mut shelves, |shelf| shelf.region == region, "region");
            let Ok((at, shelf)) = found else {
                assert_eq!((region, &shelves), (4, &before), "only the shelf that is not there is not found");
                continue;
            };
            let edited = edit(&mut shelf.parts, kind, key, &new, &|| count(&ours));
            match model(&before[at].parts, kind, key, &new, &|| count(&theirs)) {
                Some(expected) => {
                    assert_eq!(shelf.parts, expected, "{kind:?} by {key:?} of {new:?} to {before:?}");
                    for (item, place) in new.iter().zip(edited.unwrap()) {
                        assert_eq!(shelf.parts[place].text, item.text, "the place of each item is told");
                    }
                    made += 1;
                }
                None => {
                    assert!(edited.is_err(), "{kind:?} by {key:?} of {new:?} to {before:?}");
                    assert_eq!(shelves, before, "a refused edit changes nothing");
                    refused += 1;
                }
            }
            // A refused edit may have made more ids than the model, which stops at once.
            theirs.set(ours.get());
        }
    }
    assert!(made > 10_000 && refused > 10_000, "{made} edits and {refused} refusals");
}

#[test]
fn texts_equal_a_plain_model_over_random_sequences() {
    let mut rng = StdRng::seed_from_u64(41);
    for _ in 0..2_000 {
        let mut texts: Vec<String> = Vec::new();
        for _ in 0..8 {
            let new: Vec<String> = (0..rng.random_range(0..3)).map(|_| rng.random_range(0..6).to_string()).collect();
            let before = texts.clone();
            let all: BTreeSet<&String> = new.iter().collect();
            let is_twice = all.len() < new.len();
            if rng.random_bool(0.6) {
                let form = ItemForm { key: "", same: |one, other| one == other, id: None, keep: |_, _| () };
                let edit = ListEdit { form, from: PARTS, new_id: &String::new };
                let is_refused = edit.append_items(&mut texts, &new).is_err();
                assert_eq!(is_refused, is_twice || new.iter().any(|text| before.contains(text)));
                let expected = if is_refused { before } else { [before, new].concat() };
                assert_eq!(texts, expected);
            } else {
                let is_refused = remove(&mut texts, &new, PARTS, |text, key| text == key, false).is_err();
                assert_eq!(is_refused, is_twice || new.iter().any(|text| !before.contains(text)));
                let left = before.iter().filter(|text| is_refused || !new.contains(text)).cloned().collect::<Vec<_>>();
                assert_eq!(texts, left);
            }
        }
    }
}

fn part(id: &str, name: &str) -> Part {
    Part { id: id.to_owned(), name: name.to_owned(), ..Part::default() }
}

/// The paths that are refused and the descriptions. The first one gives the reason.
fn fields(result: Result<Vec<usize>>) -> Vec<(String, String)> {
    let error = result.unwrap_err();
    let all = [Fault::Taken, Fault::Unknown, Fault::Twice];
    let first = all.into_iter().find(|fault| fault.description() == error.violations()[0].description).unwrap();
    assert!(error.is(first.reason()), "{error}");
    error.violations().iter().map(|one| (one.field.clone(), one.description.clone())).collect()
}

#[test]
fn each_refused_item_is_named_by_its_path() {
    let there = vec![part("a", "lamp"), part("b", "rug")];
    let no_id = || "new".to_owned();
    let said = |kind, key, new: &[Part]| fields(edit(&mut there.clone(), kind, key, new, &no_id));
    let violation = |field: &str, fault: Fault| (field.to_owned(), fault.description().to_owned());
    let new = [part("c", "bed"), part("b", "x"), part("c", "y")];
    assert_eq!(
        said(Kind::Append, Key::Id, &new),
        [violation("parts[1].id", Fault::Taken), violation("parts[2].id", Fault::Taken)],
        "the second is there, and the third repeats the first"
    );
    assert_eq!(
        said(Kind::Replace, Key::Id, &new),
        [violation("parts[0].id", Fault::Unknown), violation("parts[2].id", Fault::Twice)],
        "only the second is there, and the third repeats the first"
    );
    assert_eq!(said(Kind::Put, Key::Id, &[part("a", "x"), part("a", "y")]), [violation("parts[1].id", Fault::Twice)]);
    assert_eq!(said(Kind::Put, Key::Name, &[part("b", "LAMP")]), [violation("parts[0].id", Fault::Taken)]);
    assert_eq!(said(Kind::Replace, Key::Id, &[part("", "lamp")]), [violation("parts[0].id", Fault::Unknown)]);
    assert_eq!(
        said(Kind::Remove, Key::Id, &[part("a", ""), part("z", ""), part("a", "")]),
        [violation("parts[1]", Fault::Unknown), violation("parts[2]", Fault::Unknown)]
    );
    let one = RequestField { name: "part", many: false };
    let edit = ListEdit { form: form(Key::Id), from: one, new_id: &no_id };
    assert_eq!(fields(edit.append_items(&mut there.clone(), &[part("a", "")])), [violation("part.id", Fault::Taken)]);
}

#[test]
fn a_key_that_is_not_there_can_be_passed_over() {
    let mut texts = vec!["a".to_owned(), "b".to_owned()];
    let keys = ["a".to_owned(), "z".to_owned()];
    remove(&mut texts, &keys, PARTS, |text: &String, key| text == key, true).unwrap();
    assert_eq!(texts, ["b"]);
}

#[test]
fn rules_of_the_entity_name_the_items_of_the_request() {
    let places = ItemPlaces::default();
    places.note_places("shelves[1].parts", PARTS, &[7, 2]);
    places.note_places("shelves[1].parts", PARTS, &[3, 1]);
    let error = Error::field("shelves[1].parts[3].id", "is wrong")
        .violation("shelves[1].parts[1]", "too")
        .violation("shelves[1].parts[31].id", "stays")
        .violation("shelves[1].parts[7]", "is of an earlier attempt");
    let error = places.translate_paths(error);
    let fields: Vec<&str> = error.violations().iter().map(|one| one.field.as_str()).collect();
    assert_eq!(fields, ["parts[0].id", "parts[1]", "shelves[1].parts[31].id", "shelves[1].parts[7]"]);
    assert_eq!(error.message(), "parts[0].id: is wrong");
}
