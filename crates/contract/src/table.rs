//! The contract as constants: written by the generator, enforced by the kernel at every call.

pub use crate::options::v1::{Impersonation, Realm};

/// One call of one service.
#[derive(Debug)]
pub struct Method {
    /// The service's name in the specification: its host.
    pub service: &'static str,
    /// The journal that its commits go to, and where its repeats are looked for: the service's own, or that of the
    /// aggregate for services which share one.
    pub journal: &'static str,
    /// The domain, as in the proto package.
    pub domain: &'static str,
    /// The name of the RPC.
    pub rpc: &'static str,
    /// The gRPC path, `/package.Service/Rpc`.
    pub path: &'static str,
    /// Full name of the response message.
    pub response: &'static str,
    /// Who may call.
    pub access: Access,
    /// Whether the call writes nothing.
    pub reads: bool,
    /// The journal action of its commit; empty when it reads.
    pub action: &'static str,
    /// Further actions that it may write.
    pub actions: &'static [&'static str],
    /// The aggregate that `from` and `to` speak of.
    pub aggregate: Option<&'static Table>,
    /// The statuses it is allowed from, every one spelt out.
    pub from: &'static [&'static str],
    /// The statuses it may lead to; empty when it keeps the status.
    pub to: &'static [&'static str],
    /// The pairs that it leads between, where that is not each of `from` with each of `to`; empty where it is.
    pub steps: &'static [(&'static str, &'static str)],
}

impl Method {
    /// Whether the call may lead its aggregate from that status to that other one.
    #[must_use]
    pub fn leads(&self, from: &str, to: &str) -> bool {
        self.to.contains(&to) && (self.steps.is_empty() || self.steps.contains(&(from, to)))
    }
}

/// Who may make a call.
#[derive(Debug)]
pub struct Access {
    /// Callers without a token are admitted too.
    pub public: bool,
    /// The realms admitted with a token.
    pub realms: &'static [Realm],
    /// What realms Internal, Machine and Partner need besides; empty for nothing.
    pub permission: &'static str,
    /// The request names an owner, which must be the caller in realm User.
    pub owner: bool,
    /// The owner must be the caller in every realm.
    pub owner_only: bool,
    /// The request names a group, which a caller of realm GroupAdmin must administer.
    pub group: bool,
    /// What an impersonating caller may do.
    pub impersonation: Impersonation,
    /// What some of the callers may do besides.
    pub roles: &'static [Role],
}

/// Callers who may do more with a call than the others that its rule admits.
#[derive(Debug)]
pub struct Role {
    /// The name.
    pub name: &'static str,
    /// The realms of its callers; empty for any.
    pub realms: &'static [Realm],
    /// The permission that its callers have; empty for none.
    pub permission: &'static str,
}

/// Where an aggregate is kept.
#[derive(Debug)]
pub struct Table {
    /// The table's name; the side table of its repeated lookups is `<name>_lookup`.
    pub name: &'static str,
    /// The journal that its changes are written to.
    pub journal: &'static str,
    /// Full name of the message.
    pub message: &'static str,
    /// What people call one of it, in lower case: "payment method".
    pub noun: &'static str,
    /// The initial status.
    pub initial: &'static str,
    /// The statuses that nothing leads out of.
    pub terminal: &'static [&'static str],
    /// The fields by which it is found.
    pub lookups: &'static [Lookup],
    /// Belongs to no member: who passes the access rule may read it.
    pub shared: bool,
    /// What readers of realms User and GroupAdmin and readers without a token may see; empty for all.
    pub visible: &'static [Visible],
}

/// Admits readers to entities of some statuses.
#[derive(Debug)]
pub struct Visible {
    /// The statuses.
    pub statuses: &'static [&'static str],
    /// Only for callers with a token.
    pub signed_in: bool,
}

/// A field by which an aggregate is found.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lookup {
    /// The field's path in the proto.
    pub name: &'static str,
    /// The field's name in the stored document, for a scalar field.
    pub json: &'static str,
    /// No two entities may share a value.
    pub unique: bool,
    /// Compared without case.
    pub fold: bool,
    /// Kept in the side table, because there can be several, or because it is found by how it begins.
    pub many: bool,
    /// Found by how it begins, too.
    pub prefix: bool,
}

impl Table {
    /// The lookup of that name.
    #[must_use]
    pub fn lookup(&self, name: &str) -> Option<&'static Lookup> {
        self.lookups.iter().find(|lookup| lookup.name == name)
    }
}

/// What a domain keeps of one kind for each owner, and how it changes its owner: one processor of a merge.
#[derive(Debug)]
pub struct Holding {
    /// The name of the processor in the record of a merge.
    pub processor: &'static str,
    /// The domain.
    pub domain: &'static str,
    /// Full name of the message.
    pub message: &'static str,
    /// The place among the processors of a merge's record.
    pub place: i32,
    /// How the things of an owner are found.
    pub list: OwnerList,
    /// The call that changes their owner; `None` where the domain's own code does it.
    pub transfer: Option<Transfer>,
}

/// A list call that finds what an owner has, with the numbers of the fields that matter.
#[derive(Debug)]
pub struct OwnerList {
    /// The gRPC path.
    pub path: &'static str,
    /// The request's field with the owner.
    pub owner: u32,
    /// The request's field with the status; zero where the list is read without one.
    pub status: u32,
    /// The statuses that are asked for, one after the other.
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
