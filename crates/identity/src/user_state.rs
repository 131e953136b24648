//! The service `user_state`: the contract declares all its calls.

mod rules;
