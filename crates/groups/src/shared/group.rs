//! The group that a request names.

use pavise_kernel::{Call, Error, Result};

use crate::contract::v1::{ErrorReason, Group, GroupStatus};

/// Loads the group.
///
/// # Errors
/// `INVALID_FIELD` at `group_id` where there is none.
pub(crate) async fn load_group(call: &Call, group_id: &str) -> Result<Group> {
    let found = call.find_unscoped::<Group>(group_id).await?;
    found.ok_or_else(|| Error::field("group_id", "names no group"))
}

/// Loads a group that takes new members.
///
/// # Errors
/// `INVALID_FIELD` at `group_id`, `GROUP_NOT_ACTIVE`.
pub(crate) async fn load_active_group(call: &Call, group_id: &str) -> Result<Group> {
    let group = load_group(call, group_id).await?;
    if group.status() == GroupStatus::Active {
        return Ok(group);
    }
    let message = format!("the group is {}", group.status().spelling());
    Err(Error::new(ErrorReason::GroupNotActive, message).with("status", group.status().spelling()))
}
