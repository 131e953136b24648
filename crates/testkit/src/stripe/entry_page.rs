//! The hosted page as a browser sees it: a form that saves a card or an account, or leads back without one.

use std::fmt::Write as _;

use super::objects::{BANK_ACCOUNT, CANADIAN_ACCOUNT, CARDS};

/// The form. `types` are those that the session asks for.
pub(super) fn write_form(types: &[String]) -> String {
    let mut options = String::new();
    for kind in types.iter().flat_map(|name| kinds_of(name)) {
        // Writing into a text does not fail.
        let _ = write!(options, "<option>{kind}</option>");
    }
    write_page(&format!(
        "<h1>Save a payment method</h1><form method=\"post\">\
         <p><label>Kind <select name=\"method\">{options}</select></label></p>\
         <p><label>Name of the holder <input name=\"name\" autocomplete=\"off\"></label></p>\
         <p><button>Save card</button> <button name=\"cancel\" value=\"true\">Cancel</button></p></form>"
    ))
}

/// The page when there is nothing to fill in.
pub(super) fn write_over() -> String {
    write_page("<h1>This page is over</h1>")
}

/// The kinds of payment methods of a type.
fn kinds_of(name: &str) -> Vec<&'static str> {
    match name {
        "us_bank_account" => vec![BANK_ACCOUNT],
        "acss_debit" => vec![CANADIAN_ACCOUNT],
        _ => CARDS.iter().map(|(card, _)| *card).collect(),
    }
}

fn write_page(content: &str) -> String {
    // Without an icon of its own, a browser would ask for one.
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Stand-in of Stripe</title>\
         <link rel=\"icon\" href=\"data:,\"></head><body><main>{content}</main></body></html>"
    )
}
