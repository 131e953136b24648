//! Random messages of every type, against prost-reflect.

use super::pool;

use pavise_transcode::oracle::{Oracle, count_or};
use prost_reflect::DescriptorPool;

fn check_all(pool: &DescriptorPool, package: &str, count: u64) {
    let oracle = Oracle::new(pool);
    let messages: Vec<_> =
        pool.all_messages().filter(|message| !message.is_map_entry() && message.package_name().starts_with(package)).collect();
    assert!(!messages.is_empty());
    for (message, seed) in messages.iter().zip(0..) {
        if let Err(error) = oracle.check(message, count_or(count), seed) {
            panic!("{error}");
        }
    }
}

#[test]
fn every_kind_of_field() {
    check_all(&pool::everything(), "everything", 100);
}

#[test]
fn every_well_known_type() {
    check_all(&pool::everything(), "google.protobuf", 30);
}

#[test]
fn every_message_of_the_contract() {
    check_all(&pool::contract(), "", 20);
}

#[test]
fn every_message_of_the_platform() {
    check_all(&pool::platform(), "pavise", 3);
}
