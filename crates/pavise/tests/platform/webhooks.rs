//! Requests of other systems over REST: a form of the text service, answered in its own language, and events of a payment
//! vendor.
#![expect(clippy::unwrap_used, reason = "tests")]

use axum::body::Body;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, Mac as _};
use http_body_util::BodyExt as _;
use pavise_billing::StripeConfig;
use pavise_testapp::{Engine, TWILIO_TOKEN, TestApp};
use pavise_testkit::stripe::{API_KEY, EVENT_SECRET, SignedEvent, sign_event};
use sha1::Sha1;

/// The form of a text that says STOP, and the same form as the signature has it.
const FORM: &str = "MessageSid=SM1&From=%2B15125550100&Body=Stop";
const SIGNED: &str = "http://localhost/v1/twilio/smsBodyStopFrom+15125550100MessageSidSM1";

async fn receive(app: &TestApp, signature: &str, form: &str) -> (u16, String, String) {
    let request = http::Request::post("/v1/twilio/sms").header("host", "localhost");
    let request = request.header("content-type", "application/x-www-form-urlencoded");
    let request = request.header("x-twilio-signature", signature).body(Body::from(form.to_owned())).unwrap();
    let answer = tower::ServiceExt::oneshot(app.app.router.clone(), request).await.unwrap();
    let (status, headers) = (answer.status().as_u16(), answer.headers().clone());
    let kind = headers.get("content-type").map(|kind| kind.to_str().unwrap().to_owned()).unwrap_or_default();
    let body = answer.into_body().collect().await.unwrap().to_bytes();
    (status, kind, String::from_utf8(body.to_vec()).unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_signed_text_is_answered_in_the_services_language() {
    let mut mac = Hmac::<Sha1>::new_from_slice(TWILIO_TOKEN.as_bytes()).unwrap();
    mac.update(SIGNED.as_bytes());
    let signature = STANDARD.encode(mac.finalize().into_bytes());
    for engine in Engine::BOTH {
        let app = TestApp::on(engine).without_workers().start().await.unwrap();
        let (status, _, body) = receive(&app, &signature, &FORM.replace("Stop", "Stap")).await;
        assert_eq!(status, 401, "{body}");
        assert!(body.contains("WEBHOOK_SIGNATURE_WRONG"), "{body}");
        let (status, kind, body) = receive(&app, &signature, FORM).await;
        assert_eq!((status, kind.as_str()), (200, "text/xml; charset=utf-8"), "{body}");
        assert!(body.contains("<Response><Message>"), "{body}");
        let staff = app.rest(&TestApp::staff());
        let stored = staff.get("/v1/getTwilioMessage/SM1").await.expect(200);
        assert_eq!(stored["status"], "OPT_OUT", "{stored}");
        let all = staff.get("/v1/suppressions?reason=STOP&status=ACTIVE").await.expect(200);
        assert_eq!(all["suppressions"].as_array().unwrap().len(), 1, "{all}");
        app.finish().await;
    }
}

async fn deliver(app: &TestApp, event: &SignedEvent) -> (u16, String) {
    let request = http::Request::post("/v1/stripe/events").header("host", "localhost");
    let request = request.header("content-type", "application/json; charset=utf-8");
    let request = request.header("stripe-signature", &event.signature).body(Body::from(event.body.clone())).unwrap();
    let answer = tower::ServiceExt::oneshot(app.app.router.clone(), request).await.unwrap();
    let status = answer.status().as_u16();
    let body = answer.into_body().collect().await.unwrap().to_bytes();
    (status, String::from_utf8(body.to_vec()).unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_of_the_payment_vendor_is_taken_as_its_bytes_are() {
    let account = StripeConfig {
        api_key: API_KEY.to_owned(),
        event_secrets: vec![EVENT_SECRET.to_owned()],
        api_url: "http://127.0.0.1:9".to_owned(),
        patience: StripeConfig::PATIENCE,
    };
    for engine in Engine::BOTH {
        let app = TestApp::on(engine).without_workers().stripe(account.clone()).start().await.unwrap();
        let now = app.now() / 1_000_000;
        // A reader that wrote the JSON anew would lose the spaces, and the signature with them.
        let body =
            b"{ \"id\" : \"evt_1\",\n\"type\":\"charge.dispute.created\",\"data\":{\"object\":{\"id\":\"dp_1\"}}}";
        let right = sign_event(EVENT_SECRET, now, body);
        assert_eq!(deliver(&app, &right).await, (204, String::new()));
        assert_eq!(deliver(&app, &right).await, (204, String::new()), "twice is once");
        for wrong in [sign_event("whsec_other", now, body), sign_event(EVENT_SECRET, now - 301, body)] {
            let (status, text) = deliver(&app, &wrong).await;
            assert!(status == 401 && text.contains("WEBHOOK_SIGNATURE_WRONG"), "{status} {text}");
        }
        let long = vec![b' '; (1 << 20) + 1];
        let (status, _) = deliver(&app, &sign_event(EVENT_SECRET, now, &long)).await;
        assert_eq!(status, 413);
        let stored = app.rest(&TestApp::staff()).get("/v1/vendorEvents").await.expect(200);
        assert_eq!(stored["vendorEvents"].as_array().unwrap().len(), 1, "{stored}");
        app.finish().await;
    }
}
