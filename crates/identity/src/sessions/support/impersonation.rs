//! The end of an impersonation.

use crate::contract::v1::{Impersonation, ImpersonationStatus};

/// The impersonation after its end.
pub(crate) fn into_ended(impersonation: Impersonation) -> Impersonation {
    Impersonation { status: ImpersonationStatus::Ended.into(), ..impersonation }
}
