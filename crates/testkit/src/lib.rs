//! Tools of tests: databases, network faults, logs, and chance.

pub mod chance;
pub mod faults;
pub mod grpc;
pub mod logs;
pub mod postgres;
pub mod runs;
#[cfg(feature = "s3")]
pub mod s3;
#[cfg(feature = "scene")]
pub mod scene;
#[cfg(feature = "stripe")]
pub mod stripe;
