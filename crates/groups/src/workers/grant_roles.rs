//! `groups.grant_roles`: gives the roles of a group to the identities that have them, and takes them from those that have
//! them no more. It makes an identity for an invited address, and lets the person choose a password.

use std::collections::BTreeMap;

use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::table::ScopeKind;
use pavise_kernel::worker::{self, JournalFeed, Work, Worker};
use pavise_kernel::{Common, Error, Result, async_trait};
use tonic::Request;

use crate::contract::actions::group as actions;
use crate::contract::feeds;
use crate::contract::identity::identity_service_client::IdentityServiceClient;
use crate::contract::identity::{
    CreateIdentityRequest, GetIdentityRequest, IdentityRealm, ListIdentitiesRequest, ScopeGrant,
    SendPasswordResetEmailRequest, SetGroupRolesRequest,
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

/// The most invitations and former identities that one record takes. Its entry leads to the rest.
const INVITED: usize = 200;
const FORMER: usize = 500;

/// The most identities in a chain of merges that is followed.
const MERGES: usize = 20;

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
    for person in group.authorized_identities.iter().filter(|person| person.identity_id.is_empty()).take(INVITED) {
        if let Some(identity_id) = invite(work, person).await? {
            invited.push(InvitedIdentity { id: person.id.clone(), identity_id, email: person.email.clone() });
        }
    }
    let former_identity_ids: Vec<String> = group.former_identity_ids.iter().take(FORMER).cloned().collect();
    let mut granted = list_former(work, &former_identity_ids).await?;
    for person in group.authorized_identities.iter().filter(|person| !person.identity_id.is_empty()) {
        let grants = grants_of(&group.id, person);
        for identity_id in follow_merges(work, &person.identity_id).await? {
            granted.entry(identity_id).or_default().extend(grants.iter().cloned());
        }
    }
    set_all_roles(work, group, granted).await?;
    if invited.is_empty() && former_identity_ids.is_empty() {
        return Ok(());
    }
    // The entry of this record gives the new identities their roles.
    let record = RecordGrantedRolesRequest { group_id: group.id.clone(), invited, former_identity_ids };
    let mut groups = GroupServiceClient::new(work.peer_channel("groups"));
    groups.record_granted_roles(work.new_request(record, &format!("record {}", group.version))).await?;
    Ok(())
}

async fn revoke_all(work: &Work, group: &Group) -> Result<()> {
    let people = group.authorized_identities.iter().map(|person| &person.identity_id);
    let ids: Vec<String> = people.chain(&group.former_identity_ids).filter(|id| !id.is_empty()).cloned().collect();
    set_all_roles(work, group, list_former(work, &ids).await?).await
}

/// The roles of identities that are to have none.
async fn list_former(work: &Work, ids: &[String]) -> Result<BTreeMap<String, Vec<ScopeGrant>>> {
    let mut granted = BTreeMap::new();
    for id in ids {
        granted.extend(follow_merges(work, id).await?.into_iter().map(|id| (id, Vec::new())));
    }
    Ok(granted)
}

/// An identity, and the one that it went up in: the roles went over with its names, and an undone merge gives them back.
async fn follow_merges(work: &Work, id: &str) -> Result<Vec<String>> {
    let mut identities = IdentityServiceClient::new(work.peer_channel("identity"));
    let mut all = vec![id.to_owned()];
    while let Some(id) = all.last().filter(|_| all.len() < MERGES) {
        let ask = GetIdentityRequest { identity_id: id.clone() };
        match identities.get_identity(Request::new(ask)).await.map_err(Error::from) {
            Ok(found) => match found.into_inner().merged {
                Some(merged) => all.push(merged.identity_id),
                None => break,
            },
            Err(error) if error.is(Common::NotFound) => break,
            Err(error) => return Err(error),
        }
    }
    Ok(all)
}

async fn set_all_roles(work: &Work, group: &Group, granted: BTreeMap<String, Vec<ScopeGrant>>) -> Result<()> {
    for (identity_id, grants) in granted {
        let step = format!("roles {identity_id} {}", group.version);
        let is_empty = grants.is_empty();
        let is_set = set_roles(work, group, &identity_id, grants, &step).await?;
        if !is_set && !is_empty {
            // Roles that cannot be set must not leave wider ones in place.
            set_roles(work, group, &identity_id, Vec::new(), &format!("no {step}")).await?;
        }
    }
    Ok(())
}

/// Whether the identity has exactly these roles now. One that was removed has none.
async fn set_roles(work: &Work, group: &Group, identity_id: &str, grants: Vec<ScopeGrant>, step: &str) -> Result<bool> {
    let request = SetGroupRolesRequest { identity_id: identity_id.to_owned(), group_id: group.id.clone(), grants };
    let mut identities = IdentityServiceClient::new(work.peer_channel("identity"));
    let set = identities.set_group_roles(work.new_request(request, step)).await;
    Ok(work.skip_refused(set, step)?.is_some())
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
