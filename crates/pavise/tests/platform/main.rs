//! The whole platform, as callers, operators and readers of its documents meet it. One program: it is linked once.

mod access;
mod acting;
mod bad_input;
mod confined;
mod demo;
mod documented;
mod documents;
mod household;
mod identity;
mod merge;
mod migrations;
mod money;
mod openapi;
mod operating;
mod promises;
mod rate_limits;
mod relations;
mod renamed_workers;
mod sealed;
mod setters;
mod shared_types;
mod unread;
mod vendor_off;
mod versions;
mod waits;
mod wire;
