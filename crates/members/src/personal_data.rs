//! The service `personal_data`: what the platform has of a person, and its erasure in all services.

mod cancel_person_erasure;
mod export_personal_data;
mod finish_person_erasure;
mod preview_person_erasure;
mod record_destroyed_key;
mod record_erased_domain;
mod repeat_person_erasure;
mod start_person_erasure;

pub(crate) use cancel_person_erasure::cancel_person_erasure;
pub(crate) use export_personal_data::export_personal_data;
pub(crate) use preview_person_erasure::preview_person_erasure;
pub(crate) use repeat_person_erasure::repeat_person_erasure;
pub(crate) use start_person_erasure::start_person_erasure;
