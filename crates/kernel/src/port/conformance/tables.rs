//! The tables that the suite uses; those of a domain look the same.

use pavise_contract::table::{Lookup, SortKind, Table};

use crate::port::migrations::{Migration, Migrations};

/// An aggregate with every kind of lookup.
pub static THING: Table = Table {
    name: "thing",
    journal: "things",
    message: "test.Thing",
    noun: "thing",
    initial: "NEW",
    terminal: &[],
    lookups: &[
        Lookup { name: "brand", json: "brand", ..LOOKUP },
        Lookup { name: "code", json: "code", unique: true, ..LOOKUP },
        Lookup { name: "site_name", json: "siteName", unique: true, fold: true, ..LOOKUP },
        Lookup { name: "emails.address", unique: true, fold: true, many: true, prefix: true, ..LOOKUP },
        Lookup { name: "tags", many: true, prefix: true, ..LOOKUP },
        Lookup { name: "label", json: "label", fold: true, sortable: Some(SortKind::Text), ..LOOKUP },
        Lookup { name: "due_on", json: "dueOn", sortable: Some(SortKind::Day), ..LOOKUP },
        Lookup { name: "seen_at", json: "seenAt", sortable: Some(SortKind::Instant), ..LOOKUP },
        Lookup { name: "size", json: "size", sortable: Some(SortKind::Number), ..LOOKUP },
        Lookup { name: "total", json: "total", sortable: Some(SortKind::Amount), ..LOOKUP },
        Lookup { name: "nick", json: "nick", unique: true, fold: true, within: WITHIN, ..LOOKUP },
    ],
    shared: false,
    visible: &[],
    indexes: &[&["status"], &["status", "brand"], &["owner_id", "due_on"], &["status", "seen_at"]],
    scopes: &[],
    unconfined: &[],
    unowned: None,
};

/// The fields that a nick is unique within.
const WITHIN: &[Lookup] = &[
    Lookup { name: "parent_id", json: "parentId", blank: true, ..LOOKUP },
    Lookup { name: "locale", json: "locale", blank: true, ..LOOKUP },
];

/// Another aggregate of the same journal, without lookups.
pub static GADGET: Table = Table { name: "gadget", message: "test.Gadget", noun: "gadget", lookups: &[], ..TEMPLATE };

/// An aggregate of another journal.
pub static PART: Table =
    Table { name: "part", journal: "parts", message: "test.Part", noun: "part", lookups: &[], ..TEMPLATE };

const LOOKUP: Lookup = Lookup::PLAIN;

const TEMPLATE: Table = Table {
    name: "",
    journal: "things",
    message: "",
    noun: "",
    initial: "NEW",
    terminal: &[],
    lookups: &[],
    shared: false,
    visible: &[],
    indexes: &[],
    scopes: &[],
    unconfined: &[],
    unowned: None,
};

/// The migration that makes the tables.
pub const MIGRATIONS: Migrations = Migrations {
    domain: "conformance",
    sqlite: &[Migration { number: 1, name: "conformance", sql: include_str!("sqlite.sql") }],
    postgres: &[Migration { number: 1, name: "conformance", sql: include_str!("postgres.sql") }],
};
