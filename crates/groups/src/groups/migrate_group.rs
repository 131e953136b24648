//! Brings a group of the older system over, or replaces the one that was brought over before.

use pavise_kernel::{Call, EditContext, Result};

use crate::contract::v1::{Group, MigrateGroupRequest};

pub(crate) async fn migrate_group(call: &Call, request: MigrateGroupRequest) -> Result<Group> {
    let context = EditContext::of(call);
    let fill = |group: &mut Group| {
        group.fill_from_draft(request.group.clone().unwrap_or_default(), &context);
        group.set_status(request.status());
        group.legacy_number.clone_from(&request.legacy_number);
        group.cancel_reason = request.cancel_reason;
        group.cancelled_on = request.cancelled_on;
        group.check_below("group.")
    };
    if call.find_unscoped::<Group>(&request.id).await?.is_some() {
        return call.change::<Group>(&request.id, fill).await;
    }
    let mut group = Group { id: request.id.clone(), ..Group::default() };
    fill(&mut group)?;
    call.create(group).await
}
