//! The service `cohorts`: groups of identities that something special holds for.

mod rules;
mod siblings;
