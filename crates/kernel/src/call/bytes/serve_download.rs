//! Answers calls with bytes.

use pavise_contract::common::v1::ByteAnswer;
use pavise_contract::table::Method;
use prost_protovalidate::Validate;
use tonic::{Request, Response, Status};

use super::download::Download;
use super::range::RangeConditions;
use crate::call::Call;
use crate::call::messages::Messages;
use crate::call::stream::Follow;
use crate::entity::aggregate::{Redact, Target};
use crate::error::Result;
use crate::kernel::Kernel;

/// Chunks that are read before the caller takes them.
const AHEAD: usize = 2;

impl Kernel {
    /// Answers a call with bytes. `run` makes the download.
    ///
    /// # Errors
    /// The answer of a call that is refused before its first byte.
    pub async fn serve_download<Q, F, Fut>(
        &self,
        method: &'static Method,
        request: Request<Q>,
        run: F,
    ) -> Result<Response<Messages<ByteAnswer>>, Status>
    where
        Q: prost::Message + Validate + Target + Redact + Clone,
        F: FnOnce(Call, Q) -> Fut + Send,
        Fut: Future<Output = Result<Download>> + Send,
    {
        let conditions = RangeConditions::read(request.metadata());
        let follow = Follow { ahead: AHEAD, whole: true };
        let answer = |call: Call, request: Q| async move { run(call, request).await?.answer(conditions).await };
        self.serve_messages(method, request, follow, answer).await
    }
}
