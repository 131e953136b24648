//! Tests of the orders domain through its own calls and workers. Doubles play the other domains and count their
//! requests.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

mod benefit_cohorts;
mod cancellations;
mod cohorts;
mod eligibility;
mod erasure;
mod groups;
mod held;
mod merges;
mod nobodys;
mod notes;
mod peers;
mod people;
mod prices;
mod purchase;
mod restricted;
mod scene;
mod sealed;
mod searches;
mod supplements;
mod tax;
mod values;
mod visitors;
mod watching;
