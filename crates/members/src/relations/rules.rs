//! Rules of every write of a relation.

use pavise_kernel::common::v1::{Date, RelationType};
use pavise_kernel::time::{is_real, to_date, to_days, to_micros};
use pavise_kernel::{Derive, Error, Invariants, Result};
use prost_types::Timestamp;

use crate::contract::v1::{ErrorReason, MemberStatus, Relation, RelationKind, RelationMember, RelationStatus};

/// The most people of a relation.
const MOST: usize = 50;

impl Derive for Relation {
    /// Members are active from today unless the request says more. One who becomes inactive does so today.
    fn derive(&mut self, before: Option<&Self>, at: &Timestamp) -> Result<()> {
        let today = to_date(to_micros(at));
        for member in &mut self.members {
            let known = before.and_then(|before| before.find_member(&member.identity_id));
            if member.status() == MemberStatus::Unspecified {
                member.status = MemberStatus::Active.into();
            }
            member.since = member.since.or(known.and_then(|known| known.since)).or(Some(today));
            member.until = match member.status() {
                MemberStatus::Inactive => known.and_then(|known| known.until).or(member.until).or(Some(today)),
                MemberStatus::Active | MemberStatus::Unspecified => None,
            };
        }
        // A change of nothing stays one.
        if before.is_none_or(|before| *before != *self) {
            self.left_ids = before.map(|before| self.find_left(before)).unwrap_or_default();
        }
        Ok(())
    }
}

impl Invariants for Relation {
    fn check(&self) -> Result<()> {
        if self.members.len() > MOST {
            let why = format!("a relation has at most {MOST} people");
            return Err(Error::field(format!("members[{MOST}]"), why));
        }
        let mut spouses = 0;
        for (at, member) in self.members.iter().enumerate() {
            let earlier = self.members.get(..at).unwrap_or_default();
            if earlier.iter().any(|known| known.identity_id == member.identity_id) {
                return Err(Error::field(format!("members[{at}].identity_id"), "is there already"));
            }
            self.check_type(at, member)?;
            check_days(at, member)?;
            spouses += usize::from(member.is_active(RelationType::Spouse));
            if spouses > 1 {
                return Err(Error::field(
                    format!("members[{at}].permission_type"),
                    "there is an active SPOUSE already",
                ));
            }
        }
        self.check_primary()
    }
}

impl Relation {
    /// The type of the primary member.
    pub(crate) fn primary_type(&self) -> RelationType {
        if self.r#type() == RelationKind::Business { RelationType::Owner } else { RelationType::Primary }
    }

    pub(crate) fn find_member(&self, person: &str) -> Option<&RelationMember> {
        self.members.iter().find(|member| member.identity_id == person)
    }

    /// The people who left since `before`. A merge puts one identity in the place of another, and nobody leaves.
    fn find_left(&self, before: &Self) -> Vec<String> {
        if self.merges.len() != before.merges.len() {
            return Vec::new();
        }
        let stands = self.status() != RelationStatus::Removed;
        let is_there = |member: &&RelationMember| member.status() != MemberStatus::Inactive;
        let stays = |person: &str| stands && self.find_member(person).as_ref().is_some_and(is_there);
        let were = before.members.iter().filter(is_there).map(|member| &member.identity_id);
        let is_owner = |person: &String| *person == self.owner_id || *person == before.owner_id;
        were.filter(|person| !is_owner(person) && !stays(person)).cloned().collect()
    }

    fn check_type(&self, at: usize, member: &RelationMember) -> Result<()> {
        let is_business = self.r#type() == RelationKind::Business;
        let why = match member.permission_type() {
            RelationType::SubAccount if !is_business => "SUB_ACCOUNT is one of businesses only",
            RelationType::Primary if is_business => "the primary member of a business is its OWNER",
            RelationType::Owner if !is_business => "OWNER is one of businesses only",
            RelationType::Unspecified => "is needed",
            _ => return Ok(()),
        };
        Err(Error::field(format!("members[{at}].permission_type"), why))
    }

    /// The owner is the one primary member, and active.
    fn check_primary(&self) -> Result<()> {
        let primary = self.primary_type();
        let mut found = self.members.iter().enumerate().filter(|(_, one)| one.permission_type() == primary);
        let first = found.next().map(|(_, member)| member);
        if let Some((second, _)) = found.next() {
            let why = format!("there is one {} only", primary.spelling());
            return Err(Error::field(format!("members[{second}].permission_type"), why));
        }
        let holds = first.is_some_and(|first| first.identity_id == self.owner_id && first.is_active(primary));
        if holds {
            return Ok(());
        }
        let message = "the primary member stays until updatePrimaryMember names another";
        Err(Error::new(ErrorReason::PrimaryMemberNeeded, message))
    }
}

impl RelationMember {
    fn is_active(&self, of: RelationType) -> bool {
        self.permission_type() == of && self.status() == MemberStatus::Active
    }
}

fn check_days(at: usize, member: &RelationMember) -> Result<()> {
    let real = |day: Option<Date>| day.is_none_or(is_real);
    if !real(member.since) {
        return Err(Error::field(format!("members[{at}].since"), "is no day of the calendar"));
    }
    match (member.since, member.until) {
        (Some(since), Some(until)) if to_days(until) < to_days(since) => {
            Err(Error::field(format!("members[{at}].since"), "is after the last day"))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp { seconds: 1_800_000_000, nanos: 0 };

    fn member(identity: &str, of: RelationType) -> RelationMember {
        RelationMember { identity_id: identity.into(), permission_type: of.into(), ..RelationMember::default() }
    }

    fn relation(kind: RelationKind, members: Vec<RelationMember>) -> Relation {
        let owner_id = members.first().map(|first| first.identity_id.clone()).unwrap_or_default();
        let mut relation = Relation { owner_id, r#type: kind.into(), members, ..Relation::default() };
        relation.derive(None, &NOW).unwrap();
        relation
    }

    fn field(relation: &Relation) -> String {
        let error = relation.check().unwrap_err();
        error.violations().first().map(|one| one.field.clone()).unwrap_or_default()
    }

    #[test]
    fn a_family_has_one_primary_member_and_one_spouse() {
        let ada = || member("ada", RelationType::Primary);
        let family = relation(RelationKind::Family, vec![ada(), member("ben", RelationType::Spouse)]);
        family.check().unwrap();
        let mut two = family.clone();
        two.members.push(member("cleo", RelationType::Spouse));
        two.derive(Some(&family), &NOW).unwrap();
        assert_eq!(field(&two), "members[2].permission_type");
        two.members[1].status = MemberStatus::Inactive.into();
        two.derive(Some(&family), &NOW).unwrap();
        two.check().unwrap();
        assert!(two.members[1].until.is_some(), "the last day is today");
        let twice = relation(RelationKind::Family, vec![ada(), member("ada", RelationType::Dependent)]);
        assert_eq!(field(&twice), "members[1].identity_id");
        let two = relation(RelationKind::Family, vec![ada(), member("ben", RelationType::Primary)]);
        assert_eq!(field(&two), "members[1].permission_type");
    }

    #[test]
    fn the_owner_is_the_primary_member() {
        let none = relation(RelationKind::Family, vec![member("ben", RelationType::Spouse)]);
        assert!(none.check().unwrap_err().is(ErrorReason::PrimaryMemberNeeded));
        let mut other = relation(RelationKind::Family, vec![member("ada", RelationType::Primary)]);
        other.owner_id = "ben".into();
        assert!(other.check().unwrap_err().is(ErrorReason::PrimaryMemberNeeded));
    }

    #[test]
    fn sub_accounts_and_owners_are_of_businesses() {
        let of = |kind, first, second| relation(kind, vec![member("ada", first), member("ben", second)]);
        of(RelationKind::Business, RelationType::Owner, RelationType::SubAccount).check().unwrap();
        let family = of(RelationKind::Family, RelationType::Primary, RelationType::SubAccount);
        assert_eq!(field(&family), "members[1].permission_type");
        let business = of(RelationKind::Business, RelationType::Primary, RelationType::CoOwner);
        assert_eq!(field(&business), "members[0].permission_type");
    }
}
