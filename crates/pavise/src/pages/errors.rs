//! `docs/errors.md`: the reasons for which calls are refused.

use std::fmt::Write as _;

use pavise_contract::{Contract, Reason};

use super::page::{Page, table};

/// The page.
pub(super) fn page(contract: &Contract) -> Page {
    let mut text = "Every refused call is answered in one shape: a canonical code, a message for people, and details. The reason in\n`ErrorInfo` is what a program should look at.\n\n```json\n{\n  \"code\": 409,\n  \"status\": \"FAILED_PRECONDITION\",\n  \"message\": \"PurchaseOrder is not allowed while the order is PROVISIONED\",\n  \"details\": [\n    {\"@type\": \"type.googleapis.com/google.rpc.ErrorInfo\", \"reason\": \"STATUS_NOT_ALLOWED\", \"domain\": \"orders\", \"metadata\": {\"status\": \"PROVISIONED\"}}\n  ]\n}\n```\n".to_owned();
    text.push_str("\nThe contract lists the reasons of each call (`reasons`). A call may also answer the shared ones that can happen to it; OpenAPI\nlists both for each call.\n");
    let mut domains: Vec<&String> = contract.reasons.iter().map(|reason| &reason.domain).collect();
    domains.sort_unstable();
    domains.dedup();
    let mut parts = Vec::new();
    for domain in domains {
        let of = contract.reasons.iter().filter(|reason| reason.domain == *domain);
        let row = |reason: &Reason| [&reason.name, &reason.code, &reason.comment, &reason.example].map(Clone::clone);
        if domain == "common" {
            let reasons = table(&["reason", "code", "meaning", "example"], of.map(|reason| row(reason).to_vec()));
            let _ = write!(text, "\n## Of every service\n\n{reasons}");
        } else {
            let rows = of.map(|reason| row(reason).into_iter().chain([answering(contract, reason)]).collect());
            let reasons = table(&["reason", "code", "meaning", "example", "calls"], rows);
            parts.push((domain.clone(), format!("\n{reasons}")));
        }
    }
    Page { name: "errors", title: "Errors", text, parts }
}

/// The calls that may answer a reason. Workers alone give one without any.
fn answering(contract: &Contract, reason: &Reason) -> String {
    let own = contract.methods().filter(|(service, _)| service.domain == reason.domain);
    let calls = own.filter(|(_, method)| method.reasons().contains(&reason.name));
    calls.map(|(_, method)| method.descriptor.name()).collect::<Vec<_>>().join(", ")
}
