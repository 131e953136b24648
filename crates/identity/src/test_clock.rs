//! The test clock, on installations for trials.

mod advance_test_clock;
mod get_test_clock;
mod stop_test_clock;
mod support;
mod watch_test_clock;

pub(crate) use advance_test_clock::advance_test_clock;
pub(crate) use get_test_clock::get_test_clock;
pub(crate) use stop_test_clock::stop_test_clock;
pub(crate) use watch_test_clock::watch_test_clock;
