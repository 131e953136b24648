//! Groups of the older system keep their ids and statuses (rules 122, 123).

use pavise_testapp::{Engine, TestApp};
use serde_json::json;

use crate::scene::{GROUPS, draft, machine, offer, on};

#[tokio::test]
async fn a_program_brings_a_group_over_and_again_and_staff_do_not() {
    for engine in Engine::BOTH {
        let app = on(engine).without_workers().start().await.unwrap();
        let program = machine(&app);
        let migrate = format!("{GROUPS}/migrate");
        let older = json!({"id": "old-1", "status": "CANCELLED", "legacyNumber": "118204", "group": draft("harbor"),
            "cancelReason": "TRANSFERRED", "cancelledOn": "2024-05-31"});
        let refused = app.rest(&TestApp::staff()).post(&migrate, older.clone()).await;
        assert_eq!(refused.status.as_u16(), 403);
        let made = program.post(&migrate, older.clone()).await.expect(200);
        assert_eq!(
            (&made["id"], &made["status"], &made["number"]),
            (&json!("old-1"), &json!("CANCELLED"), &json!("G-000001"))
        );
        assert_eq!(made["cancelReason"], "TRANSFERRED");
        let active = json!({"id": "old-2", "status": "ACTIVE", "group": draft("maple")});
        assert_eq!(program.post(&migrate, active).await.reason(), "GROUP_INCOMPLETE");
        let again = json!({"id": "old-1", "status": "PENDING", "group": draft("harbor lines")});
        let again = program.post(&migrate, again).await.expect(200);
        assert_eq!(
            (&again["name"], &again["number"], &again["status"]),
            (&json!("harbor lines"), &json!("G-000001"), &json!("PENDING"))
        );

        let offers = json!({"offerIds": [offer(&app, "USA").await]});
        let sold = program.post(&format!("{migrate}/old-1/addOffers"), offers).await.expect(200);
        assert_eq!(sold["offerIds"].as_array().map(Vec::len), Some(1));
        let associates =
            json!({"associates": [{"id": "a", "associateId": "ann", "role": "PRODUCER", "startsOn": "2020-01-01"}]});
        let _ = program.post(&format!("{migrate}/old-1/addAssociates"), associates.clone()).await.expect(200);
        let twice = program.post(&format!("{migrate}/old-1/addAssociates"), associates).await.expect(200);
        assert_eq!(twice["associates"].as_array().map(Vec::len), Some(1));
        let people =
            json!({"authorizedIdentities": [{"id": "p", "email": "ann@example.com", "type": "FILE_ADMINISTRATOR"}]});
        let named = program.post(&format!("{migrate}/old-1/addAuthorizedIdentities"), people).await.expect(200);
        assert_eq!(named["authorizedIdentities"][0]["type"], "FILE_ADMINISTRATOR");
        app.finish().await;
    }
}
