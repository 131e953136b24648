//! The service `amendments`: amendments of members' contracts.

mod change_amendment_owner;
mod create_amendment;
mod rules;
