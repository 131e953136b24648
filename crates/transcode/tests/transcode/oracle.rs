//! Checks random messages of every type against prost-reflect.

use std::num::NonZero;
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::pool;

use pavise_transcode::oracle::{Oracle, count_or};
use prost_reflect::DescriptorPool;

/// Checks `count` messages of each type (or as many as the environment asks for), on all cores.
fn check_all(pool: &DescriptorPool, package: &str, count: u64) {
    let messages: Vec<_> = pool
        .all_messages()
        .filter(|message| !message.is_map_entry() && message.package_name().starts_with(package))
        .collect();
    assert!(!messages.is_empty());
    let (count, types) = (count_or(count), messages.len());
    let left = Mutex::new(messages.into_iter().zip(0..));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(2, NonZero::get) {
            scope.spawn(|| {
                let oracle = Oracle::new(pool);
                loop {
                    let next = left.lock().unwrap_or_else(PoisonError::into_inner).next();
                    let Some((message, seed)) = next else { return };
                    if let Err(error) = oracle.check(&message, count, seed) {
                        panic!("{error}");
                    }
                }
            });
        }
    });
    println!("{types} types, {count} random messages of each equal the oracle in both directions");
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
