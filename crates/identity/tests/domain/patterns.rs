//! The forms of e-mail addresses, usernames and classic numbers that the contract accepts.

use pavise_identity::contract::v1::{AddClassicIdRequest, AddEmailRequest, AddUsernameRequest, CreateIdentityRequest};
use pavise_kernel::Validate;

fn email(address: &str) -> bool {
    let one = AddEmailRequest { identity_id: "i".into(), email: address.into(), primary: false }.validate().is_ok();
    let several = CreateIdentityRequest { realm: 1, emails: vec![address.into()], ..CreateIdentityRequest::default() }
        .validate()
        .is_ok();
    assert_eq!(one, several, "{address}");
    one
}

#[test]
fn addresses_follow_the_documented_pattern() {
    let longest = format!("{}@example.com", "a".repeat(64));
    let good = [
        "a@b.co",
        "ada.lovelace@example.com",
        "ada+tag@example.com",
        "o'hara@example.com",
        "!#$%&'*+/=?^_`{|}~-@example.com",
        "a@x-y_z.example.com",
        "a@1.2.34",
        "A@EXAMPLE.COM",
        longest.as_str(),
    ];
    for address in good {
        assert!(email(address), "{address}");
    }
}

#[test]
fn malformed_addresses_are_refused() {
    let local = format!("{}@example.com", "a".repeat(65));
    let long = format!("a@{}.com", "a.".repeat(130));
    let bad = [
        "",
        "@example.com",
        "ada",
        "ada@",
        "ada@example",
        "ada@example.c",
        "ada@.com",
        "ada@-example.com",
        "ada@example-.com",
        "ada@_example.com",
        "ada@example_.com",
        "ada@exam ple.com",
        "ada@example..com",
        "ada@example.c-m",
        "ada@example.com.",
        "ada@@example.com",
        "ada b@example.com",
        "ada\n@example.com",
        "ada@example.com\n",
        "ädä@example.com",
        "ada@exämple.com",
        "\"ada\"@example.com",
        local.as_str(),
        long.as_str(),
    ];
    for address in bad {
        assert!(!email(address), "{address:?}");
    }
}

#[test]
fn a_username_is_never_an_address_and_has_three_to_sixty_four_characters() {
    let username =
        |name: &str| AddUsernameRequest { identity_id: "i".into(), username: name.into() }.validate().is_ok();
    for name in ["ada", "ada.lovelace-1815_x", "1815", &"a".repeat(64)] {
        assert!(username(name), "{name}");
    }
    for name in ["", "ad", ".ada", "-ada", "ada@example", "ada lovelace", "ada\n", &"a".repeat(65)] {
        assert!(!username(name), "{name:?}");
    }
}

#[test]
fn a_classic_number_has_a_kind() {
    let number = |kind: i32, value: &str| {
        AddClassicIdRequest { identity_id: "i".into(), r#type: kind, value: value.into() }.validate().is_ok()
    };
    assert!(number(1, "0012345"));
    assert!(!number(0, "0012345"));
    assert!(!number(4, "0012345"));
    assert!(!number(1, ""));
    assert!(!number(1, "12/34"));
}
