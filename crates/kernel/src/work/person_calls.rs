//! The calls of every domain about the data of one person, without the domain's types.

use bytes::Bytes;
use pavise_contract::common::v1::{
    ExportPersonRequest, ExportPersonResponse, RedactPersonRequest, RedactPersonResponse,
};
use pavise_contract::table::PersonCalls;
use prost::Message;
use tonic::Request;

use crate::error::{Error, Result};
use crate::work::worker::Work;

impl Work {
    /// Answers a part of what a domain has of a person.
    ///
    /// # Errors
    /// When the domain does not answer, or refuses.
    pub async fn export_person(
        &self,
        calls: &PersonCalls,
        request: &ExportPersonRequest,
    ) -> Result<ExportPersonResponse> {
        let request = Request::new(Bytes::from(request.encode_to_vec()));
        let answer = self.call_raw(calls.domain, calls.export, request).await?;
        ExportPersonResponse::decode(answer).map_err(Error::internal)
    }

    /// Erases a part of what a domain has of a person. A repeat takes effect once.
    ///
    /// # Errors
    /// When the domain does not answer, or refuses.
    pub async fn redact_person(
        &self,
        calls: &PersonCalls,
        request: &RedactPersonRequest,
    ) -> Result<RedactPersonResponse> {
        let request = Request::new(Bytes::from(request.encode_to_vec()));
        let answer = self.call_raw(calls.domain, calls.redact, request).await?;
        RedactPersonResponse::decode(answer).map_err(Error::internal)
    }
}
