//! The titles of entities that a page refers to, by the rights of the reader.

use std::collections::HashSet;

use futures::future::BoxFuture;
use pavise_contract::common::v1::{EntityReference, GetTitlesRequest, GetTitlesResponse, TitledEntity};
use pavise_contract::table::Method;

use crate::call::Call;
use crate::call::access::{self, EntityScope};
use crate::call::caller::Caller;
use crate::call::scope;
use crate::entity::aggregate::Aggregate;
use crate::error::Result;
use crate::port::store::storable;
use crate::read::unowned_filter;
use crate::read::visibility::is_withheld_from;

/// An aggregate that has a title. Generated from its display.
pub trait HasTitle: Aggregate {
    /// The entity with only the fields that its title and its subtitle name, and its id.
    #[must_use]
    fn titled(self) -> Self;
}

/// The source of the titles of one aggregate. Generated.
#[derive(Debug)]
pub struct TitleSource {
    /// The message's name: "Order".
    name: &'static str,
    /// The call that answers one entity, whose access rule decides.
    get: &'static Method,
    /// The statuses in which that call answers an entity; empty for all.
    statuses: &'static [&'static str],
    read: Read,
}

/// Reads the titles of entities with these ids.
type Read = for<'c> fn(&'c Call, &'c TitleSource, Vec<String>) -> Titles<'c>;

type Titles<'c> = BoxFuture<'c, Result<Vec<TitledEntity>>>;

impl TitleSource {
    /// The source of an aggregate.
    #[must_use]
    pub const fn of<A: HasTitle>(name: &'static str, get: &'static Method, statuses: &'static [&'static str]) -> Self {
        Self { name, get, statuses, read: |call, source, ids| Box::pin(read::<A>(call, source, ids)) }
    }
}

impl Call {
    /// The entities of these references that the caller may read. Each aggregate costs one query. A type that has no
    /// title in this domain is not found.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn load_titles(&self, sources: &[TitleSource], request: &GetTitlesRequest) -> Result<GetTitlesResponse> {
        let mut found = Vec::new();
        for source in sources {
            let mut known = HashSet::new();
            let own = request.references.iter().filter(|reference| reference.r#type == source.name);
            let own = own.filter(|reference| storable(&reference.id) && known.insert(reference.id.as_str()));
            let ids: Vec<String> = own.map(|reference| reference.id.clone()).collect();
            if !ids.is_empty() {
                found.extend((source.read)(self, source, ids).await?);
            }
        }
        Ok(sorted(request, found))
    }
}

/// The titles in the order of the request, and the references that have none.
fn sorted(request: &GetTitlesRequest, mut found: Vec<TitledEntity>) -> GetTitlesResponse {
    let mut answer = GetTitlesResponse::default();
    let mut seen = HashSet::new();
    for reference in &request.references {
        if !seen.insert((reference.r#type.as_str(), reference.id.as_str())) {
            continue;
        }
        match found.iter().position(|one| one.reference.as_ref() == Some(reference)) {
            Some(at) => answer.titles.push(found.swap_remove(at)),
            None => answer.not_found.push(reference.clone()),
        }
    }
    answer
}

async fn read<A: HasTitle>(call: &Call, source: &TitleSource, ids: Vec<String>) -> Result<Vec<TitledEntity>> {
    let rows = call.kernel().store().get_many(A::TABLE, &ids).await?;
    let entities = rows.iter().map(|row| call.kernel().documents().read(row)).collect::<Result<Vec<A>>>()?;
    let admitted = call.admitted_ids(&entities).await?;
    let mut titles = Vec::with_capacity(rows.len());
    for entity in entities {
        let head = entity.head();
        let in_status = source.statuses.is_empty() || source.statuses.contains(&head.status);
        let is_hidden = head.owner_id.is_empty() && unowned_filter::is_confined(call.caller(), A::TABLE);
        let is_withheld = is_withheld_from(call.caller(), &entity) && !admitted.contains(head.id);
        if !in_status || is_hidden || is_withheld || !may_read(source.get, call.caller(), &entity) {
            continue;
        }
        let id = head.id.to_owned();
        let mut titled = entity.titled();
        titled.redact();
        titled.hide(call.caller().realm);
        titled.mask(call.caller().mask_realm());
        let reference = EntityReference { r#type: source.name.to_owned(), id };
        let any = prost_types::Any {
            type_url: format!("type.googleapis.com/{}", A::TABLE.message),
            value: titled.encode_to_vec(),
        };
        titles.push(TitledEntity { reference: Some(reference), entity: Some(any) });
    }
    Ok(titles)
}

/// Whether the caller could read the entity by the call that answers it alone, unless it is withheld.
pub(crate) fn may_read<A: Aggregate>(get: &Method, caller: &Caller, entity: &A) -> bool {
    let owner_id = entity.head().owner_id;
    let owner = get.access.owner.then_some(owner_id).filter(|owner| !owner.is_empty());
    let scopes = entity.scopes();
    let rules = get.access.scopes.iter().filter(|rule| rule.named);
    let named = rules.filter_map(|rule| {
        let mut of_kind = scopes.iter().copied().filter(|(kind, _)| *kind == rule.kind);
        let first = of_kind.clone().next();
        // An entity of several scopes is named by one in which the caller has a role.
        of_kind.find(|one| scope::is_within(get, caller, &[*one])).or(first)
    });
    let named: Vec<_> = named.collect();
    if access::authorize_call(get, caller, owner, &named).is_err() {
        return false;
    }
    if A::TABLE.shared && !access::can_see_status(A::TABLE, caller, entity.head().status) {
        return false;
    }
    let owner = owner.filter(|_| !A::TABLE.shared);
    access::can_see_entity(get, caller, (owner, &named), A::TABLE, EntityScope { owner: owner_id, scopes: &scopes })
}
