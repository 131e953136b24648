//! The contract alone decides which refusals and answers of a domain are seen.

use crate::{SHELVES, build};

/// The code of a changed contract, without spaces.
fn code(changes: &[(&str, &str)]) -> String {
    let text = changes.iter().fold(SHELVES.to_owned(), |text, (old, new)| {
        assert!(text.contains(old), "{old}");
        text.replace(old, new)
    });
    build(&text).unwrap().split_whitespace().collect()
}

/// The declaration of a reason, with another code and perhaps an event.
fn reason(code: &str, event: &str) -> String {
    format!("code: \"{code}\" {event} example: \"it burnt\"")
}

#[test]
fn the_code_of_a_reason_decides_its_security_event_unless_it_says_another() {
    for (declared, event) in [
        (reason("UNAUTHENTICATED", ""), "ProofFailed"),
        (reason("PERMISSION_DENIED", ""), "AccessRefused"),
        (reason("RESOURCE_EXHAUSTED", ""), "Throttled"),
        (reason("FAILED_PRECONDITION", ""), "None"),
        (reason("FAILED_PRECONDITION", "event: SECURITY_EVENT_PROOF_FAILED"), "ProofFailed"),
        (reason("UNAUTHENTICATED", "event: SECURITY_EVENT_NONE"), "None"),
    ] {
        let code = code(&[("code: \"FAILED_PRECONDITION\" example: \"it burnt\"", &declared)]);
        assert!(code.contains(&format!("1=>::pavise_kernel::table::SecurityEvent::{event},")), "{declared}");
    }
}

#[test]
fn searches_and_streams_are_events_by_themselves() {
    let code = code(&[]);
    let of = |rpc: &str| {
        let from = code.find(&format!("rpc:\"{rpc}\"")).unwrap();
        let rest = code.get(from..).unwrap();
        let at = rest.find("SecurityEvent::").unwrap() + "SecurityEvent::".len();
        rest.get(at..).unwrap().split([',', '}']).next().unwrap().to_owned()
    };
    assert_eq!(of("FindBooks"), "Searched");
    assert_eq!(of("ReadAloud"), "Exported", "a stream that Rust writes");
    assert_eq!(of("GetBook"), "Unspecified");
}

#[test]
fn an_answer_with_personal_data_names_their_owners() {
    let plain = code(&[]);
    assert!(!plain.contains("fndisclose"), "nothing of it is personal");
    let title = "string title = 7 [(pavise.contract.v1.field).immutable = true";
    let personal = format!("{title}, (pavise.contract.v1.field).pii = true");
    let code = code(&[(title, &personal)]);
    for expected in [
        "fndisclose(&self,to:&mut::pavise_kernel::DisclosedOwners){to.add_owner(\"Book\",&self.owner_id);}",
        "forinnerinself.books.iter(){::pavise_kernel::Redact::disclose(inner,to);}",
    ] {
        assert!(code.contains(expected), "{expected}");
    }
}
