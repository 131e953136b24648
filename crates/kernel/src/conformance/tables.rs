//! The tables that the suite uses; those of a domain look the same.

use pavise_contract::table::{Lookup, Table};

use crate::migrations::{Migration, Migrations};

/// An aggregate with every kind of lookup.
pub static THING: Table = Table {
    name: "thing",
    journal: "things",
    message: "test.Thing",
    noun: "thing",
    initial: "NEW",
    terminal: &[],
    lookups: &[
        Lookup { name: "brand", json: "brand", unique: false, fold: false, many: false, prefix: false },
        Lookup { name: "code", json: "code", unique: true, fold: false, many: false, prefix: false },
        Lookup { name: "site_name", json: "siteName", unique: true, fold: true, many: false, prefix: false },
        Lookup { name: "emails.address", json: "", unique: true, fold: true, many: true, prefix: true },
        Lookup { name: "tags", json: "", unique: false, fold: false, many: true, prefix: true },
    ],
    shared: false,
    visible: &[],
};

/// Another aggregate of the same journal, without lookups.
pub static GADGET: Table = Table { name: "gadget", message: "test.Gadget", noun: "gadget", lookups: &[], ..TEMPLATE };

/// An aggregate of another journal.
pub static PART: Table =
    Table { name: "part", journal: "parts", message: "test.Part", noun: "part", lookups: &[], ..TEMPLATE };

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
};

/// The migration that makes the tables.
pub const MIGRATIONS: Migrations = Migrations {
    domain: "conformance",
    sqlite: &[Migration { number: 1, name: "conformance", sql: include_str!("sqlite.sql") }],
    postgres: &[Migration { number: 1, name: "conformance", sql: include_str!("postgres.sql") }],
};
