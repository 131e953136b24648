//! Employees enroll in the plans of their group (rules 159, 160, 161, 210, 388).

use pavise_kernel::common::v1::Date;
use pavise_kernel::time::{add_months, to_date};
use pavise_testapp::{Engine, Rest, TestApp, stock};
use serde_json::{Value, json};

use crate::scene::{GROUPS, administrator, draft, machine, on, path, sign_in};

/// The offer for employees, one for everybody, and a product of both, in the shop.
const GROUP_US: &str = "20000000-0000-4000-8000-000000000005";
const PERSONAL_US: &str = "20000000-0000-4000-8000-000000000001";
const LEGAL: &str = "10000000-0000-4000-8000-000000000001";

/// An ACTIVE group that sells the plans for employees, with more fields.
pub(crate) async fn employer(app: &TestApp, name: &str, more: Value) -> Value {
    let mut draft = draft(name);
    draft.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let group = app.rest(&TestApp::staff()).post(GROUPS, draft).await.expect(200);
    let staff = app.rest(&TestApp::staff());
    let _ = staff.post(&path(&group, "addOfferIds"), json!({"offerIds": [GROUP_US]})).await.expect(200);
    let rule = json!({"restrictedPeriods": [{"source": "WEB", "month": "+1"}]});
    let _ = staff.post(&path(&group, "addRestrictedPeriods"), rule).await.expect(200);
    staff.post(&path(&group, "activate"), json!({})).await.expect(200)
}

pub(crate) fn payroll() -> Value {
    json!({"payType": "PAYROLL",
        "payPeriods": [{"id": "hourly", "name": "Hourly", "deductionsPerYear": 24, "firstPayDate": "2026-01-02"}]})
}

pub(crate) async fn identity(app: &TestApp, email: &str) -> String {
    let made = json!({"realm": "User", "emails": [email]});
    machine(app).post("/v1/identities", made).await.expect(200)["id"].as_str().unwrap().to_owned()
}

pub(crate) async fn employ(app: &TestApp, group: &Value, number: &str, email: &str, division: &str) -> Value {
    let employee = json!({"number": number, "firstName": "Ada", "lastName": "Stone", "email": email,
        "divisionId": division, "hiredOn": "2024-02-01", "birthDate": "1987-05-04"});
    machine(app).post(&path(group, "employees"), employee).await.expect(200)
}

/// The enrollment of a member with everything but the offers and the payment.
pub(crate) async fn begin(app: &TestApp, member: &str, group: &Value) -> Value {
    let address = json!({"address1": "100 Main Street", "city": "Dallas", "locality": "TX", "postalCode": "75201", "country": "USA"});
    let body = json!({"groupId": group["id"], "jobTitle": "business manager", "address": address,
        "personalInfo": {"firstName": "Ada", "lastName": "Stone", "email": "ada.stone@example.com"}});
    app.rest(&TestApp::member(member)).post(&list(member), body).await.expect(200)
}

fn list(member: &str) -> String {
    format!("/v1/identities/{member}/groupEnrollments")
}

pub(crate) fn at(member: &str, enrollment: &Value) -> String {
    format!("{}/{}", list(member), enrollment["id"].as_str().unwrap())
}

pub(crate) fn legal() -> Value {
    json!({"offerId": GROUP_US, "selections": [{"productId": LEGAL, "tierId": "family"}]})
}

pub(crate) async fn until(app: &TestApp, caller: &Rest, path: &str, is_there: impl Fn(&Value) -> bool) -> Value {
    app.eventually("the enrollment", || async {
        let found = caller.get(path).await.expect(200);
        is_there(&found).then_some(found)
    })
    .await
}

fn cents(money: &Value) -> i64 {
    money["amount"].as_str().unwrap().parse().unwrap()
}

fn day(date: Date) -> String {
    format!("{:04}-{:02}-{:02}", date.year, date.month, date.day)
}

#[tokio::test(flavor = "multi_thread")]
async fn an_employee_enrolls_for_the_first_of_the_next_month_by_deductions() {
    for engine in Engine::BOTH {
        let app = on(engine).start().await.unwrap();
        stock(|domain| app.channel(domain, &TestApp::machine())).await.unwrap();
        let harbor = employer(&app, "harbor", payroll()).await;
        let employee = employ(&app, &harbor, "E-1", "Ada.Stone@Example.com", "harbor-west").await;
        let (me, stranger) = (identity(&app, "ada.stone@example.com").await, identity(&app, "bob@example.com").await);
        let (member, staff) = (app.rest(&TestApp::member(&me)), app.rest(&TestApp::staff()));
        let refused =
            app.rest(&TestApp::member(&stranger)).post(&list(&stranger), json!({"groupId": harbor["id"]})).await;
        assert_eq!((refused.status.as_u16(), refused.reason()), (409, "EMPLOYEE_NOT_ELIGIBLE"));

        let seen = format!("/v1/identities/{stranger}/enrollmentOptions/{}", harbor["id"].as_str().unwrap());
        let seen = app.rest(&TestApp::member(&stranger)).get(&seen).await.expect(200);
        assert_eq!(
            (&seen["name"], &seen["isOpen"], &seen["offerIds"], &seen["payType"]),
            (&json!("harbor"), &json!(false), &json!([]), &Value::Null),
            "a stranger learns the name alone"
        );
        let options = format!("/v1/identities/{me}/enrollmentOptions/{}", harbor["id"].as_str().unwrap());
        let options = member.get(&options).await.expect(200);
        let first = day(Date { day: 1, ..add_months(to_date(app.now()), 1) });
        assert_eq!((&options["effectiveOn"], &options["isOpen"]), (&json!(first), &json!(true)));

        let made = begin(&app, &me, &harbor).await;
        assert_eq!(
            (&made["status"], &made["entrySource"], &made["employeeId"], &made["divisionId"], &made["jobTitle"]),
            (&json!("CREATED"), &json!("WEB"), &employee["id"], &json!("harbor-west"), &json!("business manager"))
        );
        let again = member.post(&list(&me), json!({"groupId": harbor["id"]})).await;
        assert_eq!(again.reason(), "ENROLLMENT_THERE");
        let at = at(&me, &made);
        let early = member.post(&format!("{at}/submit"), json!({})).await;
        assert_eq!((early.reason(), early.fields()), ("ENROLLMENT_INCOMPLETE", vec!["offers"]));
        let foreign = json!({"offers": [legal(), {"offerId": PERSONAL_US, "selections": [{"productId": LEGAL, "tierId": "family"}]}]});
        let refused = member.post(&format!("{at}/changeOffers"), foreign).await;
        assert_eq!((refused.status.as_u16(), refused.fields()), (400, vec!["offers[1].offerId"]));
        let open = member.post(&format!("{at}/changeOffers"), json!({"offers": [legal()]})).await.expect(200);
        assert_eq!(open["status"], "OPEN");
        let spouse = json!({"type": "Spouse", "firstName": "Max", "lastName": "Stone", "birthDate": "1986-01-02"});
        let two = json!({"dependents": [spouse, spouse]});
        assert_eq!(member.post(&format!("{at}/changeDependents"), two).await.fields(), vec!["dependents[1].type"]);
        let _ = member.post(&format!("{at}/changeDependents"), json!({"dependents": [spouse]})).await.expect(200);
        let helper = json!({"associateInfo": {"associateId": "a-1", "inPerson": true}});
        let _ = member.post(&format!("{at}/changeAssociateInfo"), helper).await.expect(200);

        let sent = member.post(&format!("{at}/submit"), json!({})).await.expect(200);
        assert_eq!((&sent["status"], &sent["effectiveOn"]), (&json!("SUBMITTED"), &json!(first)));
        let late = member.post(&format!("{at}/changeOffers"), json!({"offers": [legal()]})).await;
        assert_eq!(late.reason(), "STATUS_NOT_ALLOWED");
        let done = until(&app, &member, &at, |one| one["completedAt"].is_string()).await;
        let order = staff.get(&format!("/v1/orders/{}", done["orderId"].as_str().unwrap())).await.expect(200);
        assert_eq!(
            (&order["groupId"], &order["effectiveOn"], &order["paymentMethod"]),
            (&harbor["id"], &json!(first), &json!("PREMIUM_BILLING"))
        );
        let monthly = cents(&order["offers"][0]["lines"][0]["renewalPrice"]);
        assert_eq!(cents(&done["deduction"]), (monthly * 12 + 23) / 24, "{done}");
        assert!(done["employerPart"].is_null() && done["failure"].is_null());
        let enrolled = format!("/v1/employees/{}", employee["id"].as_str().unwrap());
        let enrolled = until(&app, &staff, &enrolled, |one| one["status"] == "ENROLLED").await;
        assert_eq!((&enrolled["ownerId"], &enrolled["enrolledOn"]), (&json!(me), &json!(first)));

        // The plan is set up on its first use, and covers nothing before the first day.
        let provisions = format!("/v1/identities/{me}/provisions");
        let bought = until(&app, &staff, &provisions, |page| page["provisions"][0]["id"].is_string()).await;
        assert_eq!(bought["provisions"][0]["effectiveOn"], json!(first));
        let used = json!({"provisionIds": [bought["provisions"][0]["id"]]});
        let _ = staff.post("/v1/provision/process", used).await.expect(200);
        let plans = format!("/v1/identities/{me}/entitlements");
        let plan = until(&app, &staff, &plans, |page| page["entitlements"][0]["id"].is_string()).await;
        assert_eq!(plan["entitlements"][0]["effectiveOn"], json!(first));
        let subscriptions = format!("/v1/identities/{me}/subscriptions");
        let paying = staff.get(&subscriptions).await.expect(200);
        assert_eq!(paying["subscriptions"][0]["startedOn"], json!(first));
        // A completed enrollment leaves room for the next one.
        let next = begin(&app, &me, &harbor).await;
        assert_eq!((&next["employeeId"], &next["status"]), (&employee["id"], &json!("CREATED")));
        app.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_payment_opens_the_enrollment_again() {
    for engine in Engine::BOTH {
        let app = on(engine).start().await.unwrap();
        stock(|domain| app.channel(domain, &TestApp::machine())).await.unwrap();
        let harbor = employer(&app, "harbor", json!({})).await;
        let me = identity(&app, "ada.stone@example.com").await;
        let member = app.rest(&TestApp::member(&me));
        let made = begin(&app, &me, &harbor).await;
        let at = at(&me, &made);
        let _ = member.post(&format!("{at}/changeOffers"), json!({"offers": [legal()]})).await.expect(200);
        let early = member.post(&format!("{at}/submit"), json!({})).await;
        assert_eq!((early.reason(), early.fields()), ("ENROLLMENT_INCOMPLETE", vec!["payment_method_id"]));
        let group_id = harbor["id"].as_str().unwrap();
        let employers = format!("/v1/groups/{group_id}/identities/{me}/paymentMethods");
        let employers = machine(&app).post(&employers, json!({"type": "PREMIUM_BILLING"})).await.expect(200);
        let refused = member.post(&at, json!({"paymentMethodId": employers["id"]})).await;
        assert_eq!((refused.status.as_u16(), refused.fields()), (400, vec!["paymentMethodId"]), "the employer pays");
        let pay = async |token: &str, last4: &str| {
            let card = json!({"type": "CREDIT_CARD", "vendor": "TEST", "vendorToken": token,
                "card": {"brand": "VISA", "last4": last4, "expiryMonth": 12, "expiryYear": 2099, "holderName": "Ada Stone"}});
            let card = member.post(&format!("/v1/identities/{me}/paymentMethods"), card).await.expect(200);
            let with = json!({"personalInfo": made["personalInfo"], "address": made["address"], "jobTitle": "VP",
                "locale": "en-US", "paymentMethodId": card["id"]});
            let _ = member.post(&at, with).await.expect(200);
            member.post(&format!("{at}/submit"), json!({})).await.expect(200)
        };
        let _ = pay("test_4000000000000002", "0002").await;
        let open = until(&app, &member, &at, |one| one["status"] == "OPEN").await;
        assert_eq!(
            (&open["failure"]["reason"], &open["orderId"]),
            (&json!("INSUFFICIENT_FUNDS"), &json!("")),
            "{open}"
        );
        app.eventually("the removal of the order", || async {
            let orders = member.get(&format!("/v1/identities/{me}/orders")).await.expect(200);
            orders["orders"].as_array().unwrap().is_empty().then_some(())
        })
        .await;
        let _ = pay("test_4111111111111111", "1111").await;
        let done = until(&app, &member, &at, |one| one["completedAt"].is_string()).await;
        assert!(done["failure"].is_null() && done["deduction"].is_null(), "{done}");
        assert_eq!(done["jobTitle"], "VP");
        app.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_enrolls_when_the_group_takes_no_enrollments() {
    let app = on(Engine::Sqlite).start().await.unwrap();
    stock(|domain| app.channel(domain, &TestApp::machine())).await.unwrap();
    let config =
        json!({"enrollmentConfig": {"method": "CHECKOUT", "frequency": "OPEN_ENROLLMENT", "siteType": "CHECKOUT"}});
    let harbor = employer(&app, "harbor", config).await;
    let me = identity(&app, "ada.stone@example.com").await;
    let (member, staff) = (app.rest(&TestApp::member(&me)), app.rest(&TestApp::staff()));
    let made = begin(&app, &me, &harbor).await;
    let submit = format!("{}/submit", at(&me, &made));
    assert_eq!(member.post(&submit, json!({})).await.reason(), "ENROLLMENT_CLOSED");
    let window = json!({"openEnrollmentInfo": {"opensOn": "2020-01-01", "closesOn": "2099-12-31"}});
    let _ = staff.post(&path(&harbor, "updateOpenEnrollmentInfo"), window).await.expect(200);
    assert_eq!(member.post(&submit, json!({})).await.reason(), "ENROLLMENT_INCOMPLETE");
    let cancel = json!({"cancelReason": "COMPANY_OPTION", "cancelledOn": "2099-12-31"});
    let _ = staff.post(&path(&harbor, "cancel"), cancel).await.expect(200);
    assert_eq!(member.post(&submit, json!({})).await.reason(), "GROUP_NOT_ACTIVE");
    let other = identity(&app, "bob@example.com").await;
    let refused = app.rest(&TestApp::member(&other)).post(&list(&other), json!({"groupId": harbor["id"]})).await;
    assert_eq!(refused.reason(), "GROUP_NOT_ACTIVE");
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_role_in_a_division_shows_the_people_of_it_alone() {
    for engine in Engine::BOTH {
        let app = on(engine).start().await.unwrap();
        stock(|domain| app.channel(domain, &TestApp::machine())).await.unwrap();
        let harbor = employer(&app, "harbor", payroll()).await;
        let (head, west, files) =
            (administrator(&app, "head").await, administrator(&app, "west").await, administrator(&app, "files").await);
        let person = |id: &str, kind: &str, divisions: &[&str]| json!({"identityId": id, "type": kind, "divisionIds": divisions});
        let people = json!({"authorizedIdentities": [
            person(&head, "GROUP_ADMINISTRATOR", &[]),
            person(&west, "CUSTOMER_SERVICE_REPRESENTATIVE", &["harbor-west"]),
            person(&files, "FILE_ADMINISTRATOR", &[]),
        ]});
        let _ = machine(&app).post(&path(&harbor, "addAuthorizedIdentities"), people).await.expect(200);
        let ada = employ(&app, &harbor, "E-1", "ada.stone@example.com", "harbor-west").await;
        let bob = employ(&app, &harbor, "E-2", "bob@example.com", "harbor-east").await;
        let (me, him) = (identity(&app, "ada.stone@example.com").await, identity(&app, "bob@example.com").await);
        let (mine, his) = (begin(&app, &me, &harbor).await, begin(&app, &him, &harbor).await);
        let signed = async |name: &str| {
            app.eventually("the role", || async {
                let caller = sign_in(&app, name).await;
                (caller.get(&path(&harbor, "employees")).await.status.as_u16() == 200).then_some(caller)
            })
            .await
        };
        let (boss, csr, file) = (signed("head").await, signed("west").await, signed("files").await);
        let count = async |caller: &Rest, list: &str, items: &str| {
            let page = caller.get(&path(&harbor, list)).await.expect(200);
            page[items].as_array().unwrap().len()
        };
        assert_eq!(count(&boss, "employees", "employees").await, 2);
        assert_eq!(count(&csr, "employees", "employees").await, 1);
        assert_eq!(count(&boss, "groupEnrollments", "groupEnrollments").await, 2);
        assert_eq!(count(&csr, "groupEnrollments", "groupEnrollments").await, 1);
        assert_eq!(file.get(&path(&harbor, "groupEnrollments")).await.status.as_u16(), 403);
        let employee = |one: &Value, call: &str| format!("/v1/employees/{}{call}", one["id"].as_str().unwrap());
        assert_eq!(csr.get(&employee(&ada, "")).await.expect(200)["birthDate"], json!("1987-00-00"), "only the year");
        assert_eq!(csr.get(&employee(&bob, "")).await.status.as_u16(), 404);
        let enrollment = |one: &Value| format!("/v1/groupEnrollments/{}", one["id"].as_str().unwrap());
        assert_eq!(csr.get(&enrollment(&mine)).await.expect(200)["id"], mine["id"]);
        assert_eq!(csr.get(&enrollment(&his)).await.status.as_u16(), 404);

        let renamed = json!({"number": "E-1", "firstName": "Ada", "lastName": "Rock", "email": "ada.stone@example.com",
            "hiredOn": "2024-02-01"});
        let renamed = csr.post(&employee(&ada, "/update"), renamed).await.expect(200);
        assert_eq!(
            (&renamed["lastName"], &renamed["birthDate"], &renamed["ownerId"]),
            (&json!("Rock"), &json!("1987-00-00"), &json!("")),
            "the date of birth stays"
        );
        let moved = |division: &str| json!({"employeeId": ada["id"], "divisionId": division});
        let change = path(&harbor, "changeEmployeeDivision");
        assert_eq!(csr.post(&change, moved("harbor-east")).await.status.as_u16(), 403, "theirs is a division");
        assert_eq!(boss.post(&change, moved("nowhere")).await.fields(), vec!["divisionId"]);
        for division in ["harbor-east", "harbor-west"] {
            let _ = boss.post(&change, moved(division)).await.expect(200);
            let enrollment = app.rest(&TestApp::member(&me)).get(&at(&me, &mine)).await.expect(200);
            assert_eq!(enrollment["divisionId"], division, "the enrollment goes along");
        }
        assert_eq!(
            file.post(&employee(&ada, "/terminate"), json!({"terminatedOn": "2026-01-01"})).await.status.as_u16(),
            404
        );
        let gone = json!({"terminatedOn": "2026-01-31"});
        assert_eq!(csr.post(&employee(&bob, "/terminate"), gone.clone()).await.status.as_u16(), 404);
        assert_eq!(csr.post(&employee(&ada, "/terminate"), gone).await.expect(200)["status"], "TERMINATED");
        let submit = format!("{}/submit", at(&me, &mine));
        let left = app.rest(&TestApp::member(&me)).post(&submit, json!({})).await;
        assert_eq!(left.reason(), "EMPLOYEE_NOT_ELIGIBLE", "they left");
        let back = json!({"hiredOn": "2026-03-01"});
        assert_eq!(boss.post(&employee(&ada, "/rehire"), back).await.expect(200)["status"], "ELIGIBLE");
        let taken = json!({"number": "E-3", "firstName": "Eve", "lastName": "Stone", "email": "BOB@example.com"});
        assert_eq!(
            boss.post(&path(&harbor, "employees"), taken).await.reason(),
            "ALREADY_EXISTS",
            "it is Bob's address"
        );
        let twice = json!({"number": "E-2", "firstName": "Eve", "lastName": "Stone"});
        assert_eq!(boss.post(&path(&harbor, "employees"), twice).await.reason(), "ALREADY_EXISTS");
        app.finish().await;
    }
}
