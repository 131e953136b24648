//! The service `application_settings`: the contract declares all its calls.

mod rules;
