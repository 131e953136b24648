//! Scopes and audiences that a change loosens.

use pavise_contract::breaking;

use super::{DOORS, contract};

const ACCESS: &str = "{ realms: [REALM_USER] owner: \"identity_id\" }";
const TABLE: &str = "table: \"doors\"";
const COLOUR: &str = "string colour = 7;";

fn with(access: &str, table: &str, colour: &str) -> pavise_contract::Contract {
    let request = DOORS
        .replace("{ string identity_id = 1;", "{ string group_id = 8; string branch_id = 9; string identity_id = 1;");
    let door = request.replacen(COLOUR, &format!("string group_id = 10; {colour}"), 1);
    contract(&door.replacen(ACCESS, access, 1).replacen(TABLE, &format!("{TABLE} {table}"), 1))
}

#[test]
fn what_lets_callers_of_scopes_reach_more_is_found() {
    let rule = |text: &str| with(&format!("{{ realms: [REALM_PARTNER] {text} }}"), "", COLOUR);
    let table = |text: &str| with(ACCESS, text, COLOUR);
    let audience =
        |text: &str| with(ACCESS, "", &format!("string colour = 7 [(pavise.contract.v1.field) = {{ {text} }}];"));
    let branch = "scopes: [{kind: SCOPE_KIND_BRANCH field: \"branch_id\"}]";
    let lawyers = "scopes: [{kind: SCOPE_KIND_BRANCH field: \"branch_id\" roles: [\"ADMIN\", \"LAWYER\"]}]";
    let group = "scopes: [{kind: SCOPE_KIND_GROUP field: \"group_id\"}]";
    let child = |parent: &str| table(&format!("parent: {{aggregate: \"{parent}\" field: \"group_id\"}}"));
    let cases: [(_, _, &[&str]); 18] = [
        (rule(branch), rule(""), &["asks for branch none instead of branch_id"]),
        (rule("group: \"group_id\""), rule(""), &["asks for group none instead of group_id"]),
        (rule("group: \"group_id\""), rule(group), &[]),
        (rule(branch), rule(lawyers), &["admits the role LAWYER of a branch"]),
        (rule(lawyers), rule(branch), &[]),
        (rule(""), rule(branch), &[]),
        (table("group: \"group_id\""), table(""), &["Door: its group is no longer group_id"]),
        (table("group: \"group_id\""), table(group), &[]),
        (audience("audience: REALM_INTERNAL"), audience(""), &["Door.colour: has no audience any more"]),
        (audience("set_by: REALM_INTERNAL"), audience(""), &["Door.colour: may be set by every caller"]),
        (
            audience("set_by: REALM_INTERNAL"),
            audience("set_by: [REALM_INTERNAL, REALM_USER]"),
            &["Door.colour: may be set by REALM_USER"],
        ),
        (audience(""), audience("set_by: REALM_INTERNAL"), &[]),
        (
            audience("audience: REALM_INTERNAL"),
            audience("audience: [REALM_INTERNAL, REALM_USER]"),
            &["Door.colour: is shown to REALM_USER"],
        ),
        (audience("audience: [REALM_INTERNAL, REALM_USER]"), audience("audience: REALM_INTERNAL"), &[]),
        (audience(""), audience("audience: REALM_INTERNAL"), &[]),
        (child("House"), table(""), &["Door: is no longer reached through House"]),
        (child("House"), child("Street"), &["Door: is no longer reached through House"]),
        (table(""), child("House"), &[]),
    ];
    for (before, now, expected) in cases {
        let found: Vec<String> = breaking(&before, &now).iter().map(ToString::to_string).collect();
        assert_eq!(found.len(), expected.len(), "{expected:?}: {found:?}");
        for (one, wanted) in found.iter().zip(expected) {
            assert!(one.contains(wanted), "{one} is not about {wanted}");
        }
    }
}
