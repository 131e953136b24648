//! A domain as the platform knows it: what it declares, how it is built, what it needs before its first caller.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use pavise_contract::table::{Method, OwnedEntity, PersonCalls, WorkerCalls};

use crate::call::services::Services;
use crate::call::ties::TieChecker;
use crate::error::{Error, Result};
use crate::kernel::{Kernel, TableEntry};
use crate::port::files::Files;
use crate::port::migrations::Migrations;
use crate::work::forget::Forget;
use crate::work::notify_subject::{SubjectNotice, SubjectNoticeWorker};
use crate::work::owned_entities::MoveToOwner;
use crate::work::schedule::check_schedules;
use crate::work::unowned::{UnownedRule, UnownedWorker};
use crate::work::worker::{Work, Worker};
use crate::write::name_registry::{NameFollower, NameWorker};

/// A domain. Its crate has one as `DOMAIN`, and the platform's binary depends on the crate: that registers it.
#[async_trait]
pub trait Domain: fmt::Debug + Send + Sync {
    /// Its contract, which the build generates as `contract::DECLARED`.
    fn declared(&self) -> &'static DomainContract;

    /// Puts on the kernel what its calls need besides ([`Kernel::provide`]).
    ///
    /// # Errors
    /// When it cannot do without settings that are not there.
    fn provide(&self, kernel: &Kernel, settings: &Settings) -> Result<()> {
        let _ = (kernel, settings);
        Ok(())
    }

    /// Its workers.
    ///
    /// # Errors
    /// When they cannot do without settings that are not there.
    fn workers(&self, settings: &Settings) -> Result<Vec<Arc<dyn Worker>>> {
        let _ = settings;
        Ok(Vec::new())
    }

    /// How it hands over in a merge what no call of its contract moves.
    fn moves_to_owner(&self) -> Vec<Arc<dyn MoveToOwner>> {
        Vec::new()
    }

    /// Its services and workers on a kernel.
    ///
    /// # Errors
    /// When it cannot do without settings that are not there.
    fn build(&self, kernel: &Kernel, settings: &Settings) -> Result<BuiltDomain> {
        kernel.provide(settings.get::<Files>().unwrap_or_else(Files::not_configured));
        self.provide(kernel, settings)?;
        let declared = self.declared();
        if declared.ties && kernel.find_provided::<TieChecker>().is_err() {
            return Err(Error::internal(format!(
                "the domain {} has ties, and provides no keeper of them",
                declared.name
            )));
        }
        let mut workers = self.workers(settings)?;
        workers.extend(declared.name_workers());
        workers.extend(declared.unowned_workers());
        workers.extend(declared.told_workers());
        check_schedules(workers.iter().map(|worker| &**worker))?;
        Ok(BuiltDomain { services: (declared.services)(kernel), workers, moves_to_owner: self.moves_to_owner() })
    }

    /// Makes what must be there before the first caller. The kernel's peers lead to all domains then, this one too;
    /// several processes may do it at once.
    ///
    /// # Errors
    /// When the database or a domain does not answer.
    async fn bootstrap(&self, kernel: &Kernel, settings: &Settings) -> Result<()> {
        let _ = (kernel, settings);
        Ok(())
    }

    /// Makes its part of the demonstration that no member's story makes. A repeat makes what is missing; what is there
    /// already is taken over, or left as it is and reported ([`Work::skip_refused`]).
    ///
    /// # Errors
    /// When the database or a domain does not answer.
    async fn demo(&self, work: &Work, settings: &Settings) -> Result<()> {
        let _ = (work, settings);
        Ok(())
    }
}

/// The contract of a domain.
#[derive(Debug)]
pub struct DomainContract {
    /// Its name, as in the proto package.
    pub name: &'static str,
    /// Its calls.
    pub methods: &'static [&'static Method],
    /// Makes its services.
    pub services: fn(&Kernel) -> Services,
    /// Its aggregates.
    pub tables: &'static [&'static TableEntry],
    /// Its encoded descriptors with their imports, without comments.
    pub descriptors: &'static [u8],
    /// The same with comments, for documents.
    pub commented: &'static [u8],
    /// Its tables.
    pub migrations: &'static Migrations,
    /// The things that a merge of two identities moves.
    pub owned_entities: &'static [&'static OwnedEntity],
    /// The calls about the data of one person, if it stores such data.
    pub person_calls: Option<&'static PersonCalls>,
    /// The calls about its workers.
    pub worker_calls: Option<&'static WorkerCalls>,
    /// The journals of aggregates with names that are unique across services.
    pub named: &'static [NameFollower],
    /// The aggregates whose entities end without an owner.
    pub unowned: &'static [UnownedRule],
    /// The journals with entries of which their subject is told.
    pub told: &'static [SubjectNotice],
    /// Whether its calls have ties that the kernel checks, so that it provides [`TieChecker`].
    pub ties: bool,
    /// The name of the worker that forgets its old idempotency records.
    pub forget: &'static str,
    /// The name of the worker that hands over what it keeps when two identities are merged.
    pub move_to_owner: &'static str,
}

impl DomainContract {
    /// The worker that forgets old idempotency records of the domain's journals.
    #[must_use]
    pub fn forget(&self) -> Arc<dyn Worker> {
        let mut journals: Vec<&'static str> = self.tables.iter().map(|entry| entry.table.journal).collect();
        journals.sort_unstable();
        journals.dedup();
        Arc::new(Forget::new(self.forget, journals))
    }

    /// The workers that confirm and free names that are unique across services.
    pub fn name_workers(&self) -> impl Iterator<Item = Arc<dyn Worker>> {
        self.named.iter().map(|named| Arc::new(NameWorker::new(named)) as Arc<dyn Worker>)
    }

    /// The workers that end what nobody claimed.
    pub fn unowned_workers(&self) -> impl Iterator<Item = Arc<dyn Worker>> {
        self.unowned.iter().map(|unowned| Arc::new(UnownedWorker::new(unowned)) as Arc<dyn Worker>)
    }

    /// The workers that tell somebody of what was done in their name.
    pub fn told_workers(&self) -> impl Iterator<Item = Arc<dyn Worker>> {
        self.told.iter().map(|told| Arc::new(SubjectNoticeWorker::new(told)) as Arc<dyn Worker>)
    }
}

/// A domain on a kernel.
#[derive(Debug)]
pub struct BuiltDomain {
    /// Its services.
    pub services: Services,
    /// Its workers.
    pub workers: Vec<Arc<dyn Worker>>,
    /// How it hands over what no call of its contract moves.
    pub moves_to_owner: Vec<Arc<dyn MoveToOwner>>,
}

/// The settings of all domains. Each domain has a type of its own for them.
#[derive(Clone, Default)]
pub struct Settings(HashMap<TypeId, Arc<dyn Any + Send + Sync>>);

impl Settings {
    /// These and the settings of one more domain, in place of those it had.
    #[must_use]
    pub fn with<T: Any + Send + Sync>(mut self, settings: T) -> Self {
        self.0.insert(TypeId::of::<T>(), Arc::new(settings));
        self
    }

    /// The settings of that type, if there are any.
    #[must_use]
    pub fn get<T: Any + Clone>(&self) -> Option<T> {
        self.0.get(&TypeId::of::<T>())?.downcast_ref().cloned()
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Settings").field(&self.0.len()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_domain_finds_its_own_settings() {
        let settings = Settings::default().with(1_u8).with("one").with(2_u8);
        assert_eq!((settings.get::<u8>(), settings.get::<&str>(), settings.get::<u16>()), (Some(2), Some("one"), None));
    }
}
