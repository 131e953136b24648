//! The workers of the domain.

mod deliver_notices;
mod forget_challenges;
mod forget_email_addresses;
mod forget_password_resets;
mod merge_names;
mod prepare_password_resets;
mod reseal;
mod retry_notices;
mod rotate_keys;
mod support;
mod wake_processors;

use std::sync::Arc;

use pavise_kernel::worker::Worker;

use crate::config::Config;
use crate::contract::v1::{InvitationNotice, Notice};
use crate::contract::{INVITATION_NOTICE_TABLE, NOTICE_TABLE, feeds};

/// Every worker.
pub(crate) fn all(config: Config) -> Vec<Arc<dyn Worker>> {
    vec![
        Arc::new(reseal::Resealing::new(config.clone())),
        Arc::new(rotate_keys::KeyRotation::new(config)),
        Arc::new(deliver_notices::NoticeDelivery::<Notice>::new("identity.notices", feeds::IDENTITIES)),
        Arc::new(deliver_notices::NoticeDelivery::<InvitationNotice>::new(
            "identity.invitation_notices",
            feeds::INVITATIONS,
        )),
        Arc::new(prepare_password_resets::ResetPreparation),
        Arc::new(forget_password_resets::ResetRemoval),
        Arc::new(forget_challenges::ChallengeRemoval),
        Arc::new(forget_email_addresses::AddressRemoval),
        Arc::new(retry_notices::NoticeRetry::new(vec![&NOTICE_TABLE, &INVITATION_NOTICE_TABLE])),
        Arc::new(merge_names::NameMerging),
        Arc::new(wake_processors::ProcessorWaking),
    ]
}
