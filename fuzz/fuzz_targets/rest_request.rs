//! A request: verb, path and query on the first line, the content type on the second, the rest is the body. The facade
//! answers every request, and never with a failure of its own. Forms have a target of their own.
#![no_main]

use http::Request;
use libfuzzer_sys::fuzz_target;

const VERBS: [&str; 5] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

fuzz_target!(|data: &[u8]| {
    let Some((verb, rest)) = data.split_first() else { return };
    let mut lines = rest.splitn(3, |byte| *byte == b'\n');
    let (path, kind, body) =
        (lines.next().unwrap_or_default(), lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
    let verb = VERBS[usize::from(*verb) % VERBS.len()];
    let request = Request::builder().method(verb).uri(path).header("content-type", kind);
    let Ok(request) = request.body(pavise_fuzz::body(body)) else { return };
    let answer = pavise_fuzz::send(&*pavise_fuzz::FACADE, request);
    assert!(!answer.status.is_server_error(), "{}: {}", answer.status, String::from_utf8_lossy(&answer.body));
});
