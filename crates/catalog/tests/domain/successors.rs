//! The successors of products: a tree, whoever writes at once.

use std::collections::BTreeMap;

use pavise_kernel::time::Ids;
use pavise_testapp::{Engine, Rest, TestApp};
use pavise_testkit::runs;
use serde_json::json;

use crate::scene::{NOBODY, active_product, id, product, staff};

/// The products on a way from the last successor to the first product.
const DEPTH: usize = 20;

async fn name_successor(rest: &Rest, product: &str, successor: &str) -> String {
    let path = format!("/v1/products/{product}/updateSuccessor");
    let answer = rest.post(&path, json!({"successorId": successor})).await;
    if answer.status.as_u16() == 200 {
        assert_eq!(answer.json["successorId"].as_str().unwrap_or_default(), successor);
        return String::new();
    }
    answer.reason().to_owned()
}

fn below(dice: &Ids, end: usize) -> usize {
    usize::try_from(dice.bits() % u64::try_from(end).unwrap()).unwrap()
}

/// The way up in the plain model, without the product itself.
fn above(model: &BTreeMap<String, String>, product: &str) -> Vec<String> {
    let mut way: Vec<String> = Vec::new();
    let mut at = product;
    while let Some(next) = model.get(at) {
        way.push(next.clone());
        at = next;
    }
    way
}

#[tokio::test]
async fn random_successors_agree_with_a_plain_model() {
    for engine in Engine::BOTH {
        let app = TestApp::on(engine).without_workers().start().await.unwrap();
        let (rest, dice) = (staff(&app), Ids::from_seed(11));
        let mut products = Vec::new();
        for number in 0..8 {
            products.push(active_product(&rest, &format!("product {number}")).await);
        }
        let mut model: BTreeMap<String, String> = BTreeMap::new();
        let mut refused = 0;
        for _ in 0..runs::run_size(150, 3_000) {
            let one = products[below(&dice, products.len())].clone();
            let other = products[below(&dice, products.len())].clone();
            if below(&dice, 6) == 0 {
                assert_eq!(name_successor(&rest, &one, "").await, "");
                model.remove(&one);
            } else if one == other || above(&model, &other).contains(&one) {
                assert_eq!(name_successor(&rest, &one, &other).await, "CIRCULAR_REFERENCE");
                refused += 1;
            } else {
                assert_eq!(name_successor(&rest, &one, &other).await, "");
                model.insert(one, other);
            }
        }
        assert!(refused > 10, "{refused} refusals say little");
        assert_eq!(name_successor(&rest, &products[0], NOBODY).await, "INVALID_FIELD");
        app.finish().await;
    }
}

#[tokio::test]
async fn of_two_products_that_succeed_each_other_at_once_one_is_refused() {
    for engine in Engine::BOTH {
        let app = TestApp::on(engine).without_workers().start().await.unwrap();
        let rest = staff(&app);
        let (one, other) = (active_product(&rest, "one").await, active_product(&rest, "other").await);
        for _ in 0..runs::run_size(10, 300) {
            let (there, back) = tokio::join!(name_successor(&rest, &one, &other), name_successor(&rest, &other, &one));
            let mut reasons = [there, back];
            reasons.sort();
            assert_eq!(reasons, ["", "CIRCULAR_REFERENCE"]);
            assert_eq!(name_successor(&rest, &one, "").await, "");
            assert_eq!(name_successor(&rest, &other, "").await, "");
        }
        app.finish().await;
    }
}

#[tokio::test]
async fn a_way_of_successors_has_an_end_and_keeps_its_products() {
    for engine in Engine::BOTH {
        let app = TestApp::on(engine).without_workers().start().await.unwrap();
        let rest = staff(&app);
        let mut way: Vec<String> = Vec::new();
        for number in 0..DEPTH {
            let next = active_product(&rest, &format!("product {number}")).await;
            if let Some(last) = way.last() {
                assert_eq!(name_successor(&rest, &next, last).await, "");
            }
            way.push(next);
        }
        let longer = id(&rest.post("/v1/products", product("one too many")).await.expect(200));
        assert_eq!(name_successor(&rest, &longer, &way[DEPTH - 1]).await, "INVALID_FIELD");
        let deletion = rest.delete(&format!("/v1/products/{}", way[0])).await;
        assert_eq!((deletion.status.as_u16(), deletion.reason()), (409, "HAS_ENTITIES_BELOW"));
        assert_eq!(name_successor(&rest, &way[1], "").await, "");
        let _ = rest.delete(&format!("/v1/products/{}", way[0])).await.expect(200);
        assert_eq!(name_successor(&rest, &longer, &way[DEPTH - 1]).await, "", "the way is shorter now");
        app.finish().await;
    }
}
