//! The helpers of notes.

pub(crate) mod contact;
