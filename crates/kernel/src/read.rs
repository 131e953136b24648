//! Loads and lists the entities that the caller may see.

mod children;
pub(crate) mod heads;
mod journal;
mod link_token;
pub(crate) mod page_token;
mod paging;
mod person;
pub mod range;
pub mod search;
mod several;
pub mod titles;
pub(crate) mod unowned_filter;
mod visibility;
mod watch;

use pavise_contract::table::{Lookup, ScopeKind};
use sha2::{Digest, Sha256};

use crate::call::Call;
use crate::call::access;
use crate::call::scope::{self, ScopeReach};
use crate::entity::aggregate::Aggregate;
use crate::error::{Common, Error, Result};
use crate::hex::to_hex;
use crate::port::store::{Filter, storable};
use crate::read::page_token::of_no_list;
use crate::read::visibility::is_withheld_from;

/// Items in a page when the caller gives no size.
const PAGE: u32 = 50;
/// The largest page.
const LARGEST_PAGE: u32 = 500;

/// The parameters of a list call.
#[derive(Debug, Clone, Default)]
pub struct Page<'a> {
    /// Items in a page: 0 means 50, at most 500.
    pub size: i32,
    /// The token of the page before; empty for the first page.
    pub token: &'a str,
    /// Only entities with these values: `status` or a lookup's name, and the documented value. Empty values do not
    /// filter.
    pub filters: Vec<(&'static str, String)>,
}

impl Page<'_> {
    /// The number of items to read.
    pub(crate) fn rows(&self) -> Result<u32> {
        match u32::try_from(self.size) {
            Ok(0) => Ok(PAGE),
            Ok(size) if size <= LARGEST_PAGE => Ok(size),
            _ => Err(Error::field("page_size", format!("must be 0 to {LARGEST_PAGE}"))),
        }
    }

    /// The page of a caller who may see none of the entities. A list of nothing makes no tokens, so that any is foreign.
    ///
    /// # Errors
    /// `INVALID_PAGE_TOKEN`.
    pub(crate) fn build_empty<A>(&self) -> Result<(Vec<A>, String)> {
        if self.token.is_empty() { Ok((Vec::new(), String::new())) } else { Err(of_no_list()) }
    }
}

impl Call {
    /// Loads the entity that the call answers, and fills the answer's ETag and clock.
    ///
    /// # Errors
    /// `NOT_FOUND` when it does not exist or the caller may not know of it.
    pub async fn get<A: Aggregate>(&self, id: &str) -> Result<A> {
        if !storable(id) {
            return Err(Error::not_found(A::TABLE.noun, &id.replace('\0', "")));
        }
        let row = self.kernel().store().get(A::TABLE, id).await?;
        let row = row.ok_or_else(|| Error::not_found(A::TABLE.noun, id))?;
        let entity: A = self.kernel().documents().read(&row)?;
        let withheld = is_withheld_from(self.caller(), &entity);
        if !self.can_see_shown(&entity) {
            return Err(Error::not_found(A::TABLE.noun, id));
        }
        if withheld && self.admitted_ids(std::slice::from_ref(&entity)).await?.is_empty() {
            return Err(Error::not_found(A::TABLE.noun, id));
        }
        self.mark(row.version, row.clock);
        Ok(entity)
    }

    /// Loads the entity that the call answers, if it has one of these statuses. With another status it is not found.
    ///
    /// # Errors
    /// As [`Call::get`].
    pub async fn get_only<A: Aggregate>(&self, id: &str, statuses: &[&str]) -> Result<A> {
        let entity: A = self.get(id).await?;
        if statuses.contains(&entity.head().status) { Ok(entity) } else { Err(Error::not_found(A::TABLE.noun, id)) }
    }

    /// Loads the entity that the call answers, or an empty entity if it does not exist.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn get_or_empty<A: Aggregate>(&self, id: &str) -> Result<A> {
        match self.get(id).await {
            Err(error) if error.is(Common::NotFound) => Ok(A::default()),
            other => other,
        }
    }

    /// Loads an entity without the ownership check, for checks whose result the caller does not see.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn find_unscoped<A: Aggregate>(&self, id: &str) -> Result<Option<A>> {
        if !storable(id) {
            return Ok(None);
        }
        match self.kernel().store().get(A::TABLE, id).await? {
            Some(row) => self.kernel().documents().read(&row).map(Some),
            None => Ok(None),
        }
    }

    /// Loads the newest entity with that value of a lookup, without the ownership check.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn find_unscoped_by<A: Aggregate>(&self, lookup: &str, value: &str) -> Result<Option<A>> {
        let lookup = self::lookup::<A>(lookup)?;
        let value = crate::port::store::fold_value(lookup, value).into_owned();
        if !storable(&value) {
            return Ok(None);
        }
        match self.kernel().store().find(A::TABLE, lookup, &value).await? {
            Some(row) => self.kernel().documents().read(&row).map(Some),
            None => Ok(None),
        }
    }

    /// The id of the newest entity with that value of a lookup, without the ownership check. The entity itself is not
    /// read, so that a hit and a miss take the same time.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn find_id_by<A: Aggregate>(&self, lookup: &str, value: &str) -> Result<Option<String>> {
        let lookup = A::TABLE
            .lookup(lookup)
            .ok_or_else(|| Error::internal(format!("{} has no lookup {lookup}", A::TABLE.name)))?;
        let value = crate::port::store::fold_value(lookup, value).into_owned();
        if !storable(&value) {
            return Ok(None);
        }
        Ok(self.kernel().store().find_id(A::TABLE, lookup, &value).await?)
    }

    /// Loads the existing entities with these ids, in the given order, without the ownership check.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn find_many<A: Aggregate>(&self, ids: &[String]) -> Result<Vec<A>> {
        let asked: Vec<String> = ids.iter().filter(|id| storable(id)).cloned().collect();
        let rows = self.kernel().store().get_many(A::TABLE, &asked).await?;
        let in_order = ids.iter().filter_map(|id| rows.iter().find(|row| row.id == *id));
        in_order.map(|row| self.kernel().documents().read(row)).collect()
    }

    /// A page of the entities that the caller may see, newest first, and the next page's token (empty on the last
    /// page).
    ///
    /// # Errors
    /// `INVALID_PAGE_TOKEN`, `INVALID_FIELD`.
    pub async fn list_page<A: Aggregate>(&self, page: Page<'_>) -> Result<(Vec<A>, String)> {
        self.page_of(None, page).await
    }

    /// A page, as [`Call::page`]. With a role, it holds the entities that name the owner in that lookup, instead of the
    /// owner's own entities.
    ///
    /// # Errors
    /// As [`Call::page`].
    pub async fn page_of<A: Aggregate>(&self, role: Option<&'static str>, page: Page<'_>) -> Result<(Vec<A>, String)> {
        let size = page.rows()?;
        let Some(mut filter) = self.filter_of::<A>(role, &page.filters)? else { return page.build_empty() };
        let digest = digest_of(A::TABLE.name, &filter);
        if !page.token.is_empty() {
            let place = self.page_place(&digest, page.token)?;
            if !storable(&place) {
                return Err(of_no_list());
            }
            filter.before = Some(place);
        }
        filter.limit = size + 1;
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        let mut entities: Vec<A> = Vec::new();
        // A page is filled over what is withheld, so that its length does not tell of it.
        loop {
            let rows = self.kernel().store().list(A::TABLE, &filter).await?;
            let read = rows.iter().map(|row| self.kernel().documents().read(row)).collect::<Result<Vec<A>>>()?;
            let is_last = rows.len() <= size;
            filter.before = rows.last().map(|row| row.id.clone());
            entities.extend(self.keep_shown(read).await?);
            if is_last || entities.len() > size {
                break;
            }
        }
        let more = entities.len() > size;
        entities.truncate(size);
        let token = match entities.last() {
            Some(last) if more => self.page_token(&digest, last.head().id),
            _ => String::new(),
        };
        Ok((entities, token))
    }

    /// Leaves out the entities that are withheld from the caller.
    async fn keep_shown<A: Aggregate>(&self, mut entities: Vec<A>) -> Result<Vec<A>> {
        let admitted = self.admitted_ids(&entities).await?;
        entities.retain(|entity| !is_withheld_from(self.caller(), entity) || admitted.contains(entity.head().id));
        Ok(entities)
    }

    /// The filter of a list, for the entities that name the owner in a role if there is one.
    pub(crate) fn filter_of<A: Aggregate>(
        &self,
        role: Option<&'static str>,
        wanted: &[(&'static str, String)],
    ) -> Result<Option<Filter>> {
        let Some(mut filter) = self.filter::<A>(wanted)? else { return Ok(None) };
        if let (Some(role), Some(owner)) = (role, filter.owner.take_if(|_| role.is_some())) {
            filter.lookups.push((lookup::<A>(role)?, owner));
        }
        Ok(Some(filter))
    }

    /// The filter of a list; `None` when the caller may see none of the entities.
    pub(crate) fn filter<A: Aggregate>(&self, wanted: &[(&'static str, String)]) -> Result<Option<Filter>> {
        let Some(mut filter) = self.reached::<A>()? else { return Ok(None) };
        for (name, value) in wanted.iter().filter(|(_, value)| !value.is_empty()) {
            if *name == "status" {
                filter.statuses.push(value.clone());
                continue;
            }
            let lookup = lookup::<A>(name)?;
            let value = crate::port::store::fold_value(lookup, value).into_owned();
            filter.lookups.push((lookup, value));
        }
        if !A::TABLE.visible.is_empty() && !access::reads_all(self.caller()) {
            let visible = || access::visible_statuses(A::TABLE, self.caller());
            let asked = std::mem::take(&mut filter.statuses);
            filter.statuses = if asked.is_empty() {
                visible().map(str::to_owned).collect()
            } else {
                asked.into_iter().filter(|status| visible().any(|visible| visible == status)).collect()
            };
            if filter.statuses.is_empty() {
                return Ok(None);
            }
        }
        for (kind, id) in self.parts().named() {
            if let Some(lookup) = lookup_of::<A>(kind)
                && !filter.lookups.iter().any(|(known, value)| known.name == lookup.name && value == id)
            {
                filter.lookups.push((lookup, id.to_owned()));
            }
        }
        let texts = filter.lookups.iter().map(|(_, value)| value).chain(&filter.statuses).chain(&filter.owner);
        let texts = texts.chain(filter.within.iter().flat_map(|(_, ids)| ids));
        if let Some(odd) = texts.into_iter().find(|text| !storable(text)) {
            let shown = odd.replace('\0', "");
            return Err(Error::new(
                Common::InvalidField,
                format!("{shown} with the NUL character is no value of this list"),
            ));
        }
        Ok(Some(filter))
    }

    /// The filter for all rows that the caller may see; `None` when there are none.
    fn reached<A: Aggregate>(&self) -> Result<Option<Filter>> {
        if let Some(parent) = A::PARENT {
            return self.children_of::<A>(parent);
        }
        let parts = self.parts();
        let owned = unowned_filter::is_confined(&parts.caller, A::TABLE);
        let mut filter = Filter { owner: parts.owner.clone(), owned, ..Filter::default() };
        let named = parts.named();
        match scope::visible_rows(parts.method, &parts.caller, A::TABLE, parts.owner.as_deref(), &named) {
            ScopeReach::Asked => {}
            // The owner is checked here, because a call that is open to all has not checked it before.
            // A caller without a token owns nothing: entities without an owner are in no list.
            ScopeReach::Own if parts.caller.is_anonymous() => return Ok(None),
            ScopeReach::Own => {
                if filter.owner.as_ref().is_some_and(|owner| *owner != parts.caller.identity) {
                    return Err(Error::new(Common::NotTheOwner, "you can only do this for yourself"));
                }
                filter.owner = Some(parts.caller.identity.clone());
            }
            ScopeReach::Within(scopes) if scopes.is_empty() => return Ok(None),
            ScopeReach::Within(scopes) => filter.within = scopes.iter().filter_map(within::<A>).collect(),
        }
        Ok(Some(filter))
    }
}

pub(crate) fn lookup<A: Aggregate>(name: &str) -> Result<&'static Lookup> {
    A::TABLE.lookup(name).ok_or_else(|| Error::internal(format!("{} has no lookup {name}", A::TABLE.name)))
}

/// The lookup with the ids of the entities' scopes of a kind.
pub(crate) fn lookup_of<A: Aggregate>(kind: ScopeKind) -> Option<&'static Lookup> {
    let (_, name) = A::TABLE.scopes.iter().find(|(of, _)| *of == kind)?;
    A::TABLE.lookup(name)
}

fn within<A: Aggregate>((kind, ids): &(ScopeKind, Vec<String>)) -> Option<(&'static Lookup, Vec<String>)> {
    lookup_of::<A>(*kind).map(|lookup| (lookup, ids.clone()))
}

/// The digest that binds a page token to its list and filters.
pub(crate) fn digest_of(table: &str, filter: &Filter) -> String {
    let mut digest = Sha256::new_with_prefix(table);
    digest.update(format!("{:?}{:?}", filter.owner, filter.statuses));
    for (lookup, value) in &filter.lookups {
        digest.update(format!("{}={value}\n", lookup.name));
    }
    for (lookup, values) in &filter.within {
        digest.update(format!("{} in {values:?}\n", lookup.name));
    }
    to_hex(&digest.finalize())
}
