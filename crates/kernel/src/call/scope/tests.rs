//! The access functions against an oracle: sets of words instead of the rule's code.

use std::collections::{BTreeMap, BTreeSet};

use pavise_contract::table::{Access, Impersonation, ScopeRule};

use super::*;
use crate::call::access::{EntityScope, authorize_call, can_see_entity};
use crate::call::caller::APPLICATION;

/// A random number generator: splitmix64.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((mixed ^ (mixed >> 31)) % u64::try_from(end).unwrap()).unwrap()
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}

const REALMS: [Realm; 5] = [Realm::User, Realm::Machine, Realm::Internal, Realm::Partner, Realm::GroupAdmin];
const KINDS: [ScopeKind; 4] = [ScopeKind::Group, ScopeKind::Division, ScopeKind::Branch, ScopeKind::Firm];
const PEOPLE: [&str; 3] = ["", "ann", "ben"];

/// The ids of a kind; those of divisions with their groups.
fn ids(kind: ScopeKind) -> &'static [(&'static str, &'static str)] {
    match kind {
        ScopeKind::Group => &[("g1", ""), ("g2", "")],
        ScopeKind::Division => &[("d1", "g1"), ("d2", "g1"), ("d3", "g2")],
        ScopeKind::Branch => &[("b1", ""), ("b2", "")],
        _ => &[("f1", ""), ("f2", "")],
    }
}

fn method(random: &mut Random) -> &'static Method {
    let mut rules = Vec::new();
    for kind in KINDS {
        if random.chance(60) {
            let roles: Vec<&'static str> = kind.roles().iter().take(3).filter(|_| random.chance(40)).copied().collect();
            rules.push(ScopeRule { kind, named: random.chance(60), roles: Box::leak(roles.into_boxed_slice()) });
        }
    }
    let realms: Vec<Realm> = REALMS.into_iter().filter(|_| random.chance(70)).collect();
    let public = random.chance(20) || realms.is_empty();
    Box::leak(Box::new(Method {
        service: "things",
        journal: "things",
        domain: "test",
        rpc: "Touch",
        path: "/test/Touch",
        response: "test.Thing",
        access: Access {
            public,
            realms: Box::leak(realms.into_boxed_slice()),
            permission: "test.things.read",
            owner: true,
            owner_only: random.chance(5),
            owner_admitted: random.chance(20),
            fresh_proof: false,
            scopes: Box::leak(rules.into_boxed_slice()),
            impersonation: Impersonation::Unspecified,
            roles: &[],
        },
        reads: true,
        action: "",
        actions: &[],
        aggregate: None,
        from: &[],
        to: &[],
        steps: &[],
        reasons: &[],
        rate_limit: &[],
        event: pavise_contract::table::SecurityEvent::Unspecified,
        sends: false,
        proves: false,
        reveals: false,
    }))
}

fn table(random: &mut Random) -> &'static Table {
    let kinds: Vec<(ScopeKind, &'static str)> =
        KINDS.into_iter().filter(|_| random.chance(50)).map(|kind| (kind, "unused")).collect();
    let scoped = |realm: &Realm| kinds.iter().any(|(kind, _)| kind.realm() == *realm);
    let unconfined = [Realm::Partner, Realm::GroupAdmin].into_iter().filter(|realm| !scoped(realm));
    let unconfined: Vec<Realm> = unconfined.filter(|_| random.chance(30)).collect();
    Box::leak(Box::new(Table {
        name: "thing",
        journal: "things",
        message: "test.Thing",
        noun: "thing",
        initial: "",
        terminal: &[],
        lookups: &[],
        shared: random.chance(20),
        visible: &[],
        indexes: &[],
        unowned: None,
        scopes: Box::leak(kinds.into_boxed_slice()),
        unconfined: Box::leak(unconfined.into_boxed_slice()),
    }))
}

fn caller(random: &mut Random) -> Caller {
    if random.chance(5) {
        return Caller::anonymous();
    }
    let mut scopes = Vec::new();
    for _ in 0..random.below(5) {
        let kind = random.one(&KINDS);
        let (id, outer) = random.one(ids(kind));
        scopes.push(Scope::new(kind, id, &[random.one(kind.roles().get(..4).unwrap())]).within(outer));
    }
    let permission = if random.chance(80) { "test.*" } else { "other.*" };
    Caller {
        identity: random.one(&PEOPLE[1..]).to_owned(),
        realm: random.one(&REALMS),
        permissions: BTreeMap::from([(APPLICATION.to_owned(), vec![permission.to_owned()])]),
        scopes: scopes.into_iter().collect(),
        ..Caller::default()
    }
}

/// The owner and the scopes of an entity, or of a request.
#[derive(Debug)]
struct Place {
    owner: &'static str,
    scopes: Vec<(ScopeKind, &'static str)>,
}

/// An entity: in a division of its own group only.
fn entity(random: &mut Random, table: &Table) -> Place {
    let mut scopes: Vec<(ScopeKind, &'static str)> = Vec::new();
    for (kind, _) in table.scopes.iter().filter(|(kind, _)| *kind != ScopeKind::Division) {
        if random.chance(80) {
            scopes.push((*kind, random.one(ids(*kind)).0));
        }
    }
    if table.scopes.iter().any(|(kind, _)| *kind == ScopeKind::Division) && random.chance(80) {
        let (division, group) = random.one(ids(ScopeKind::Division));
        if scopes.iter().all(|(kind, id)| *kind != ScopeKind::Group || *id == group) {
            scopes.push((ScopeKind::Division, division));
        }
    }
    Place { owner: if table.shared { "" } else { random.one(&PEOPLE) }, scopes }
}

fn request(random: &mut Random, method: &Method) -> Place {
    let named: Vec<_> = method.access.scopes.iter().filter(|rule| rule.named && random.chance(60)).collect();
    let scopes = named.into_iter().map(|rule| (rule.kind, random.one(ids(rule.kind)).0)).collect();
    Place { scopes, owner: if random.chance(50) { random.one(&PEOPLE[1..]) } else { "" } }
}

/// The words of what a caller has: `Group g1` for each scope with a role that the call admits.
fn words(method: &Method, caller: &Caller) -> BTreeSet<String> {
    let mut admitted = BTreeSet::new();
    for kind in KINDS {
        let said = method.access.scopes.iter().find(|rule| rule.kind == kind).map_or(&[][..], |rule| rule.roles);
        let usual = if kind == ScopeKind::Division { "" } else { kind.roles()[0] };
        admitted.extend(said.iter().map(|role| format!("{kind:?} {role}")));
        if said.is_empty() {
            admitted.insert(format!("{kind:?} {usual}"));
        }
    }
    let mut has = BTreeSet::new();
    for scope in caller.scopes.iter() {
        if scope.roles.iter().any(|role| admitted.contains(&format!("{:?} {role}", scope.kind))) {
            has.insert(format!("{:?} {}", scope.kind, scope.id));
        }
    }
    has
}

/// Whether the caller is to get the entity, said anew.
fn oracle(method: &Method, caller: &Caller, request: &Place, table: &Table, entity: &Place) -> bool {
    let (access, open) = (&method.access, method.access.public && method.access.realms.is_empty());
    let own = !entity.owner.is_empty() && entity.owner == caller.identity;
    let asked = request.owner.is_empty() || table.shared || request.owner == entity.owner;
    let elsewhere = |(kind, id): &(ScopeKind, &str)| {
        let of: Vec<_> = entity.scopes.iter().filter(|(of, _)| of == kind).collect();
        !of.is_empty() && of.iter().all(|(_, of)| of != id)
    };
    if !asked || request.scopes.iter().any(elsewhere) {
        return false;
    }
    if caller.identity.is_empty() {
        return access.public && entity.owner.is_empty();
    }
    if !open && !access.realms.contains(&caller.realm) {
        return false;
    }
    let staff = matches!(caller.realm, Realm::Internal | Realm::Machine | Realm::Partner);
    let admitted = access.owner_admitted && request.owner == caller.identity;
    if !open && staff && !admitted && !caller.has("test.things.read") {
        return false;
    }
    if !open && access.owner_only && request.owner != caller.identity {
        return false;
    }
    let has = words(method, caller);
    let held = |(kind, id): &(ScopeKind, &str)| {
        let parts = ids(ScopeKind::Division).iter().filter(|(_, group)| *kind == ScopeKind::Group && group == id);
        has.contains(&format!("{kind:?} {id}"))
            || parts.into_iter().any(|(part, _)| has.contains(&format!("Division {part}")))
    };
    let within = entity.scopes.iter().any(|(kind, id)| has.contains(&format!("{kind:?} {id}")));
    let ownerless = entity.owner.is_empty() && access.public;
    match caller.realm {
        Realm::Internal | Realm::Machine => true,
        Realm::User | Realm::Unspecified => {
            (open || request.owner.is_empty() || request.owner == caller.identity) && (table.shared || own || ownerless)
        }
        Realm::GroupAdmin | Realm::Partner => {
            let named = open || request.scopes.iter().all(held);
            let alone =
                open || !request.scopes.is_empty() || request.owner.is_empty() || request.owner == caller.identity;
            let free = table.unconfined.contains(&caller.realm);
            let sees = within || free || if table.shared { open } else { own || ownerless };
            named && alone && sees
        }
    }
}

/// Whether a list holds the entity.
fn lists(reach: &ScopeReach, caller: &Caller, request: &Place, table: &Table, entity: &Place) -> bool {
    let named = request.scopes.iter().filter(|(kind, _)| table.scopes.iter().any(|(of, _)| of == kind));
    let asked = request.owner.is_empty() || request.owner == entity.owner;
    asked
        && named.into_iter().all(|one| entity.scopes.contains(one))
        && match reach {
            ScopeReach::Asked => true,
            ScopeReach::Own => entity.owner == caller.identity,
            ScopeReach::Within(scopes) => entity
                .scopes
                .iter()
                .any(|(kind, id)| scopes.iter().any(|(of, ids)| of == kind && ids.iter().any(|one| one == id))),
        }
}

#[test]
fn no_request_reaches_beyond_its_scopes() {
    let mut random = Random(14);
    let methods: Vec<_> = (0..400).map(|_| method(&mut random)).collect();
    let tables: Vec<_> = (0..60).map(|_| table(&mut random)).collect();
    let (mut seen, mut listed, mut confined) = (0, 0, 0);
    for number in 0..150_000 {
        let (method, table) = (random.one(&methods), random.one(&tables));
        let (caller, request, entity) = (caller(&mut random), request(&mut random, method), entity(&mut random, table));
        let owner = Some(request.owner).filter(|owner| !owner.is_empty());
        let admitted = authorize_call(method, &caller, owner, &request.scopes).is_ok();
        let belongs = EntityScope { owner: entity.owner, scopes: &entity.scopes };
        let named = (owner.filter(|_| !table.shared), request.scopes.as_slice());
        let sees = admitted && can_see_entity(method, &caller, named, table, belongs);
        let expected = oracle(method, &caller, &request, table, &entity);
        let place = format!("{number}: {method:?}\n{caller:?}\n{request:?}\n{table:?}\n{entity:?}");
        assert_eq!(sees, expected, "{place}");
        seen += u32::from(sees);
        if !admitted {
            continue;
        }
        let reach = visible_rows(method, &caller, table, owner, &request.scopes);
        let is_listed = lists(&reach, &caller, &request, table, &entity);
        // A public call shows one entity without an owner to those who know its id, and lists own ones only.
        assert!(!is_listed || sees, "a list leaks: {place}\n{reach:?}");
        listed += u32::from(is_listed);
        if let ScopeReach::Within(_) = reach {
            confined += 1;
            let in_scope = is_within(method, &caller, &entity.scopes);
            let of_each = request
                .scopes
                .iter()
                .all(|one| !table.scopes.iter().any(|(kind, _)| *kind == one.0) || entity.scopes.contains(one));
            assert_eq!(
                is_listed,
                sees && in_scope && of_each && owner.is_none_or(|one| one == entity.owner),
                "{place}"
            );
        }
    }
    println!("{seen} were seen, {listed} listed, {confined} lists were confined");
    assert!(seen > 10_000 && listed > 5_000 && confined > 2_000, "the requests are too much alike");
}

#[test]
fn a_token_carries_groups_as_before_and_the_other_roles_beside_them() {
    let scopes: Scopes = [
        Scope::new(ScopeKind::Group, "g1", &["GROUP_ADMINISTRATOR", "FILE_ADMINISTRATOR"]),
        Scope::new(ScopeKind::Group, "g2", &["AUTHORIZED_USER"]),
        Scope::new(ScopeKind::Division, "d1", &["GROUP_ADMINISTRATOR"]).within("g2"),
        Scope::new(ScopeKind::Branch, "b1", &["LAWYER", "CSR"]),
        Scope::new(ScopeKind::Branch, "b2", &["LAWYER"]),
    ]
    .into_iter()
    .collect();
    let (groups, claimed) = scopes.claims();
    assert_eq!(groups, ["g1"]);
    assert_eq!(claimed["BRANCH"]["LAWYER"], ["b1", "b2"]);
    assert_eq!(claimed["DIVISION"]["GROUP_ADMINISTRATOR"], ["g2/d1"]);
    assert_eq!(Scopes::of_claims(&groups, &claimed), scopes);
    let old = Scopes::of_claims(&["acme".to_owned()], &ScopeClaims::new());
    assert!(old.has_administrator(ScopeKind::Group, "acme"), "a token from before there were scopes");
    let odd =
        ScopeClaims::from([("PLANET".to_owned(), BTreeMap::from([("KING".to_owned(), vec!["mars".to_owned()])]))]);
    assert_eq!(Scopes::of_claims(&[], &odd), Scopes::default(), "a kind of a later version");
}
