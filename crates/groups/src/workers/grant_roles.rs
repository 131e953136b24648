//! `groups.grant_roles`: gives the roles of a group to the identities that have them, and takes them from those that have
//! them no more. It makes an identity for an invited address, and lets the person choose a password.

use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::table::ScopeKind;
use pavise_kernel::worker::{self, JournalFeed, Work, Worker};
use pavise_kernel::{Common, Error, Result, async_trait};
use tonic::Request;

use crate::contract::actions::group as actions;
use crate::contract::feeds;
use crate::contract::identity::identity_service_client::IdentityServiceClient;
use crate::contract::identity::{
    CreateIdentityRequest, IdentityRealm, ListIdentitiesRequest, ScopeGrant, SendPasswordResetEmailRequest,
    SetGroupRolesRequest,
};
use crate::contract::v1::group_service_client::GroupServiceClient;
use crate::contract::v1::{AuthorizedIdentity, GetGroupRequest, Group, InvitedIdentity, RecordGrantedRolesRequest};

/// The actions after which somebody may have another role.
const ACTIONS: [&str; 8] = [
    actions::AUTHORIZED_IDENTITIES_ADDED,
    actions::AUTHORIZED_IDENTITIES_UPDATED,
    actions::AUTHORIZED_IDENTITIES_REMOVED,
    actions::AUTHORIZED_IDENTITY_DIVISIONS_ADDED,
    actions::AUTHORIZED_IDENTITY_DIVISIONS_UPDATED,
    actions::AUTHORIZED_IDENTITY_DIVISIONS_REMOVED,
    actions::ROLES_GRANTED,
    actions::DELETED,
];

/// The worker.
#[derive(Debug)]
pub(crate) struct GrantRoles;

#[async_trait]
impl Worker for GrantRoles {
    fn name(&self) -> &'static str {
        "groups.grant_roles"
    }

    fn feed(&self) -> JournalFeed {
        feeds::GROUPS
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        if !ACTIONS.contains(&entry.action.as_str()) {
            return Ok(());
        }
        let Some(told) = worker::decode_entity::<Group>(entry)? else { return Ok(()) };
        match load_group(work, &told.id).await? {
            Some(group) => grant(work, &group).await,
            None => revoke_all(work, &told).await,
        }
    }
}

/// The group as it is now: an entry can be older than a change that takes the role away again.
async fn load_group(work: &Work, id: &str) -> Result<Option<Group>> {
    let mut groups = GroupServiceClient::new(work.peer_channel("groups"));
    match groups.get_group(Request::new(GetGroupRequest { group_id: id.to_owned() })).await.map_err(Error::from) {
        Ok(group) => Ok(Some(group.into_inner())),
        Err(error) if error.is(Common::NotFound) => Ok(None),
        Err(error) => Err(error),
    }
}

async fn grant(work: &Work, group: &Group) -> Result<()> {
    let mut invited = Vec::new();
    for person in group.authorized_identities.iter().filter(|person| person.identity_id.is_empty()) {
        if let Some(identity_id) = invite(work, person).await? {
            invited.push(InvitedIdentity { id: person.id.clone(), identity_id });
        }
    }
    for identity_id in &group.former_identity_ids {
        set_roles(work, group, identity_id, Vec::new()).await?;
    }
    for person in group.authorized_identities.iter().filter(|person| !person.identity_id.is_empty()) {
        set_roles(work, group, &person.identity_id, grants_of(&group.id, person)).await?;
    }
    if invited.is_empty() && group.former_identity_ids.is_empty() {
        return Ok(());
    }
    // The entry of this record gives the new identities their roles.
    let former_identity_ids = group.former_identity_ids.clone();
    let record = RecordGrantedRolesRequest { group_id: group.id.clone(), invited, former_identity_ids };
    let mut groups = GroupServiceClient::new(work.peer_channel("groups"));
    groups.record_granted_roles(work.new_request(record, "record")).await?;
    Ok(())
}

async fn revoke_all(work: &Work, group: &Group) -> Result<()> {
    let people = group.authorized_identities.iter().map(|person| &person.identity_id);
    for identity_id in people.chain(&group.former_identity_ids).filter(|id| !id.is_empty()) {
        set_roles(work, group, identity_id, Vec::new()).await?;
    }
    Ok(())
}

async fn set_roles(work: &Work, group: &Group, identity_id: &str, grants: Vec<ScopeGrant>) -> Result<()> {
    let request = SetGroupRolesRequest { identity_id: identity_id.to_owned(), group_id: group.id.clone(), grants };
    let step = format!("roles {identity_id} {}", group.version);
    let mut identities = IdentityServiceClient::new(work.peer_channel("identity"));
    // An identity that was removed or merged has no roles.
    work.skip_refused(identities.set_group_roles(work.new_request(request, &step)).await, &step)?;
    Ok(())
}

/// The scopes of a role: the whole group, or each division.
fn grants_of(group_id: &str, person: &AuthorizedIdentity) -> Vec<ScopeGrant> {
    let roles = vec![person.r#type().spelling().to_owned()];
    if person.division_ids.is_empty() {
        let (kind, id) = (ScopeKind::Group.into(), group_id.to_owned());
        return vec![ScopeGrant { kind, id, roles, ..ScopeGrant::default() }];
    }
    let division = |id: &String| ScopeGrant {
        kind: ScopeKind::Division.into(),
        id: id.clone(),
        within_id: group_id.to_owned(),
        roles: roles.clone(),
    };
    person.division_ids.iter().map(division).collect()
}

/// The identity of an invited address: of realm GroupAdmin, made if nobody has the address. The person gets a letter with
/// a link to choose a password. An address of another realm is left alone: its bearer signs in as somebody else.
async fn invite(work: &Work, person: &AuthorizedIdentity) -> Result<Option<String>> {
    let mut identities = IdentityServiceClient::new(work.peer_channel("identity"));
    let find = ListIdentitiesRequest { email: person.email.clone(), ..ListIdentitiesRequest::default() };
    let found = identities.list_identities(Request::new(find)).await?.into_inner().identities;
    if let Some(known) = found.into_iter().next() {
        return Ok((known.realm() == IdentityRealm::GroupAdmin).then_some(known.id));
    }
    let (realm, emails) = (IdentityRealm::GroupAdmin.into(), vec![person.email.clone()]);
    let create = CreateIdentityRequest { realm, emails, ..CreateIdentityRequest::default() };
    let step = format!("invite {}", person.id);
    let made = identities.create_identity(work.new_request(create, &step)).await;
    let Some(made) = work.skip_refused(made, &step)? else { return Ok(None) };
    let letter =
        SendPasswordResetEmailRequest { email: person.email.clone(), ..SendPasswordResetEmailRequest::default() };
    let step = format!("letter {}", person.id);
    work.skip_refused(identities.send_password_reset_email(work.new_request(letter, &step)).await, &step)?;
    Ok(Some(made.into_inner().id))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::AuthorizedIdentityType;

    #[test]
    fn a_role_is_for_the_whole_group_or_for_each_of_its_divisions() {
        let person = |id: &str, kind: AuthorizedIdentityType, divisions: &[&str]| AuthorizedIdentity {
            identity_id: id.into(),
            r#type: kind.into(),
            division_ids: divisions.iter().map(|id| (*id).to_owned()).collect(),
            ..AuthorizedIdentity::default()
        };
        let group = Group {
            id: "acme".into(),
            authorized_identities: vec![
                person("ann", AuthorizedIdentityType::GroupAdministrator, &[]),
                person("ben", AuthorizedIdentityType::CustomerServiceRepresentative, &["west", "east"]),
            ],
            ..Group::default()
        };
        let scopes = |at: usize| {
            let grants = grants_of(&group.id, &group.authorized_identities[at]).into_iter();
            grants.map(|grant| (grant.kind(), grant.id.clone(), grant.roles.join(" "))).collect::<Vec<_>>()
        };
        assert_eq!(scopes(0), [(ScopeKind::Group, "acme".to_owned(), "GROUP_ADMINISTRATOR".to_owned())]);
        let csr = "CUSTOMER_SERVICE_REPRESENTATIVE";
        let divisions = ["west", "east"].map(|id| (ScopeKind::Division, id.to_owned(), csr.to_owned()));
        assert_eq!(scopes(1), divisions);
    }
}
