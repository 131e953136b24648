//! The contract: the rules of the protos for every call, aggregate, field and value.
//!
//! [`table`] holds the plain constants that the build-time generator writes and the kernel enforces. [`Contract`] reads
//! the same facts from a descriptor pool, for the generator, the REST facade, the documents and the tests. [`common`]
//! and [`options`] are the messages themselves.

mod breaking;
mod comment;
mod display;
mod error;
mod expand;
mod field;
mod media;
mod model;
mod option;
mod reason;
mod sealed;
pub mod spelling;
mod step;
pub mod table;
mod vocabulary;

pub use breaking::{Breaking, breaking};
pub use comment::documentation;
pub use display::check_display;
pub use error::ContractError;
pub use field::{
    Sensitivity, audience_of, can_be_empty, erasure_in, erasure_of, format_of, is_checked_value, is_immutable,
    is_output_only, is_personal, key_of, mask_of, reference_of, sealed_of, setters_of,
};
pub use media::{is_type_rule, takes_type};
pub use model::{Aggregate, Behavior, Binding, Contract, Method, Service, Verb, same_type};
pub use option::comment_of;
pub use reason::{Reason, domain_of, reason_code};
pub use sealed::{held_by, parent_of, table_of};
pub use step::Step;

/// Expands the short form of an encoded descriptor set: what `buf build` writes becomes what everything else reads.
///
/// # Errors
/// When the set cannot be read.
pub fn expand(set: &[u8]) -> Result<Vec<u8>, ContractError> {
    expand::expand(set).map_err(|problem| ContractError::new("descriptor set", problem))
}

/// Messages that every domain uses: money, dates, places, the journal.
#[expect(missing_docs, clippy::all, reason = "generated from commented protos")]
pub mod common {
    pub mod v1 {
        include!(concat!(env!("OUT_DIR"), "/pavise.common.v1.rs"));
    }
}

/// The options themselves, as messages.
#[expect(missing_docs, reason = "generated from commented protos")]
pub mod options {
    pub mod v1 {
        include!(concat!(env!("OUT_DIR"), "/pavise.contract.v1.rs"));
    }
}

/// The HTTP annotations, as messages.
#[expect(missing_docs, reason = "generated from commented protos")]
pub mod google {
    pub mod api {
        include!(concat!(env!("OUT_DIR"), "/google.api.rs"));
    }
}

/// The validation rules of [`common`], generated from its `buf.validate` options.
#[expect(
    clippy::expect_used,
    clippy::len_zero,
    clippy::collapsible_if,
    clippy::manual_range_contains,
    reason = "generated: the patterns were compiled when they were generated"
)]
mod validate {
    use super::google;
    mod pavise {
        pub(super) use crate::common;
    }
    include!(concat!(env!("OUT_DIR"), "/validate_impl.rs"));

    /// The message has no fields, so it has no rules.
    impl prost_protovalidate::Validate for pavise::common::v1::GetMaxClockRequest {
        fn validate(&self) -> Result<(), prost_protovalidate::ValidationError> {
            Ok(())
        }
    }
}

include!(concat!(env!("OUT_DIR"), "/spellings.rs"));
include!(concat!(env!("OUT_DIR"), "/kinds.rs"));

/// The encoded descriptors of the options and the shared messages, with their comments.
pub const DESCRIPTORS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/contract.binpb"));
