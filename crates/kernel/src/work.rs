//! Work behind the calls: workers that follow journals or a clock, and the runner that gives them turns.

mod cause;
mod due;
pub mod forget;
mod gauges;
pub mod notify_subject;
pub mod owned_entities;
mod person_calls;
pub mod runner;
pub mod schedule;
mod steering;
pub mod sweep_files;
pub mod test_clock;
pub mod unowned;
pub mod worker;
mod worker_calls;
mod worker_view;
