//! Answers the workers of all domains.

use std::time::Duration;

use futures::future::join_all;
use pavise_kernel::common::v1::ReadWorkersRequest;
use pavise_kernel::{Call, Result};

use crate::contract::v1::{ListWorkersRequest, ListWorkersResponse};

/// How long a domain is waited for.
const PATIENCE: Duration = Duration::from_secs(5);

pub(crate) async fn list_workers(call: &Call, request: ListWorkersRequest) -> Result<ListWorkersResponse> {
    let kernel = call.kernel();
    let asked = kernel.worker_calls().iter().copied();
    let asked = asked.filter(|calls| request.domain.is_empty() || request.domain == calls.domain);
    let answers = join_all(asked.map(|calls| async move {
        let answer = tokio::time::timeout(PATIENCE, kernel.read_workers(calls, ReadWorkersRequest::default())).await;
        (calls.domain, answer)
    }));
    let mut response = ListWorkersResponse::default();
    for (domain, answer) in answers.await {
        match answer {
            Ok(Ok(answer)) => response.workers.extend(answer.workers),
            Ok(Err(error)) => {
                tracing::warn!(domain, cause = %error, "a domain does not answer its workers");
                response.silent_domains.push(domain.to_owned());
            }
            Err(_) => response.silent_domains.push(domain.to_owned()),
        }
    }
    response.workers.sort_by(|left, right| left.name.cmp(&right.name));
    Ok(response)
}
