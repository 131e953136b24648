//! The test clock, which staff and programs move.

use serde_json::json;

use crate::identity::stage::{Stage, text};

pub(crate) async fn story(stage: &mut Stage<'_>) {
    let (staff, machine, visitor) = (stage.staff.clone(), stage.machine.clone(), stage.visitor.clone());
    let (_, member) = stage.member().await;
    let before = stage.good(&staff, "test_clock.GetTestClock", json!({})).await;
    stage.bad(&member, "test_clock.GetTestClock", json!({}), "REALM_NOT_ALLOWED").await;
    stage.bad(&visitor, "test_clock.GetTestClock", json!({}), "TOKEN_MISSING").await;

    let today = text(&before["today"]);
    let wrong = [
        json!({}),
        json!({"days": 801}),
        json!({"days": -1}),
        json!({"untilDay": today}),
        json!({"untilDay": "2001-01-01"}),
        json!({"untilDay": "2999-01-01"}),
        json!({"days": 1, "untilDay": "2999-01-01"}),
    ];
    for request in wrong {
        stage.bad(&staff, "test_clock.AdvanceTestClock", request, "INVALID_FIELD").await;
    }
    stage.bad(&member, "test_clock.AdvanceTestClock", json!({"days": 1}), "REALM_NOT_ALLOWED").await;
    let begun = stage.good(&machine, "test_clock.AdvanceTestClock", json!({"days": 1})).await;
    assert_eq!(begun["lastAdvance"]["fromDay"], today.as_str(), "{begun}");
    stage.bad(&member, "test_clock.StopTestClock", json!({}), "REALM_NOT_ALLOWED").await;
    let stopped = stage.good(&staff, "test_clock.StopTestClock", json!({})).await;
    assert!(stopped["lastAdvance"]["advancing"].as_bool() != Some(true), "{stopped}");
    let again = stage.good(&staff, "test_clock.StopTestClock", json!({})).await;
    assert_eq!(again["today"], stopped["today"], "{again}");

    let mut watch = stage.open(&staff, "test_clock.WatchTestClock", json!({})).await;
    let seen = watch.next().await.unwrap().unwrap();
    assert_eq!(seen["today"], stopped["today"], "{seen}");
    assert!(watch.next().await.unwrap().is_none(), "it stands, so that the stream ends");
}
