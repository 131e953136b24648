//! The calls of every domain about its workers, without the domain's types.

use pavise_contract::common::v1::{OrderWorkerRequest, OrderWorkerResponse, ReadWorkersRequest, ReadWorkersResponse};
use pavise_contract::table::WorkerCalls;
use tonic::Request;
use tonic::codegen::http::uri::PathAndQuery;

use crate::error::{Error, Result};
use crate::kernel::Kernel;

impl Kernel {
    /// The workers of a domain, which may run elsewhere.
    ///
    /// # Errors
    /// When the domain does not answer.
    pub async fn read_workers(&self, calls: &WorkerCalls, ask: ReadWorkersRequest) -> Result<ReadWorkersResponse> {
        self.ask_domain(calls.domain, calls.read, ask).await
    }

    /// Asks a worker of a domain, which may run elsewhere, to do something.
    ///
    /// # Errors
    /// When the domain does not answer, or refuses.
    pub async fn order_worker(&self, calls: &WorkerCalls, ask: OrderWorkerRequest) -> Result<OrderWorkerResponse> {
        self.ask_domain(calls.domain, calls.order, ask).await
    }

    /// Makes a call of a domain as the platform.
    async fn ask_domain<Q, A>(&self, domain: &str, path: &'static str, ask: Q) -> Result<A>
    where
        Q: prost::Message + Send + Sync + 'static,
        A: prost::Message + Default + Send + Sync + 'static,
    {
        let mut client = tonic::client::Grpc::new(self.peer_channel(domain));
        client.ready().await.map_err(|error| Error::unavailable(domain, error))?;
        let codec = tonic_prost::ProstCodec::<Q, A>::default();
        Ok(client.unary(Request::new(ask), PathAndQuery::from_static(path), codec).await?.into_inner())
    }
}
