//! Who sees more than a customer.

use pavise_kernel::Call;
use pavise_kernel::table::Realm;

/// Whether the caller works for the platform or a partner, with the permission that the contract demands.
pub(crate) fn is_staff(call: &Call) -> bool {
    match call.caller().realm {
        Realm::Internal | Realm::Machine | Realm::Partner => true,
        Realm::Unspecified | Realm::User | Realm::GroupAdmin => false,
    }
}
