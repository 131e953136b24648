//! Damaged bytes. The result is an answer or an error, and an answer is well-formed JSON.

use pavise_transcode::oracle::{arbitrary, count_or, scramble};
use pavise_transcode::{ToJson, Unknown};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use super::{FromJson, pool, schema};

fn damage(bytes: &mut Vec<u8>, rng: &mut StdRng, likely: &[u8]) {
    for _ in 0..rng.random_range(1..4) {
        if bytes.is_empty() {
            return;
        }
        let at = rng.random_range(0..bytes.len());
        let byte = if rng.random() { rng.random() } else { likely[rng.random_range(0..likely.len())] };
        match rng.random_range(0..5) {
            0 => bytes[at] = byte,
            1 => bytes.insert(at, byte),
            2 => drop(bytes.remove(at)),
            3 => bytes.truncate(at),
            _ => {
                let piece = bytes[at..].iter().take(20).copied().collect::<Vec<_>>();
                bytes.extend(piece);
            }
        }
    }
}

#[test]
fn damaged_wire_bytes() {
    let pool = pool::everything();
    let descriptor = pool.get_message_by_name("everything.v1.Everything").expect("the tests know their messages");
    let schema = schema("Everything");
    let mut rng = StdRng::seed_from_u64(1);
    for _ in 0..count_or(300) {
        let mut wire = scramble(&arbitrary(&descriptor, &mut rng), &mut rng);
        damage(&mut wire, &mut rng, &[0x80, 0xff, 0x0a, 0x03, 0x04]);
        let mut out = b"before".to_vec();
        match schema.to_json(&wire, ToJson { defaults: rng.random(), secrets: rng.random() }, &mut out) {
            Err(_) => assert_eq!(out, b"before"),
            Ok(()) => assert!(serde_json::from_slice::<serde_json::Value>(&out["before".len()..]).is_ok()),
        }
    }
}

#[test]
fn damaged_json() {
    let pool = pool::everything();
    let descriptor = pool.get_message_by_name("everything.v1.Everything").expect("the tests know their messages");
    let schema = schema("Everything");
    let mut rng = StdRng::seed_from_u64(2);
    for _ in 0..count_or(300) {
        let wire = prost::Message::encode_to_vec(&arbitrary(&descriptor, &mut rng));
        let mut json = Vec::new();
        schema.to_json(&wire, super::PLAIN, &mut json).expect("the message is right");
        damage(&mut json, &mut rng, b"{}[],:\"\\u09-.eEtfn \x00\xff");
        let mut out = b"before".to_vec();
        let unknown = if rng.random() { Unknown::Refuse } else { Unknown::Ignore };
        match schema.to_wire(&json, FromJson { unknown }, &mut out) {
            Err(error) => {
                assert_eq!(out, b"before");
                assert!(error.line > 0 && error.column > 0);
            }
            Ok(()) => {
                let shown = String::from_utf8_lossy(&json);
                // serde_json also refuses every number that a double cannot hold.
                let theirs = serde_json::from_slice::<serde_json::Value>(&json);
                assert!(
                    theirs.as_ref().is_err_and(|error| error.to_string().contains("out of range")) || theirs.is_ok(),
                    "{shown}"
                );
                schema
                    .to_json(&out["before".len()..], super::PLAIN, &mut Vec::new())
                    .expect("what was read can be written");
            }
        }
    }
}
