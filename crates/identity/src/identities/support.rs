//! The helpers of the service.

pub(crate) mod challenge_answer;
pub(crate) mod decoy;
pub(crate) mod name;
pub(crate) mod password_rows;
pub(crate) mod passwords;
pub(crate) mod state;
