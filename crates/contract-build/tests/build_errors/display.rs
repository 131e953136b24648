//! Faults in the display of an aggregate.

use super::{Fault, expect_errors};

/// The option, the text and its replacement, and the error.
const FAULTS: &[Fault] = &[
    (
        "display",
        ("    display:", "    //"),
        "Book: `display` is missing: GetBook answers it, so say how the console shows it",
    ),
    ("heading", ("heading: \"Books\"", ""), "Book: display needs `heading`, `place` above zero and `key`"),
    ("display", ("{title|id}", "{titel|id}"), "Book: display.title: Book has no field \"titel\""),
    ("display", ("{title|id}", "{title|hash}"), "Book: display.title: hash of Book is secret"),
    ("display", ("{title|id}", "{title[]}"), "Book: display.title: title of Book is no list"),
    ("display", ("{title|id}", "{cover}"), "Book: display.title: cover of Book is no single value"),
    ("display", ("{title|id}", "{title.text}"), "Book: display.title: title of Book has no fields"),
    ("display", ("{title|id}", "{title"), "has no partner"),
    (
        "display",
        ("\"{title|id} · {notes[].text}\"", "\"Book\""),
        "Book: display.title has no field in braces: name at least one",
    ),
    ("display", ("{cover.colour}", "{cover.color}"), "Book: display.subtitle: Cover has no field \"color\""),
    ("display", ("{owner_id.title}", "{shelf_id.title}"), "Book: display.subtitle: Book has no field \"shelf_id\""),
    (
        "display",
        ("[\"status\", \"title\"] key", "[\"status\", \"titel\"] key"),
        "display.columns: Book has no field \"titel\"",
    ),
    ("display", ("[\"status\", \"title\"] key", "[\"title\", \"title\"] key"), "display.columns: title is named twice"),
    (
        "display",
        ("[\"status\", \"title\"] key", "[] key"),
        "Book: display.columns is empty: name the fields that a list shows",
    ),
    ("key", ("key: \"b\" }", "key: \"B\" }"), "Book: display.key is one or two small letters"),
    ("key", ("key: \"b\" }", "key: \"jb\" }"), "Book: display.key \"jb\" begins as \"j\", the key of the console"),
    ("display", (".tone = TONE_BAD", ".tone = TONE_UGLY"), "TONE_UGLY"),
    (
        "display",
        (".tone = TONE_BAD", ".words = \"Gone\""),
        "its status BOOK_STATUS_LOST has no tone: set `value_ui.tone`",
    ),
];

#[test]
fn each_fault_is_an_error_that_names_the_place() {
    expect_errors(FAULTS);
}
