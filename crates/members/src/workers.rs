//! The workers of members.

mod copy_names;
mod erase_people;
mod fill_from_orders;
mod fill_from_provisions;
mod leave_plans;
mod make_profiles;
mod make_relations;
mod move_to_owner;
mod note_entitlements;
mod repeat_erasures;
mod start_erasures;

use std::sync::Arc;

use pavise_kernel::worker::Worker;

pub(crate) use move_to_owner::{JoinProfiles, MergeMembers};

/// The workers of this domain.
pub(crate) fn list_workers() -> Vec<Arc<dyn Worker>> {
    vec![
        Arc::new(make_profiles::MakeProfiles),
        Arc::new(fill_from_orders::FillFromOrders),
        Arc::new(fill_from_provisions::FillFromProvisions),
        Arc::new(note_entitlements::NoteEntitlements),
        Arc::new(copy_names::CopyNames),
        Arc::new(make_relations::MakeRelations),
        Arc::new(leave_plans::LeavePlans),
        Arc::new(start_erasures::StartErasures),
        Arc::new(repeat_erasures::RepeatErasures),
        Arc::new(erase_people::ErasePeople),
    ]
}
