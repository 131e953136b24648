//! The port to a payment vendor.
//!
//! A vendor owes two things. A reference moves money at most once, however often it is submitted. A question about a
//! reference is answered with the outcome. The rest of billing relies on both and on nothing else.

use std::fmt;

use async_trait::async_trait;
use pavise_kernel::{Call, Result};

use crate::contract::v1::DeclineReason;
use crate::shared::admission::admitted::AdmittedUse;

/// The decision of a vendor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Verdict {
    /// Whether it was accepted.
    pub(crate) decision: Decision,
    /// The vendor's reference.
    pub(crate) vendor_reference: String,
}

/// Whether a vendor accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Decision {
    /// It accepted.
    Approved,
    /// It refused; another attempt may succeed.
    Declined(DeclineReason),
    /// It refused for good.
    HardDeclined(DeclineReason),
}

/// The state of a reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ReferenceState {
    /// The vendor has decided.
    Decided(Verdict),
    /// The vendor has received it, or may have, and has not said the outcome.
    Undecided,
    /// The vendor has never received it.
    Unknown,
}

/// A payment vendor.
#[async_trait]
pub(crate) trait PaymentVendor: Send + Sync + fmt::Debug + 'static {
    /// Asks for a charge, a sale, an authorization, a verification or a refund, as the kind of the admitted use says. A
    /// known reference is answered as before.
    ///
    /// # Errors
    /// When the vendor cannot be reached. It may have received the request all the same.
    async fn submit(&self, call: &Call, admitted: &AdmittedUse) -> Result<ReferenceState>;

    /// Asks for the outcome of a reference.
    ///
    /// # Errors
    /// When the vendor cannot be reached.
    async fn query(&self, call: &Call, reference: &str) -> Result<ReferenceState>;
}
