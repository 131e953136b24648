//! The contract as constants: written by the generator, enforced by the kernel at every call.

pub use crate::options::v1::{Impersonation, RateLimitScope, Realm, ScopeKind, SecurityEvent, TieBy};

/// One call of one service.
#[derive(Debug)]
pub struct Method {
    /// The service's name in the specification: its host.
    pub service: &'static str,
    /// The journal of its commits and of its idempotency records: the service's own. For services that share a journal,
    /// it is the journal of the aggregate.
    pub journal: &'static str,
    /// The domain, as in the proto package.
    pub domain: &'static str,
    /// The name of the RPC.
    pub rpc: &'static str,
    /// The gRPC path, `/package.Service/Rpc`.
    pub path: &'static str,
    /// Full name of the response message.
    pub response: &'static str,
    /// The access rule.
    pub access: Access,
    /// Whether the call writes nothing.
    pub reads: bool,
    /// The journal action of its commit; empty for a read.
    pub action: &'static str,
    /// Further actions that it may write.
    pub actions: &'static [&'static str],
    /// The aggregate of `from` and `to`.
    pub aggregate: Option<&'static Table>,
    /// The statuses that it is allowed from, each spelt out.
    pub from: &'static [&'static str],
    /// The statuses it may lead to; empty when it keeps the status.
    pub to: &'static [&'static str],
    /// The pairs that it leads between; empty if it leads from each of `from` to each of `to`.
    pub steps: &'static [(&'static str, &'static str)],
    /// The reasons for which it may refuse, besides the shared ones.
    pub reasons: &'static [&'static str],
    /// How often the call may be made.
    pub rate_limit: &'static [RateLimit],
    /// The security event of its success; unspecified for none.
    pub event: SecurityEvent,
    /// Whether it sends a message.
    pub sends: bool,
    /// Whether the caller proves something with the request, so that it cannot be validate-only.
    pub proves: bool,
    /// Whether the answer has the values of fields with a mask.
    pub reveals: bool,
}

/// A rate limit.
#[derive(Debug, Clone, Copy)]
pub struct RateLimit {
    /// The calls that are counted together.
    pub per: RateLimitScope,
    /// The number of calls at once, and again in each period.
    pub count: u32,
    /// The length of the period in seconds.
    pub seconds: u32,
}

impl Method {
    /// Whether a commit of the call may hold a message. Calls of programs alone need no mention.
    #[must_use]
    pub fn may_send(&self) -> bool {
        self.sends || !self.access.public && self.access.realms.iter().all(|realm| *realm == Realm::Machine)
    }

    /// Whether the call may lead its aggregate from that status to that other one.
    #[must_use]
    pub fn leads(&self, from: &str, to: &str) -> bool {
        self.to.contains(&to) && (self.steps.is_empty() || self.steps.contains(&(from, to)))
    }
}

/// The access rule of a call.
#[derive(Debug)]
pub struct Access {
    /// Whether callers without a token are admitted, too.
    pub public: bool,
    /// The realms admitted with a token.
    pub realms: &'static [Realm],
    /// The permission that realms Internal, Machine and Partner need in addition; empty for none.
    pub permission: &'static str,
    /// Whether the request names an owner, which must be the caller in realm User.
    pub owner: bool,
    /// Whether the owner must be the caller in every realm.
    pub owner_only: bool,
    /// Whether the owner needs no permission.
    pub owner_admitted: bool,
    /// Whether the caller proved themselves in their session within the last ten minutes.
    pub fresh_proof: bool,
    /// The scopes that the request names, and the roles that are admitted.
    pub scopes: &'static [ScopeRule],
    /// The rule for an impersonating caller.
    pub impersonation: Impersonation,
    /// Callers with additional rights.
    pub roles: &'static [Role],
}

/// The access rule for callers with roles in scopes of one kind.
#[derive(Debug)]
pub struct ScopeRule {
    /// The kind.
    pub kind: ScopeKind,
    /// Whether the request names the scope.
    pub named: bool,
    /// The roles that are admitted; empty for the kind's default.
    pub roles: &'static [&'static str],
}

/// Callers who may do more with a call than the other admitted callers.
#[derive(Debug)]
pub struct Role {
    /// The name.
    pub name: &'static str,
    /// The realms of its callers; empty for any.
    pub realms: &'static [Realm],
    /// The permission that its callers have; empty for none.
    pub permission: &'static str,
}

/// The table of an aggregate.
#[derive(Debug)]
pub struct Table {
    /// The table's name; the side table of its repeated lookups is `<name>_lookup`.
    pub name: &'static str,
    /// The journal that its changes are written to.
    pub journal: &'static str,
    /// Full name of the message.
    pub message: &'static str,
    /// Its name for people, in lower case: "payment method".
    pub noun: &'static str,
    /// The initial status.
    pub initial: &'static str,
    /// The statuses that no call leads out of.
    pub terminal: &'static [&'static str],
    /// The fields by which it is found.
    pub lookups: &'static [Lookup],
    /// Whether entities belong to no member: every caller who passes the access rule may read them.
    pub shared: bool,
    /// The entities that readers of realms User and GroupAdmin and readers without a token may see; empty for all.
    pub visible: &'static [Visible],
    /// The indexes over several parts, or over `status` alone: `owner_id`, `status` and lookups, in order.
    pub indexes: &'static [&'static [&'static str]],
    /// The scopes of its entities: for each kind, the lookup with the ids.
    pub scopes: &'static [(ScopeKind, &'static str)],
    /// The realms, of Partner and GroupAdmin, whose callers see entities of every scope.
    pub unconfined: &'static [Realm],
    /// The rule for entities without an owner; `None` where there are none, or where they need no rule.
    pub unowned: Option<Unowned>,
}

/// The rule for entities without an owner.
#[derive(Debug)]
pub struct Unowned {
    /// The days after its last change on which one ends.
    pub days: u32,
    /// The gRPC path of the call that ends one.
    pub ended_by: &'static str,
}

/// Admits readers to entities of some statuses.
#[derive(Debug)]
pub struct Visible {
    /// The statuses.
    pub statuses: &'static [&'static str],
    /// Whether only callers with a token see them.
    pub signed_in: bool,
}

/// A field by which an aggregate is found.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lookup {
    /// The field's path in the proto.
    pub name: &'static str,
    /// The field's name in the stored document, for a scalar field.
    pub json: &'static str,
    /// Whether no two entities may share a value.
    pub unique: bool,
    /// Whether values are compared without case.
    pub fold: bool,
    /// Whether values lie in the side table: an entity can have several, or the lookup has `prefix`.
    pub many: bool,
    /// Whether values are also found by their prefix.
    pub prefix: bool,
    /// How values are ordered, if ranges of them are read.
    pub sortable: Option<SortKind>,
    /// The further fields that a unique value is unique within.
    pub within: &'static [Self],
    /// Whether an entity without a value counts as one with an empty value. So it is for the fields in `within`.
    pub blank: bool,
    /// The space of names in which a value is unique across aggregates; empty for none.
    pub space: &'static str,
    /// Whether the field is sealed, so that its values are stored blind.
    pub blind: bool,
}

impl Lookup {
    /// A lookup without any option, to be completed: `Lookup { name, json, ..Lookup::PLAIN }`.
    pub const PLAIN: Self = Self {
        name: "",
        json: "",
        unique: false,
        fold: false,
        many: false,
        prefix: false,
        sortable: None,
        within: &[],
        blank: false,
        space: "",
        blind: false,
    };
}

/// The order of a lookup's values. The texts of the values, compared byte by byte, have the same order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SortKind {
    /// A text.
    Text,
    /// A day, as `2026-02-01`.
    Day,
    /// An instant, as `2026-02-01T09:30:00.5`.
    Instant,
    /// An int32, with [`SortKind::ZERO`] added.
    Number,
    /// The amount of a Money, with [`SortKind::ZERO`] added.
    Amount,
}

impl SortKind {
    /// The number that is added to a number, so that all numbers have the same count of digits.
    pub const ZERO: i64 = 5_000_000_000_000_000_000;
}

impl Table {
    /// The lookup of that name.
    #[must_use]
    pub fn lookup(&self, name: &str) -> Option<&'static Lookup> {
        self.lookups.iter().find(|lookup| lookup.name == name)
    }
}

/// A kind of entity that a domain keeps for each owner, and the way to change its owner: one processor of a merge.
#[derive(Debug)]
pub struct OwnedEntity {
    /// The name of the processor in the record of a merge.
    pub processor: &'static str,
    /// The domain.
    pub domain: &'static str,
    /// Full name of the message.
    pub message: &'static str,
    /// The position among the processors of a merge's record.
    pub place: i32,
    /// The list call that finds an owner's things.
    pub list: OwnerList,
    /// The call that changes their owner; `None` if the domain's own code does it.
    pub transfer: Option<Transfer>,
    /// The list call that finds the things that are in use, so that their owner is not deleted; `None` if none are.
    pub in_use: Option<OwnerList>,
    /// Whether the owner may be erased while such things are in use.
    pub erasable: bool,
}

/// The calls of a domain about the data of one person.
#[derive(Debug)]
pub struct PersonCalls {
    /// The domain.
    pub domain: &'static str,
    /// The gRPC path of the call that answers them.
    pub export: &'static str,
    /// The gRPC path of the call that erases them.
    pub redact: &'static str,
}

/// The calls of a domain about its workers.
#[derive(Debug)]
pub struct WorkerCalls {
    /// The domain.
    pub domain: &'static str,
    /// The gRPC path of the call that answers them.
    pub read: &'static str,
    /// The gRPC path of the call that asks one to do something.
    pub order: &'static str,
}

/// A list call that finds an owner's things, with the numbers of the relevant fields.
#[derive(Debug)]
pub struct OwnerList {
    /// The gRPC path.
    pub path: &'static str,
    /// The request's field with the owner.
    pub owner: u32,
    /// The request's field with the status; 0 if the list is read without one.
    pub status: u32,
    /// The statuses that are read, one after the other.
    pub statuses: &'static [i32],
    /// The request's field with the size of a page.
    pub page_size: u32,
    /// The request's field with the page token.
    pub page_token: u32,
    /// The answer's field with the items.
    pub items: u32,
    /// The items' field with the id.
    pub item_id: u32,
    /// The answer's field with the token of the next page.
    pub next_page_token: u32,
    /// The items' field that is true for the things that are meant; 0 if all of the list are.
    pub held: u32,
}

/// A call that changes the owner of one entity, with the numbers of its request's fields.
#[derive(Debug)]
pub struct Transfer {
    /// The gRPC path.
    pub path: &'static str,
    /// The field with the entity's id.
    pub entity: u32,
    /// The field with the owner.
    pub owner: u32,
    /// The field with the new owner.
    pub new_owner: u32,
    /// Reasons why the call refuses for now.
    pub waits: &'static [&'static str],
}
