//! The workers of the domain.

mod deliver_invitation_notices;
mod deliver_notices;
mod forget_challenges;
mod forget_email_addresses;
mod forget_password_resets;
mod merge_names;
mod prepare_password_resets;
mod reseal_secrets;
mod retry_notices;
mod rotate_keys;
mod support;
mod wake_processors;

use std::sync::Arc;

use pavise_kernel::worker::Worker;

use crate::config::Config;

/// The workers of this domain.
pub(crate) fn list_workers(config: &Config) -> Vec<Arc<dyn Worker>> {
    vec![
        Arc::new(reseal_secrets::ResealSecrets::new(config)),
        Arc::new(rotate_keys::RotateKeys::new(config)),
        Arc::new(deliver_notices::DeliverNotices),
        Arc::new(deliver_invitation_notices::DeliverInvitationNotices),
        Arc::new(prepare_password_resets::PreparePasswordResets),
        Arc::new(forget_password_resets::ForgetPasswordResets),
        Arc::new(forget_challenges::ForgetChallenges),
        Arc::new(forget_email_addresses::ForgetEmailAddresses),
        Arc::new(retry_notices::RetryNotices),
        Arc::new(merge_names::MergeNames),
        Arc::new(wake_processors::WakeProcessors),
    ]
}
