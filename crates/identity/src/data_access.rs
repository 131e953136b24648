//! The record of reads of people's personal data by others.

mod record_data_accesses;
mod support;

pub(crate) use record_data_accesses::record_data_accesses;
pub use support::recorder::ReadRecorder;
