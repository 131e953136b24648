//! Reads that wait for a clock, and streams: they keep no place of others, and each caller has only so many.

use futures::StreamExt as _;
use futures::future::join_all;
use http::Method;
use pavise_orders::contract::v1::WatchOrdersRequest;
use pavise_orders::contract::v1::order_service_client::OrderServiceClient;
use pavise_testapp::{Engine, TestApp};
use serde_json::json;
use tonic_types::StatusExt as _;

const ME: &str = "01900000-0000-7000-8000-0000000000aa";

#[tokio::test(flavor = "multi_thread")]
async fn only_reads_with_a_token_wait_for_a_clock() {
    for engine in Engine::BOTH {
        let app = TestApp::on(engine).start().await.unwrap();
        let anonymous = app.visitor().with("min-clock", "5").get("/v1/identityExists?email=ada@example.com").await;
        assert_eq!((anonymous.status.as_u16(), anonymous.reason()), (400, "INVALID_METADATA"), "{}", anonymous.json);
        let member = app.rest(&TestApp::member(ME)).with("min-clock", "5");
        let write = member.post(&format!("/v2/identities/{ME}/orders"), json!({"channel": "BuyNow", "locality": "TX", "offers": [{"brand": "pavise", "offerId": "x", "selections": [{"productId": "p", "tierId": "t"}]}]})).await;
        assert_eq!((write.status.as_u16(), write.reason()), (400, "INVALID_METADATA"), "{}", write.json);
        let read = app
            .rest(&TestApp::member(ME))
            .with("min-clock", "0")
            .get(&format!("/v1/identities/{ME}/paymentMethods"))
            .await;
        assert_eq!(read.status.as_u16(), 200, "{}", read.json);
        let mut watch =
            tonic::Request::new(WatchOrdersRequest { identity_id: ME.into(), ..WatchOrdersRequest::default() });
        watch.metadata_mut().insert("min-clock", "5".parse().unwrap());
        let mut visitor = OrderServiceClient::new(app.visitor_channel("orders"));
        assert!(visitor.watch_orders(watch).await.is_err());
        app.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_few_reads_of_each_caller_wait_at_a_time() {
    for engine in Engine::BOTH {
        let app = TestApp::on(engine).start().await.unwrap();
        let wait = |who: &str| {
            let (member, path) = (app.rest(&TestApp::member(who)), format!("/v1/identities/{who}/paymentMethods"));
            async move { member.with("min-clock", "7").send(Method::GET, &path, None).await }
        };
        let (mine, other) =
            tokio::join!(join_all((0..10).map(|_| wait(ME))), wait("01900000-0000-7000-8000-0000000000bb"));
        let of = |reason: &str| mine.iter().filter(|answer| answer.reason() == reason).count();
        assert_eq!((of("CLOCK_NOT_REACHED"), of("TOO_MANY_CALLS")), (4, 6));
        assert_eq!(other.reason(), "CLOCK_NOT_REACHED");
        let refused = mine.iter().find(|answer| answer.reason() == "TOO_MANY_CALLS").unwrap();
        assert_eq!((refused.status.as_u16(), refused.headers["retry-after"].to_str().unwrap()), (429, "1"));
        assert_eq!(wait(ME).await.reason(), "CLOCK_NOT_REACHED", "the places are free again");
        app.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_caller_has_so_many_streams_open() {
    for engine in Engine::BOTH {
        let app = TestApp::on(engine).start().await.unwrap();
        let watch = |who: &str| {
            let mut client = OrderServiceClient::new(app.channel("orders", &TestApp::member(who)));
            let request = WatchOrdersRequest { identity_id: who.into(), ..WatchOrdersRequest::default() };
            async move { client.watch_orders(request).await.map(tonic::Response::into_inner) }
        };
        let mut open = Vec::new();
        for _ in 0..20 {
            open.push(watch(ME).await.unwrap());
        }
        let refused = watch(ME).await.unwrap_err();
        assert_eq!(refused.get_error_details().error_info().unwrap().reason, "TOO_MANY_CALLS");
        watch("01900000-0000-7000-8000-0000000000bb").await.unwrap();
        drop(open.pop());
        app.eventually("a place", || async { watch(ME).await.ok() }).await;
        for mut stream in open {
            assert!(futures::poll!(stream.next()).is_pending(), "the others go on");
        }
        app.finish().await;
    }
}
