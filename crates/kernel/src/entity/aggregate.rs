//! The kernel's view of an entity. The generator implements it for each message with the `aggregate` option.

use std::future::{Future, ready};

use pavise_contract::table::{Lookup, Realm, ScopeKind, Table};
use pavise_values::ValueError;
use prost_types::Timestamp;

use crate::call::Call;
use crate::entity::disclosed_owners::DisclosedOwners;
use crate::entity::parent::Parent;
use crate::entity::tie_claim::TieClaim;
use crate::entity::tree_position::TreePosition;
use crate::error::Result;
use crate::port::numbers::NumberField;
use crate::port::store::fold_value;
use crate::port::table_entry::EntityEncoding;
use crate::time::Micros;
use crate::write::step::Step;

/// A stored, journalled entity.
pub trait Aggregate: prost::Message + prost::Name + Default + Clone + PartialEq + Redact + 'static {
    /// The table that keeps it.
    const TABLE: &'static Table;

    /// Its parent, where the contract says `parent`.
    const PARENT: Option<&'static Parent> = None;

    /// Its first six fields.
    fn head(&self) -> Head<'_>;

    /// Its first six fields, to be set by the kernel.
    fn head_mut(&mut self) -> HeadMut<'_>;

    /// The spelling of a status number; empty for none.
    fn status_spelling(number: i32) -> &'static str;

    /// The number of a status spelling.
    fn status_number(spelling: &str) -> Option<i32>;

    /// The id of its parent; empty without one.
    fn parent_id(&self) -> &str {
        ""
    }

    /// The scopes that it belongs to.
    fn scopes(&self) -> Vec<(ScopeKind, &str)> {
        Vec::new()
    }

    /// Every value of its repeated lookups, as the document holds it: sorted, each once.
    fn lookups(&self) -> Vec<(&'static Lookup, String)> {
        let mut values = self.lookups_among(&|_| true);
        values.sort_by(|(lookup, value), (of, other)| (lookup.name, value).cmp(&(of.name, other)));
        values.dedup_by(|(lookup, value), (of, other)| lookup.name == of.name && value == other);
        values
    }

    /// The values of those of its repeated lookups that are wanted, as the document holds them.
    fn lookups_among(&self, _wanted: &dyn Fn(&Lookup) -> bool) -> Vec<(&'static Lookup, String)> {
        Vec::new()
    }

    /// Fills in the fields that derive from the caller's fields. Handwritten where the contract says `derives`.
    ///
    /// # Errors
    /// When a field cannot be derived.
    fn derive(&mut self, _before: Option<&Self>, _at: &Timestamp) -> Result<()> {
        Ok(())
    }

    /// Fills in what documents of earlier versions lack. Handwritten where the contract says `derives`.
    fn complete(&mut self) {}

    /// Checks the rules that hold for every stored state. Handwritten where the contract says `invariants`.
    ///
    /// # Errors
    /// When a rule does not hold.
    fn check(&self) -> Result<()> {
        Ok(())
    }

    /// The field of its number and the series of the number, where the contract says `number`. `at` is the time of the
    /// creation.
    fn numbering(&mut self, _at: Micros) -> Option<NumberField<'_>> {
        None
    }

    /// The lookups whose values are unique in a space of names, with the entity's values.
    fn names(&self) -> Vec<(&'static Lookup, &str)> {
        Vec::new()
    }

    /// Whether the rule between siblings can refuse the entity. Handwritten where the contract says `siblings`.
    fn concerns_siblings(&self) -> bool {
        true
    }

    /// The lookup that makes it a sibling of others, and its value, where the contract says `siblings`.
    fn siblings(&self) -> Option<(&'static str, &str)> {
        None
    }

    /// Checks the rule between siblings. Handwritten where the contract says `siblings`.
    ///
    /// # Errors
    /// When the rule does not hold.
    fn check_siblings(&self, _others: &[Self]) -> Result<()> {
        Ok(())
    }

    /// The place in a tree, where the contract says `tree`.
    fn place(&self) -> Option<TreePosition<'_>> {
        None
    }

    /// Writes the consequences of a declared write. Handwritten where the contract says `consequences`.
    ///
    /// # Errors
    /// The reason to refuse the write.
    fn follow(_call: &Call, _step: &mut Step<'_, Self>) -> impl Future<Output = Result<()>> + Send {
        ready(Ok(()))
    }

    /// The value of a sortable lookup, as [`SortKey::key`](crate::read::range::SortKey::key) writes it; empty for none.
    fn sort_value(&self, _lookup: &str) -> String {
        String::new()
    }

    /// Whether it is kept from the readers of `visible`, where the contract says `withheld`.
    fn is_withheld(&self) -> bool {
        false
    }

    /// Those of the withheld entities that the caller sees all the same. Handwritten where the contract says
    /// `withheld.admits`.
    ///
    /// # Errors
    /// When that cannot be found out.
    fn admit(_call: &Call, _withheld: Vec<Self>) -> impl Future<Output = Result<Vec<Self>>> + Send {
        ready(Ok(Vec::new()))
    }

    /// The value of a field that a call's `scope` names; `None` for a field that no call names.
    fn scope_value(&self, _field: &str) -> Option<&str> {
        None
    }
}

/// Encodes a stored entity as a write of today would: with its lookups, and with derived fields that no reader sees, such
/// as the words of a search. Readers learn of other fields by a version, so that these stay. `None` if it cannot be read.
#[must_use]
pub fn encode_anew<A: Aggregate>(wire: &[u8]) -> Option<EntityEncoding> {
    let stored = A::decode(wire).ok()?;
    let at = stored.head().updated_at.copied().unwrap_or_default();
    let mut derived = stored.clone();
    let is_derived = derived.derive(Some(&stored), &at).is_ok();
    let visible = |entity: &A| {
        let mut entity = entity.clone();
        entity.redact();
        entity
    };
    let entity = if is_derived && visible(&derived) == visible(&stored) { derived } else { stored };
    let lookups = entity.lookups().into_iter().map(|(lookup, value)| (lookup, fold_value(lookup, &value).into_owned()));
    Some(EntityEncoding { lookups: lookups.collect(), wire: entity.encode_to_vec() })
}

/// The fields that every aggregate starts with.
#[derive(Debug)]
#[expect(missing_docs, reason = "they are the fields of the contract")]
pub struct Head<'a> {
    pub id: &'a str,
    pub owner_id: &'a str,
    pub status: &'static str,
    pub version: i64,
    pub created_at: Option<&'a Timestamp>,
    pub updated_at: Option<&'a Timestamp>,
}

/// The same fields, to be set.
#[derive(Debug)]
#[expect(missing_docs, reason = "they are the fields of the contract")]
pub struct HeadMut<'a> {
    pub id: &'a mut String,
    pub owner_id: &'a mut String,
    pub status: &'a mut i32,
    pub version: &'a mut i64,
    pub created_at: &'a mut Option<Timestamp>,
    pub updated_at: &'a mut Option<Timestamp>,
}

/// Takes out of an answer the fields that its caller does not get. Generated for every message.
pub trait Redact {
    /// Clears each field that the contract marks secret, nested ones too.
    fn redact(&mut self) {}

    /// Clears each field with an audience that callers of the realm do not belong to, nested ones too.
    fn hide(&mut self, _realm: Realm) {}

    /// Shows masked forms of the fields whose values callers of the realm do not get, nested ones too.
    fn mask(&mut self, _realm: Realm) {}

    /// Names the owners of the personal data in it.
    fn disclose(&self, _to: &mut DisclosedOwners) {}

    /// Adds to `found` the path of each field that is set and that callers of the realm may not set, nested ones too.
    /// `path` leads to the message, with a dot at its end.
    fn find_foreign(&self, _realm: Realm, _path: &str, _found: &mut Vec<String>) {}

    /// Adds to `found` what is wrong with the values of shared types and the texts with formats, nested ones too. `path`
    /// leads to the message, with a dot at its end.
    fn find_value_errors(&self, _path: &str, _found: &mut Vec<ValueError>) {}

    /// Brings these values into their normal forms. What is wrong stays as it is.
    fn normalize(&mut self) {}
}

impl Redact for () {}
impl Redact for pavise_contract::common::v1::ByteAnswer {}
impl Redact for pavise_contract::common::v1::JournalPage {}
impl Redact for pavise_contract::common::v1::RawAnswer {}
impl Redact for pavise_contract::common::v1::JournalClock {}
impl Redact for pavise_contract::common::v1::JournalEntry {}
impl Redact for pavise_contract::common::v1::ReadJournalRequest {}
impl Redact for pavise_contract::common::v1::WatchJournalRequest {}
impl Redact for pavise_contract::common::v1::GetMaxClockRequest {}
impl Redact for pavise_contract::common::v1::CheckTieRequest {}
impl Redact for pavise_contract::common::v1::CheckTieResponse {}
impl Redact for pavise_contract::common::v1::TellSubjectRequest {}
impl Redact for pavise_contract::common::v1::TellSubjectResponse {}
impl Redact for pavise_contract::common::v1::GetTitlesRequest {}
impl Redact for pavise_contract::common::v1::GetTitlesResponse {}
impl Redact for pavise_contract::common::v1::ExportPersonRequest {}
impl Redact for pavise_contract::common::v1::ExportPersonResponse {}
impl Redact for pavise_contract::common::v1::RedactPersonRequest {}
impl Redact for pavise_contract::common::v1::RedactPersonResponse {}
impl Redact for pavise_contract::common::v1::ReadWorkersRequest {}
impl Redact for pavise_contract::common::v1::ReadWorkersResponse {}
impl Redact for pavise_contract::common::v1::OrderWorkerRequest {}
impl Redact for pavise_contract::common::v1::OrderWorkerResponse {}
impl Redact for pavise_contract::common::v1::Worker {}

/// Names the member and the scopes of a request. Generated for every request from the access rule.
pub trait Target: Send + Sync {
    /// The value of the access rule's owner field.
    fn owner(&self) -> Option<&str> {
        None
    }

    /// The values of the fields with scopes in the access rule.
    fn scopes(&self) -> Vec<(ScopeKind, &str)> {
        Vec::new()
    }

    /// The scopes and the owners that belong together, as far as the request names both.
    fn ties(&self) -> Vec<TieClaim<'_>> {
        Vec::new()
    }

    /// The fields that the call's `scope` names, with the request's values.
    fn scope(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// The reason for which the caller reveals the values of masked fields, where the contract says `reveal`.
    fn reason(&self) -> &str {
        ""
    }

    /// The recipient of the call's message, where the contract says `sends`.
    fn recipient(&self) -> Recipient<'_> {
        Recipient::Unknown
    }
}

/// The recipient of a call's message, as its request names them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recipient<'a> {
    /// The call sends none, or the request does not say to whom.
    Unknown,
    /// This address, number, name or id.
    Named(Option<&'a str>),
    /// This owner, or else the caller.
    Owner(Option<&'a str>),
}

impl Target for pavise_contract::common::v1::ReadJournalRequest {}
impl Target for pavise_contract::common::v1::WatchJournalRequest {}
impl Target for pavise_contract::common::v1::GetMaxClockRequest {}
impl Target for pavise_contract::common::v1::CheckTieRequest {}
impl Target for pavise_contract::common::v1::TellSubjectRequest {}
impl Target for pavise_contract::common::v1::GetTitlesRequest {}
impl Target for pavise_contract::common::v1::ExportPersonRequest {}
impl Target for pavise_contract::common::v1::RedactPersonRequest {}
impl Target for pavise_contract::common::v1::ReadWorkersRequest {}
impl Target for pavise_contract::common::v1::OrderWorkerRequest {}

/// Whether a field of a message has a value other than the one it has when it is not sent.
#[must_use]
pub fn is_set<T: Default + PartialEq>(field: &T) -> bool {
    *field != T::default()
}

/// The rules for every stored state of an aggregate whose contract says `invariants`.
pub trait Invariants {
    /// Checks the rules on every write, before the commit.
    ///
    /// # Errors
    /// The broken rule, for the caller.
    fn check(&self) -> Result<()>;
}

/// Derives fields from the fields that a caller set, for an aggregate whose contract says `derives`. Examples: which
/// e-mail address is primary, when an item was added, the key that two fields make together.
pub trait Derive: Sized {
    /// Runs before every write, and before a change is compared with the stored state. A second run changes nothing.
    ///
    /// # Errors
    /// The reason why the fields cannot be derived, for the caller.
    fn derive(&mut self, before: Option<&Self>, at: &Timestamp) -> Result<()>;

    /// Fills in what documents of earlier versions lack. Runs on every read; the document itself stays as it is until the
    /// next write.
    fn complete(&mut self) {}
}
