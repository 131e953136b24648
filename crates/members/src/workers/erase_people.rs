//! `members.erase_people`: ends a person's sessions, erases them in every domain, then destroys their key.
//!
//! Each step is recorded when it is done, and each can be repeated. A process that ends between two steps, or within one,
//! goes on with the first step that is not recorded. The counts of the receipt are those from before the erasure.
//!
//! A file that was put on legal hold meanwhile stays as it is. The rest is erased, and the erasure waits for the end of the
//! hold.

use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::peers::PeerChannel;
use pavise_kernel::sealed::name_key_of;
use pavise_kernel::table::PersonCalls;
use pavise_kernel::time::to_timestamp;
use pavise_kernel::worker::{self, JournalFeed, Work, Worker};
use pavise_kernel::{Common, Error, Result, async_trait};
use tonic::Request;

use crate::contract::actions::profile as actions;
use crate::contract::feeds;
use crate::contract::identity::data_key_service_client::DataKeyServiceClient;
use crate::contract::identity::session_service_client::SessionServiceClient;
use crate::contract::identity::{DestroyDataKeysRequest, RevokeAllSessionsRequest};
use crate::contract::v1::personal_data_service_client::PersonalDataServiceClient;
use crate::contract::v1::{
    ErasedDomainStatus, ErasedService, FinishPersonErasureRequest, GetPersonErasureRequest, PersonErasure,
    PersonErasureStatus, RecordDestroyedKeyRequest, RecordErasedDomainRequest,
};
use crate::shared::person_parts::{count_in_domain, erase_in_domain, wait_for_holds};

/// Rounds through all domains, each of which found something that was written meanwhile.
const ROUNDS: u32 = 20;

/// The worker.
#[derive(Debug)]
pub(crate) struct ErasePeople;

#[async_trait]
impl Worker for ErasePeople {
    fn name(&self) -> &'static str {
        "members.erase_people"
    }

    fn feed(&self) -> JournalFeed {
        feeds::PROFILES
    }

    /// An erasure waits for a domain that does not answer.
    fn gives_up(&self) -> bool {
        false
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        if entry.action != actions::ERASURE_STARTED {
            return Ok(());
        }
        let Some(erasure) = worker::decode_entity::<PersonErasure>(entry)? else { return Ok(()) };
        let mut run = Run::load(work, erasure.id).await?;
        if run.erasure.status() == PersonErasureStatus::Running { run.finish().await } else { Ok(()) }
    }
}

/// An erasure that runs.
struct Run<'w> {
    work: &'w Work,
    client: PersonalDataServiceClient<PeerChannel>,
    erasure: PersonErasure,
}

impl<'w> Run<'w> {
    async fn load(work: &'w Work, person: String) -> Result<Self> {
        let mut client = PersonalDataServiceClient::new(work.peer_channel("members"));
        let asked = Request::new(GetPersonErasureRequest { identity_id: person });
        let erasure = client.get_person_erasure(asked).await?.into_inner();
        Ok(Self { work, client, erasure })
    }

    /// Does all steps that are not recorded.
    async fn finish(&mut self) -> Result<()> {
        self.end_sessions().await?;
        let work = self.work;
        let domains = work.kernel().person_calls();
        for calls in domains {
            if !self.is_at_least(calls, ErasedDomainStatus::Counted) {
                let services = count_in_domain(self.work, calls, &self.erasure.id).await?;
                self.record(calls, ErasedDomainStatus::Counted, services).await?;
            }
        }
        let mut all_held = Vec::new();
        for calls in domains {
            if !self.is_at_least(calls, ErasedDomainStatus::Erased) {
                let (_, held) = erase_in_domain(self.work, calls, &self.erasure.id).await?;
                if held.is_empty() {
                    self.record(calls, ErasedDomainStatus::Erased, Vec::new()).await?;
                }
                all_held.extend(held);
            }
        }
        wait_for_holds(&all_held)?;
        self.erase_until_quiet().await?;
        if self.erasure.key_destroyed_at.is_none() && self.destroy_key().await? {
            let record = RecordDestroyedKeyRequest { identity_id: self.erasure.id.clone() };
            self.erasure = self.client.record_destroyed_key(Request::new(record)).await?.into_inner();
        }
        // A call that began before may have ended since.
        self.erase_until_quiet().await?;
        let finish = FinishPersonErasureRequest { identity_id: self.erasure.id.clone() };
        self.client.finish_person_erasure(Request::new(finish)).await?;
        Ok(())
    }

    fn is_at_least(&self, calls: &PersonCalls, status: ErasedDomainStatus) -> bool {
        let known = self.erasure.domains.iter().find(|known| known.domain == calls.domain);
        known.is_some_and(|known| known.status >= i32::from(status))
    }

    async fn record(
        &mut self,
        calls: &PersonCalls,
        status: ErasedDomainStatus,
        services: Vec<ErasedService>,
    ) -> Result<()> {
        let record = RecordErasedDomainRequest {
            identity_id: self.erasure.id.clone(),
            domain: calls.domain.to_owned(),
            status: status.into(),
            services,
        };
        self.erasure = self.client.record_erased_domain(Request::new(record)).await?.into_inner();
        Ok(())
    }

    /// Ends the person's sessions, so that nobody goes on writing in their name.
    async fn end_sessions(&self) -> Result<()> {
        let mut sessions = SessionServiceClient::new(self.work.peer_channel("identity"));
        let identity_id = self.erasure.id.clone();
        let request = RevokeAllSessionsRequest { identity_id, ..RevokeAllSessionsRequest::default() };
        sessions.revoke_all_sessions(Request::new(request)).await?;
        Ok(())
    }

    /// Goes through all domains until there is nothing to erase: workers may have copied values meanwhile.
    async fn erase_until_quiet(&self) -> Result<()> {
        for _ in 0..ROUNDS {
            let (mut is_found, mut all_held) = (false, Vec::new());
            for calls in self.work.kernel().person_calls() {
                let (found, held) = erase_in_domain(self.work, calls, &self.erasure.id).await?;
                is_found |= found;
                all_held.extend(held);
            }
            wait_for_holds(&all_held)?;
            if !is_found {
                return Ok(());
            }
        }
        // Another try begins where this one stands.
        Err(Error::unavailable("the erasure", "somebody goes on writing the person's data"))
    }

    /// Destroys the person's key for good. Without a key database nothing is sealed: then it answers `false`.
    async fn destroy_key(&self) -> Result<bool> {
        let mut keys = DataKeyServiceClient::new(self.work.peer_channel("identity"));
        let names = vec![name_key_of(&self.erasure.id)];
        let destroy = DestroyDataKeysRequest { names, at: Some(to_timestamp(self.work.machine_now())) };
        match keys.destroy_data_keys(Request::new(destroy)).await.map_err(Error::from) {
            Ok(_) => Ok(true),
            Err(error) if error.is(Common::NotConfigured) => Ok(false),
            Err(error) => Err(error),
        }
    }
}
