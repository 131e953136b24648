//! One run of the worker on a provision.

use pavise_kernel::common::v1::Date;
use pavise_kernel::peers::PeerChannel;
use pavise_kernel::worker::Work;
use pavise_kernel::{Error, Result, time};
use tonic::Request;

use crate::contract::v1::provision_service_client::ProvisionServiceClient;
use crate::contract::v1::{
    GetProvisionRequest, Provision, ProvisionFailure, ProvisionStatus as Status, ProvisionStep as Step,
    SubmitAsNewRequest, UpdateStatusRequest,
};
use crate::provision::support::lifecycle;

/// The worker's name in idempotency keys.
pub(super) const KEY_NAME: &str = "fulfillment.provision";
/// The longest cause of a failure, in characters.
const LONGEST_CAUSE: usize = 1000;

/// The provision and the work on it.
pub(super) struct Run {
    work: Work,
    provision: Provision,
}

impl Run {
    /// Loads the provision, unless it has changed since `seen`.
    pub(super) async fn load_newest(work: &Work, seen: &Provision, request_id: &str) -> Result<Option<Self>> {
        let mut provisions = ProvisionServiceClient::new(work.peer_channel("fulfillment"));
        let asked = Request::new(GetProvisionRequest { provision_id: seen.id.clone() });
        let provision = match provisions.get_provision(asked).await {
            Ok(answer) => answer.into_inner(),
            Err(status) if status.code() == tonic::Code::NotFound => return Ok(None),
            Err(status) => return Err(status.into()),
        };
        if provision.version != seen.version {
            return Ok(None);
        }
        // Idempotency keys are made of the provision, not of the entry: two entries that drive one step have one effect.
        let work = Work::new(work.kernel(), KEY_NAME, format!("provision/{}", provision.id), request_id);
        Ok(Some(Self { work, provision }))
    }

    /// The provision as this run left it.
    pub(super) fn provision(&self) -> &Provision {
        &self.provision
    }

    /// Takes the provision that a call answered.
    pub(super) fn set_provision(&mut self, provision: Provision) {
        self.provision = provision;
    }

    /// Today.
    pub(super) fn today(&self) -> Date {
        time::to_date(self.work.now())
    }

    /// A channel to a domain.
    pub(super) fn peer_channel(&self, domain: &str) -> PeerChannel {
        self.work.peer_channel(domain)
    }

    /// A client of the service provision.
    pub(super) fn provisions(&self) -> ProvisionServiceClient<PeerChannel> {
        ProvisionServiceClient::new(self.work.peer_channel("fulfillment"))
    }

    /// A request to another service. Repeats of the step have one effect.
    pub(super) fn new_request<M>(&self, message: M, step: &str) -> Request<M> {
        self.work.new_request(message, step)
    }

    /// A request that changes the provision, if its version is still the one of this run.
    pub(super) fn change_request<M>(&self, message: M, step: &str) -> Request<M> {
        let version = self.provision.version;
        let mut request = self.work.new_request(message, &format!("{step}/{version}"));
        if let Ok(tag) = version.to_string().parse() {
            request.metadata_mut().insert("if-match", tag);
        }
        request
    }

    /// Moves the provision to a status that needs no data.
    pub(super) async fn move_to(&mut self, status: Status) -> Result<()> {
        self.update_status(UpdateStatusRequest { status: status.into(), ..Default::default() }).await
    }

    /// Moves the provision.
    pub(super) async fn update_status(&mut self, request: UpdateStatusRequest) -> Result<()> {
        let step = format!("status/{}", request.status().spelling());
        let request = UpdateStatusRequest { provision_id: self.provision.id.clone(), ..request };
        self.provision = self.provisions().update_status(self.change_request(request, &step)).await?.into_inner();
        Ok(())
    }

    /// Goes on as a new membership.
    pub(super) async fn submit_as_new(&mut self) -> Result<()> {
        let request = SubmitAsNewRequest { provision_id: self.provision.id.clone() };
        self.provision = self.provisions().submit_as_new(self.change_request(request, "new")).await?.into_inner();
        Ok(())
    }

    /// Whether a step of its status can fail.
    pub(super) fn can_fail(&self) -> bool {
        lifecycle::is_running(self.provision.status())
    }

    /// Records that the step of the status was refused for good.
    pub(super) async fn record_failure(&mut self, error: &Error) -> Result<()> {
        let failure = ProvisionFailure {
            step: step_of(self.provision.status()).into(),
            reason: error.reason().chars().take(100).collect(),
            cause: error.message().chars().take(LONGEST_CAUSE).collect(),
            ..Default::default()
        };
        self.update_status(UpdateStatusRequest {
            status: Status::Failed.into(),
            failure: Some(failure),
            ..Default::default()
        })
        .await
    }
}

/// The step of a status.
fn step_of(status: Status) -> Step {
    match status {
        Status::Created | Status::Process | Status::Started => Step::Checks,
        Status::PotentialReinstatement | Status::ReinstateChecked => Step::Reinstatement,
        Status::InProgress => Step::Identities,
        Status::IdentitiesAdded => Step::ClassicMaps,
        Status::ClassicMapsAdded => Step::SubscriptionAndEntitlement,
        Status::SubscriptionAndEntitlementAdded => Step::Business,
        Status::BusinessAdded => Step::Completion,
        Status::Unspecified
        | Status::Completed
        | Status::Failed
        | Status::Deleted
        | Status::Updated
        | Status::PendingPlanChange
        | Status::PendingProfileReview => Step::Unspecified,
    }
}
