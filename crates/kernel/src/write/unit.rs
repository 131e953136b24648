//! Writes entities: one commit of one service's aggregates, with their journal entries and the idempotency record.

use pavise_contract::table::Lookup;

use crate::call::Call;
use crate::entity::aggregate::Aggregate;
use crate::entity::value_check;
use crate::error::{Error, Result};
use crate::port::conditions::Condition;
use crate::port::numbers::{NumberField, NumberRequest};
use crate::port::store::{StoredRow, Write, fold_value};
use crate::read::{self, unowned_filter};
use crate::write::sibling_check::read_group;
use crate::write::{child_check, name_registry, sibling_check, tree_check};

pub use crate::write::step::Unit;

impl Call {
    /// Starts a commit.
    pub fn unit(&self) -> Unit<'_> {
        Unit {
            call: self,
            writes: Vec::new(),
            numbers: Vec::new(),
            conditions: Vec::new(),
            checks: Vec::new(),
            names: Vec::new(),
        }
    }
}

impl Unit<'_> {
    /// Lets the commit happen only while the entity has the version that was read. So the call can rely on an entity
    /// that it does not write, such as the parents of a tree. The entity belongs to the domain of the commit.
    pub fn expect_unchanged<A: Aggregate>(&mut self, entity: &A) {
        let head = entity.head();
        self.conditions.push(Condition::Version {
            table: A::TABLE,
            id: head.id.to_owned(),
            version: Some(head.version),
        });
    }

    /// Lets the commit happen only while there is no entity with that id.
    pub fn expects_none<A: Aggregate>(&mut self, id: &str) {
        self.conditions.push(Condition::Version { table: A::TABLE, id: id.to_owned(), version: None });
    }

    /// The rows of an owner's entities, newest first. Lets the commit happen only while they are the same, so that the
    /// call can rely on what they are together.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn expects_owned<A: Aggregate>(&mut self, owner: &str) -> Result<Vec<StoredRow>> {
        let (rows, condition) = read_group::<A>(self.call, None, owner.to_owned()).await?;
        self.conditions.push(condition);
        Ok(rows)
    }

    /// The entities with that value in a lookup, newest first. Lets the commit happen only while they are the same. They
    /// belong to the domain of the commit.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn expects_by<A: Aggregate>(&mut self, lookup: &str, value: &str) -> Result<Vec<A>> {
        let lookup = read::lookup::<A>(lookup)?;
        let (rows, condition) = read_group::<A>(self.call, Some(lookup), value.to_owned()).await?;
        self.conditions.push(condition);
        rows.iter().map(|row| self.call.kernel().documents().read(row)).collect()
    }

    /// Adds a new entity with the call's action. Its id (unless set), version and times are filled in. Its number, if it
    /// has one, is a mark until the commit: the documents of the commit and its answer get the number.
    ///
    /// # Errors
    /// The error of the entity's own check.
    pub fn create<A: Aggregate>(&mut self, entity: A) -> Result<A> {
        self.create_as(entity, self.call.method().action)
    }

    /// Adds a new entity with another action that the call declares.
    ///
    /// # Errors
    /// As [`Unit::create`].
    pub fn create_as<A: Aggregate>(&mut self, mut entity: A, action: &str) -> Result<A> {
        let now = self.call.timestamp();
        entity.normalize();
        let head = entity.head_mut();
        // Derived fields may depend on the status.
        if *head.status == 0 {
            *head.status = A::status_number(A::TABLE.initial)
                .ok_or_else(|| Error::internal(format!("{} has no initial status", A::TABLE.name)))?;
        }
        entity.derive(None, &now)?;
        let id = if entity.head().id.is_empty() { self.call.id_of(&entity) } else { String::new() };
        let head = entity.head_mut();
        if head.id.is_empty() {
            *head.id = id;
        }
        if A::PARENT.is_some() {
            head.owner_id.clear();
        }
        *head.version = 1;
        *head.created_at = Some(now);
        *head.updated_at = Some(now);
        unowned_filter::check_new(&entity)?;
        value_check::check_entity(None, &entity)?;
        if let Some(NumberField { field, series, width }) =
            entity.numbering(self.call.now()).filter(|one| one.field.is_empty())
        {
            let mark = self.call.new_id();
            field.clone_from(&mark);
            self.numbers.push(NumberRequest { mark, journal: A::TABLE.journal, series, width });
        }
        self.checks.extend(tree_check::check_put(None, &entity));
        self.add(&entity, None, action, false)?;
        self.names.extend(name_registry::wanted(self.call, None, &entity));
        Ok(entity)
    }

    /// Adds a change with the call's action: `before` is the loaded state, `after` the new one.
    ///
    /// # Errors
    /// The error of the entity's own check.
    pub fn update<A: Aggregate>(&mut self, before: &A, after: A) -> Result<A> {
        self.update_as(before, after, self.call.method().action)
    }

    /// Adds a change with another action that the call declares.
    ///
    /// # Errors
    /// As [`Unit::update`].
    pub fn update_as<A: Aggregate>(&mut self, before: &A, mut after: A, action: &str) -> Result<A> {
        let expected = before.head().version;
        after.normalize();
        after.derive(Some(before), &self.call.timestamp())?;
        value_check::check_entity(Some(before), &after)?;
        let (method, was) = (self.call.method(), before.head().status);
        let is = after.head().status;
        if method.aggregate.is_some_and(|table| table.name == A::TABLE.name) && is != was && !method.leads(was, is) {
            return Err(Error::internal(format!("{} led from {was} to {is}, which it does not declare", method.rpc)));
        }
        if before.parent_id() != after.parent_id() {
            return Err(Error::internal(format!("{} gave a {} another parent", method.rpc, A::TABLE.noun)));
        }
        let head = after.head_mut();
        *head.version = expected + 1;
        *head.updated_at = Some(self.call.timestamp());
        self.checks.extend(tree_check::check_put(Some(before), &after));
        self.add(&after, Some(expected), action, false)?;
        self.names.extend(name_registry::wanted(self.call, Some(before), &after));
        Ok(after)
    }

    /// Adds a removal with the call's action.
    ///
    /// # Errors
    /// When the entity cannot be written.
    pub fn remove<A: Aggregate>(&mut self, entity: A) -> Result<A> {
        self.remove_as(entity, self.call.method().action)
    }

    /// Adds a removal with another action that the call declares.
    ///
    /// # Errors
    /// As [`Unit::remove`].
    pub fn remove_as<A: Aggregate>(&mut self, mut entity: A, action: &str) -> Result<A> {
        let expected = entity.head().version;
        let head = entity.head_mut();
        *head.version = expected + 1;
        *head.updated_at = Some(self.call.timestamp());
        self.checks.extend(tree_check::check_removed(&entity));
        self.add(&entity, Some(expected), action, true)?;
        Ok(entity)
    }

    /// Whether the call declares the action.
    pub(crate) fn declares(&self, action: &str) -> bool {
        let method = self.call.method();
        action == method.action || method.actions.contains(&action)
    }

    fn add<A: Aggregate>(&mut self, entity: &A, expected: Option<i64>, action: &str, removed: bool) -> Result<()> {
        if !self.declares(action) {
            return Err(Error::internal(format!("{} does not declare the action {action}", self.call.method().rpc)));
        }
        entity.check()?;
        if !removed {
            self.checks.extend(sibling_check::check_of(entity));
        }
        if expected.is_none() {
            self.checks.extend(child_check::check_new(entity));
        }
        let row = self.call.kernel().documents().write(entity)?;
        let fold = |(lookup, value): (&'static Lookup, String)| {
            let value = fold_value(lookup, &value).into_owned();
            (lookup, value)
        };
        let lookups = if removed { Vec::new() } else { entity.lookups().into_iter().map(fold).collect() };
        self.writes.push(Write { table: A::TABLE, row, expected, removed, action: action.to_owned(), lookups });
        Ok(())
    }
}
