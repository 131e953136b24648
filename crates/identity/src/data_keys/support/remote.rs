//! The key database of another process.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use pavise_kernel::Error;
use pavise_kernel::peers::{Credential, Transport};
use pavise_kernel::sealed::{KeyStore, WrappedKey};
use pavise_kernel::store::{StoreError, StoreResult};
use pavise_kernel::time::{Clock, Micros, to_timestamp};
use tonic::{Request, Status};

use super::{as_message, from_message};
use crate::contract::v1::data_key_service_client::DataKeyServiceClient;
use crate::contract::v1::{
    AddDataKeysRequest, DestroyDataKeysRequest, GetDataKeysRequest, ListDestroyedDataKeysRequest,
};
use crate::shared::keys::Channel;

/// How long an answer is waited for.
const PATIENCE: Duration = Duration::from_secs(5);
/// The names and keys of one call.
const MOST: usize = 1_000;

/// The keys of the process that runs this domain, over the mesh.
pub struct RemoteDataKeys {
    transport: Transport,
    credential: Arc<dyn Credential>,
    clock: Arc<dyn Clock>,
}

impl RemoteDataKeys {
    /// Asks over `transport`, which leads to the identity domain.
    #[must_use]
    pub fn new(transport: Transport, credential: Arc<dyn Credential>, clock: Arc<dyn Clock>) -> Self {
        Self { transport, credential, clock }
    }

    fn client(&self) -> DataKeyServiceClient<Channel> {
        DataKeyServiceClient::new(Channel(self.transport.clone()))
    }

    fn request<Q>(&self, message: Q) -> StoreResult<Request<Q>> {
        let mut request = Request::new(message);
        let token = format!("Bearer {}", self.credential.token(self.clock.now()));
        let token = token.parse().map_err(|_| failed("the token is no header"))?;
        request.metadata_mut().insert("authorization", token);
        request.set_timeout(PATIENCE);
        Ok(request)
    }
}

impl fmt::Debug for RemoteDataKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RemoteDataKeys")
    }
}

fn failed(cause: impl fmt::Display) -> StoreError {
    StoreError { cause: cause.to_string(), unknown: false }
}

fn refused(status: Status) -> StoreError {
    let error = Error::from(status);
    failed(format!("the identity domain: {}", error.message()))
}

#[async_trait]
impl KeyStore for RemoteDataKeys {
    async fn keys(&self, names: &[String]) -> StoreResult<Vec<WrappedKey>> {
        let mut found = Vec::with_capacity(names.len());
        for names in names.chunks(MOST) {
            let request = self.request(GetDataKeysRequest { names: names.to_vec() })?;
            let answer = self.client().get_data_keys(request).await.map_err(refused)?.into_inner();
            found.extend(answer.keys.into_iter().map(from_message));
        }
        Ok(found)
    }

    async fn add(&self, keys: &[WrappedKey]) -> StoreResult<()> {
        for keys in keys.chunks(MOST) {
            let keys = keys.iter().cloned().map(as_message).collect();
            let request = self.request(AddDataKeysRequest { keys })?;
            self.client().add_data_keys(request).await.map_err(refused)?;
        }
        Ok(())
    }

    async fn destroy(&self, names: &[String], at: Micros) -> StoreResult<()> {
        for names in names.chunks(MOST) {
            let request = DestroyDataKeysRequest { names: names.to_vec(), at: Some(to_timestamp(at)) };
            self.client().destroy_data_keys(self.request(request)?).await.map_err(refused)?;
        }
        Ok(())
    }

    async fn destroyed(&self, after: &str, limit: u32) -> StoreResult<Vec<WrappedKey>> {
        let limit = i32::try_from(limit).unwrap_or(i32::MAX);
        let request = self.request(ListDestroyedDataKeysRequest { after: after.to_owned(), limit })?;
        let answer = self.client().list_destroyed_data_keys(request).await.map_err(refused)?.into_inner();
        Ok(answer.keys.into_iter().map(from_message).collect())
    }

    async fn wrapped_otherwise(&self, _master: &str, _after: &str, _limit: u32) -> StoreResult<Vec<WrappedKey>> {
        Err(failed("keys are wrapped anew where the key database is"))
    }

    async fn rewrap(&self, _pairs: &[(WrappedKey, WrappedKey)]) -> StoreResult<u64> {
        Err(failed("keys are wrapped anew where the key database is"))
    }
}
