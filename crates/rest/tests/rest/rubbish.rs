//! Invalid requests are refused as the sender's fault, never the server's.

use http::Uri;
use proptest::prelude::*;

use crate::scene::{Answer, Reply, Scene, ask};

const BODY: &str = r#"{"note":"n\u00e9","amount":"5","status":"Closed CC","tags":["a","b"],"place":{"city":"Ada","next":{"postalCode":"1"}},"labels":{"a":"b"},"lines":[{"offerId":"o","count":2}],"photo":"AWRhdGE=","cardId":"c","extra":{"a":[1,null,{"b":true}]},"isGift":true,"orderedAt":"2026-01-02T03:04:05.000001Z"}"#;

fn run<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

/// Asserts an answer, or a refusal with a reason that the caller can act on.
fn blameless(answer: &Answer, sent: &str) {
    assert!(answer.status < 500, "{sent}: {} {:?}", answer.status, answer.body);
    if answer.status >= 400 {
        assert!(!answer.reason().is_empty(), "{sent}: {:?}", answer.body);
    }
}

/// A text with some of its bytes replaced, dropped or doubled.
fn damaged(text: &'static str) -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec((any::<prop::sample::Index>(), 0..3_u8, any::<u8>()), 1..5).prop_map(move |damages| {
        let mut bytes = text.as_bytes().to_vec();
        for (at, kind, byte) in damages {
            let at = at.index(bytes.len());
            match kind {
                0 => bytes[at] = byte,
                1 => drop(bytes.remove(at)),
                _ => bytes.insert(at, bytes[at]),
            }
            if bytes.is_empty() {
                bytes.push(b'{');
            }
        }
        bytes
    })
}

/// A form that was damaged in the middle of the part after its file.
#[test]
fn form_with_a_broken_part_after_its_file_is_refused() {
    for broken in
        ["Con\u{fffd}ent-Disposition: form-data; name=\"note\"", "Content-Type: text/plain", "", "\u{0}: a", ": a"]
    {
        let head = "--XX\r\nContent-Disposition: form-data; name=\"file\"\r\nContent-Type: image/png\r\n\r\nabc";
        let body = format!("{head}\r\n--XX\r\n{broken}\r\n\r\nn\r\n--XX--\r\n");
        let request = ask("POST", "/v1/orders/7/photo").header("content-type", "multipart/form-data; boundary=XX");
        let answer = run(async { request.body(body.clone()).send(&Scene::new()).await });
        assert_eq!(answer.status, 400, "{body}: {:?}", answer.body);
        blameless(&answer, &body);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_json_is_read_or_refused(body in damaged(BODY), named in any::<bool>()) {
        let shown = String::from_utf8_lossy(&body).into_owned();
        let path = if named { "/v1/orders/7/place" } else { "/v1/orders/7" };
        let answer = run(async { ask("PUT", path).json(body).send(&Scene::new()).await });
        blameless(&answer, &shown);
    }

    #[test]
    fn any_bytes_are_read_or_refused(body in prop::collection::vec(any::<u8>(), 0..200)) {
        let shown = format!("{body:?}");
        for path in ["/v1/orders", "/v1/orders/7:close", "/v1/signIn"] {
            let answer = run(async { ask("POST", path).json(body.clone()).send(&Scene::new()).await });
            blameless(&answer, &shown);
        }
    }

    #[test]
    fn any_path_and_query_is_answered_or_refused(path in "(/(v1|orders|journal|status|OPEN|%[0-9a-fA-F]{0,2}|[a-z:.*{}%]{0,5})){1,6}", query in "[a-zA-Z.=&%+\\[\\]0-9_-]{0,40}") {
        let address = format!("{path}?{query}");
        if address.parse::<Uri>().is_ok() {
            for method in ["GET", "DELETE", "OPTIONS"] {
                let answer = run(async { ask(method, &address).send(&Scene::new()).await });
                blameless(&answer, &address);
            }
        }
    }

    #[test]
    fn any_query_of_known_keys_is_answered_or_refused(
        pairs in prop::collection::vec(("(note|amount|status|tags|place(\\.(city|next))?|labels|lines|photo|extra|isGift|orderedAt|cardId|invoiceId)", "[ -~]{0,12}"), 0..5)
    ) {
        let query: Vec<String> = pairs
            .iter()
            .map(|(key, value)| format!("{key}={}", percent_encoding::utf8_percent_encode(value, percent_encoding::NON_ALPHANUMERIC)))
            .collect();
        let address = format!("/v1/orders/7?{}", query.join("&"));
        let answer = run(async { ask("GET", &address).send(&Scene::new()).await });
        blameless(&answer, &address);
    }

    #[test]
    fn any_form_is_read_or_refused(body in damaged("--XX\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\nContent-Type: image/png\r\n\r\nabc\r\n--XX\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nn\r\n--XX--\r\n")) {
        let shown = String::from_utf8_lossy(&body).into_owned();
        let request = ask("POST", "/v1/orders/7/photo").header("content-type", "multipart/form-data; boundary=XX").body(body);
        // An echo of the form's fields is no order.
        let answer = run(async { request.send(&Scene::answering(|_| Reply::Nothing)).await });
        blameless(&answer, &shown);
    }

    #[test]
    fn any_header_is_taken_or_refused(value in "[ -~]{0,40}", name in "(authorization|if-match|if-none-match|accept|content-type|cookie|origin|referer|host|request-timeout|last-event-id|accept-encoding|traceparent)") {
        for (method, path) in [("POST", "/v1/orders"), ("GET", "/v1/orders/journal")] {
            let answer = run(async { ask(method, path).header(&name, &value).send(&Scene::new()).await });
            blameless(&answer, &format!("{name}: {value}"));
        }
    }
}
