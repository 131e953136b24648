//! The enrollment of an employee is killed after each step of its saga. It ends as if nothing had been: one order, one payment
//! method by which the employer is billed, one plan.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::future::join_all;
use pavise::domains;
use pavise_catalog::demo::{BRAND, GROUP, GROUP_US, LEGAL};
use pavise_kernel::store::Store;
use serde_json::{Value, json};

use crate::server::Server;
use crate::shop::{Shop, list, text};
use crate::{journals, run_size, turn};

/// The journals that the saga writes to.
const WRITTEN: [&str; 5] = ["group_enrollments", "orders", "payment_methods", "provision", "employees"];
/// How long a step may take, with all that waits for a killed process.
const PATIENCE: Duration = Duration::from_secs(60);
/// Between two looks at a step.
const PAUSE: Duration = Duration::from_millis(2);

/// A step of the saga, as callers see it.
#[derive(Debug, Clone, Copy)]
enum Step {
    /// The submission was answered.
    Submitted,
    /// The order was made.
    Ordered,
    /// The enrollment names its order.
    Recorded,
    /// The employee has the payment method by which the employer is billed.
    MethodMade,
    /// The order was purchased.
    Purchased,
    /// The order is paid.
    Settled,
    /// Fulfillment has the plan.
    Provisioned,
    /// The enrollment is completed.
    Completed,
    /// The employee is ENROLLED.
    Enrolled,
}

/// All of them.
const STEPS: [Step; 9] = [
    Step::Submitted,
    Step::Ordered,
    Step::Recorded,
    Step::MethodMade,
    Step::Purchased,
    Step::Settled,
    Step::Provisioned,
    Step::Completed,
    Step::Enrolled,
];

/// An employee whose enrollment is filled in.
struct Employee {
    id: String,
    identity: String,
    enrollment: String,
}

/// The results of an enrollment.
#[derive(Debug, PartialEq, Eq)]
struct Left {
    enrollment: String,
    failure: Value,
    deduction: Value,
    employee: String,
    /// The status of each order.
    orders: Vec<String>,
    /// The type of each payment method.
    methods: Vec<String>,
    /// The status of each provision.
    provisions: Vec<String>,
    subscriptions: usize,
    entitlements: usize,
    invoices: usize,
    transactions: usize,
}

#[tokio::test(flavor = "multi_thread")]
async fn an_enrollment_killed_after_any_step_ends_the_same() {
    let _turn = turn().await;
    let folder = tempfile::tempdir().unwrap();
    let database = format!("sqlite://{}", folder.path().join("pavise.db").display());
    let mut server = Server::start(&database);
    server.stock().await;
    let mut shop = Shop::new();
    shop.at(&server.base);
    open_group(&shop).await;
    let first = employ(&shop, 0).await;
    submit(&shop, &first).await;
    let undisturbed = end(&shop, &first, "undisturbed").await;
    check(&undisturbed);
    let mut after = Vec::new();
    let rounds = run_size(1, 3);
    for round in 0..rounds {
        for (number, step) in STEPS.into_iter().enumerate() {
            let employee = employ(&shop, 1 + round * STEPS.len() + number).await;
            let store = journals::open(&database).await;
            let before = written(&store).await;
            submit(&shop, &employee).await;
            wait_for(&shop, &employee, step, "before the kill").await;
            server.kill();
            after.push(written(&store).await - before);
            drop(store);
            server = Server::start(&database);
            shop.at(&server.base);
            let left = end(&shop, &employee, &format!("killed after {step:?}")).await;
            assert_eq!(left, undisturbed, "killed after {step:?}");
        }
    }
    server.kill();
    let store = journals::open(&database).await;
    let employees = 1 + rounds * STEPS.len();
    assert_eq!(count_orders(&store).await, employees, "an order is left over");
    assert_eq!(journals::methods(&store).await.len(), employees, "a payment method is left over");
    let entries = journals::sound(&store).await;
    let distinct: BTreeSet<i64> = after.iter().copied().collect();
    println!(
        "{} kills after {} steps, at {} different numbers of entries ({after:?}): each enrollment completed, one order, one PREMIUM_BILLING, one provision, one subscription; {entries} journal entries, journals sound",
        after.len(),
        STEPS.len(),
        distinct.len()
    );
}

/// Checks what an enrollment leaves without a kill.
fn check(left: &Left) {
    assert_eq!((left.enrollment.as_str(), left.employee.as_str()), ("SUBMITTED", "ENROLLED"));
    assert!(left.failure.is_null() && left.deduction.is_object(), "{left:?}");
    assert_eq!(left.orders, ["PROVISIONED"]);
    assert_eq!(left.methods, ["PREMIUM_BILLING"]);
    assert_eq!(left.provisions, ["COMPLETED"]);
    assert_eq!(left.subscriptions, 1);
    assert!(left.entitlements > 0);
}

/// Makes an ACTIVE group whose employees pay by deductions.
async fn open_group(shop: &Shop) {
    let group = json!({
        "name": "Harbor Logistics", "countryIdentifier": "USA", "brand": BRAND, "effectiveDate": "2020-01-01",
        "payType": "PAYROLL", "contacts": [{"type": "PRIMARY", "name": "Rosa Whitfield"}],
        "payPeriods": [{"id": "hourly", "name": "Hourly", "deductionsPerYear": 24, "firstPayDate": "2026-01-02"}],
    });
    shop.rest("groups.MigrateGroup", json!({"id": GROUP, "status": "PENDING", "group": group})).await;
    shop.rest("groups.MigrateOffers", json!({"groupId": GROUP, "offerIds": [GROUP_US]})).await;
    shop.rest("groups.ActivateGroup", json!({"groupId": GROUP})).await;
}

/// A new employee, who has an identity and chooses a plan.
async fn employ(shop: &Shop, number: usize) -> Employee {
    let email = format!("employee-{number}@example.com");
    let employee = json!({"groupId": GROUP, "number": format!("E-{number}"), "firstName": "Ada", "lastName": "Stone",
        "email": email, "hiredOn": "2024-02-01"});
    let id = text(&shop.rest("employees.CreateEmployee", employee).await["id"]);
    let member = json!({"realm": "User", "emails": [email]});
    let identity = text(&shop.rest("identities.CreateIdentity", member).await["id"]);
    let address = json!({"address1": "100 Main Street", "city": "Dallas", "locality": "TX", "postalCode": "75201",
        "country": "USA"});
    let person = json!({"firstName": "Ada", "lastName": "Stone", "email": email});
    let begun = json!({"identityId": identity, "groupId": GROUP, "address": address, "personalInfo": person});
    let enrollment = text(&shop.rest("group_enrollments.CreateGroupEnrollment", begun).await["id"]);
    let plan = json!({"offerId": GROUP_US, "selections": [{"productId": LEGAL, "tierId": "family"}]});
    let chosen = json!({"identityId": identity, "enrollmentId": enrollment, "offers": [plan]});
    shop.rest("group_enrollments.ChangeEnrollmentOffers", chosen).await;
    Employee { id, identity, enrollment }
}

async fn submit(shop: &Shop, employee: &Employee) {
    let request = json!({"identityId": employee.identity, "enrollmentId": employee.enrollment});
    shop.rest("group_enrollments.SubmitGroupEnrollment", request).await;
}

async fn load_enrollment(shop: &Shop, employee: &Employee) -> Value {
    let ask = json!({"identityId": employee.identity, "enrollmentId": employee.enrollment});
    shop.grpc("group_enrollments.GetGroupEnrollment", ask).await
}

async fn load_employee(shop: &Shop, employee: &Employee) -> Value {
    shop.grpc("employees.GetEmployee", json!({"employeeId": employee.id})).await
}

async fn list_orders(shop: &Shop, employee: &Employee) -> Vec<Value> {
    list(&shop.grpc("orders.ListOrders", json!({"identityId": employee.identity})).await, "orders")
}

async fn list_methods(shop: &Shop, employee: &Employee) -> Vec<Value> {
    let ask = json!({"groupId": GROUP, "identityId": employee.identity});
    list(&shop.grpc("payment_methods.ListGroupPaymentMethods", ask).await, "paymentMethods")
}

async fn list_provisions(shop: &Shop, employee: &Employee) -> Vec<Value> {
    list(&shop.grpc("provision.ListProvisions", json!({"identityId": employee.identity})).await, "provisions")
}

/// Whether callers see that a step was done.
async fn is_done(shop: &Shop, employee: &Employee, step: Step) -> bool {
    match step {
        // The call was awaited: the kill follows its answer at once.
        Step::Submitted => true,
        Step::Ordered => !list_orders(shop, employee).await.is_empty(),
        Step::Recorded => !text(&load_enrollment(shop, employee).await["orderId"]).is_empty(),
        Step::MethodMade => !list_methods(shop, employee).await.is_empty(),
        Step::Purchased => list_orders(shop, employee).await.iter().any(|order| order["status"] != "OPEN"),
        Step::Settled => {
            let is_paid = |order: &Value| matches!(order["status"].as_str(), Some("FUNDED" | "PROVISIONED"));
            list_orders(shop, employee).await.iter().any(is_paid)
        }
        Step::Provisioned => !list_provisions(shop, employee).await.is_empty(),
        Step::Completed => load_enrollment(shop, employee).await["completedAt"].is_string(),
        Step::Enrolled => load_employee(shop, employee).await["status"] == "ENROLLED",
    }
}

async fn wait_for(shop: &Shop, employee: &Employee, step: Step, what: &str) {
    let began = Instant::now();
    while !is_done(shop, employee, step).await {
        assert!(began.elapsed() < PATIENCE, "{what}: not {step:?} after {} s", PATIENCE.as_secs());
        tokio::time::sleep(PAUSE).await;
    }
}

/// Waits for the end of the saga, sets the plan up by its first use, and answers what there is then.
async fn end(shop: &Shop, employee: &Employee, what: &str) -> Left {
    for step in STEPS {
        wait_for(shop, employee, step, what).await;
    }
    let waiting: Vec<Value> = list_provisions(shop, employee).await.iter().map(|one| one["id"].clone()).collect();
    shop.rest("provision.ProcessProvisions", json!({"provisionIds": waiting})).await;
    let began = Instant::now();
    while list_orders(shop, employee).await.iter().any(|order| order["status"] != "PROVISIONED") {
        assert!(began.elapsed() < PATIENCE, "{what}: not provisioned after {} s", PATIENCE.as_secs());
        tokio::time::sleep(PAUSE).await;
    }
    let enrollment = load_enrollment(shop, employee).await;
    let orders = list_orders(shop, employee).await;
    assert!(orders.iter().all(|order| order["id"] == enrollment["orderId"]), "{what}: {orders:?}");
    let texts = |entries: &[Value], field: &str| entries.iter().map(|entry| text(&entry[field])).collect::<Vec<_>>();
    let mine = json!({"identityId": employee.identity});
    let of_order = json!({"identityId": employee.identity, "orderId": enrollment["orderId"]});
    let count = async |name: &str, ask: &Value, field: &str| list(&shop.grpc(name, ask.clone()).await, field).len();
    Left {
        enrollment: text(&enrollment["status"]),
        failure: enrollment["failure"].clone(),
        deduction: enrollment["deduction"].clone(),
        employee: text(&load_employee(shop, employee).await["status"]),
        orders: texts(&orders, "status"),
        methods: texts(&list_methods(shop, employee).await, "type"),
        provisions: texts(&list_provisions(shop, employee).await, "status"),
        subscriptions: count("subscriptions.ListSubscriptions", &mine, "subscriptions").await,
        entitlements: count("entitlements.ListEntitlements", &mine, "entitlements").await,
        invoices: count("invoices.ListInvoices", &mine, "invoices").await,
        transactions: count("payment_methods.ListTransactions", &of_order, "transactions").await,
    }
}

/// How many entries these journals have together.
async fn written(store: &Arc<dyn Store>) -> i64 {
    join_all(WRITTEN.iter().map(|name| store.head(name))).await.into_iter().map(|head| head.unwrap().clock).sum()
}

async fn count_orders(store: &Arc<dyn Store>) -> usize {
    let entry = domains::tables().find(|entry| entry.table.name == "orders").unwrap();
    store.scan(entry.table, "", 1000).await.unwrap().len()
}
