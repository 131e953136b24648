//! Enumerations that several domains have are one type: by their values, and by the documented lists.
//! The documented facts are `tests/contract/enums.tsv`.
#![expect(clippy::unwrap_used, reason = "tests")]

use std::collections::{BTreeMap, BTreeSet};

use pavise::domains;
use pavise_contract::options::v1::ScopeKind;
use pavise_contract::{DESCRIPTORS, spelling};
use pavise_kernel::common::v1::StaffRole;
use prost_reflect::{DescriptorPool, EnumDescriptor};

/// The documented enumerations of each shared type, as `service.Enumeration`. Services that are not served are among them.
const SHARED: [(&str, &[&str]); 14] = [
    ("CountryCode", &["reference.CountryCode", "branches.Country", "providers.Country"]),
    ("Currency", &["reference.Currency", "orders.Currency", "classic.Currency", "offers.Currency"]),
    (
        "BillingPeriod",
        &["reference.BillingPeriod", "orders.BillingPeriod", "classic.BillingPeriod", "offers.BillingPeriod"],
    ),
    ("Locale", &["reference.Locale"]),
    ("RegionCode", &["reference.RegionCode"]),
    (
        "RelationType",
        &[
            "reference.RelationType",
            "orders.RelationType",
            "classic.RelationType",
            "relations.MemberRole",
            "entitlements.PermissionType",
        ],
    ),
    (
        "CoBrandPartner",
        &[
            "reference.CoBrandPartner",
            "orders.CoBrandPartner",
            "classic.CoBrandPartner",
            "entitlements.CoBrandPartner",
            "offers.CoBrandPartner",
        ],
    ),
    ("BillingProvider", &["orders.BillingProvider"]),
    ("ProvisionType", &["provision.ProvisionType", "entitlements.ProvisioningType", "offers.ProvisionType"]),
    ("ClassicIdType", &["orders.ClassicIdType", "identities.ClassicIdType"]),
    ("ContractType", &["reference.ContractType", "entitlement_histories.ContractType"]),
    ("PhoneType", &["profiles.PhoneNumberType"]),
    ("Network", &["reference.Network", "branches.Network", "providers.Network", "firms.Network"]),
    ("StaffRole", &["branches.StaffRole", "firms.StaffRole"]),
];

/// Documented enumerations with a part of a shared type's values. A field of the type refuses the others.
const PARTS: [(&str, &str); 2] = [("RegionCode", "branches.RegionCode"), ("RegionCode", "providers.RegionCode")];

/// Documented enumerations of several services with the same values that are no shared type, with the reason.
const ALIKE: [(&[&str], &str); 20] = [
    (&["orders.Period", "reference.Period"], "one domain"),
    (&["factors.IdentityRealm", "identities.IdentityRealm", "reference.IdentityRealm"], "one domain"),
    (&["factors.FactorType", "identities.FactorType"], "one domain"),
    (&["factors.ProofType", "identities.ProofType"], "one domain"),
    (&["invoices.ProductType", "subscriptions.OfferItemType"], "one domain"),
    (&["branches.BranchType", "firms.FirmType"], "one domain"),
    (&["alerts.AlertNotificationType", "notifications.NotificationType"], "one domain"),
    (&["associate_marketing.ApprovalStatus", "channel_associates.ApprovalStatus"], "one domain"),
    (&["associate_marketing.AssociateMarketingStatus", "channel_associates.ChannelAssociateStatus"], "statuses"),
    (&["benefits.BenefitStatus", "products.ProductStatus"], "statuses"),
    (&["classic.OfferStatus", "offers.OfferStatus"], "statuses"),
    (&["amendments.AmendmentStatus", "law_areas.LawAreaStatus"], "statuses"),
    (&["groups.RestrictedEffectiveDateStatus", "payment_methods.PaymentMethodStatus"], "statuses"),
    (
        &[
            "campaigns.CampaignStatus",
            "chats.ChatStatus",
            "product_families.ProductFamilyStatus",
            "segments.SegmentStatus",
            "user_state.UserStateStatus",
        ],
        "statuses",
    ),
    (&["auto_comments.AutoCommentPriority", "notes.NotePriority", "providers.Volume"], "by chance"),
    (&["classic.Channel", "offers.Channel", "reference.SalesChannelKind"], "one of its domains is not served yet"),
    (&["classic.OfferType", "offers.OfferType"], "one of its domains is not served yet"),
    (
        &["benefits.AuthorizedUserType", "eligibility.EligibilityRelationType", "products.AuthorizedUserType"],
        "one of its domains is not served yet",
    ),
    (
        &["providers.AreaOfLawCode", "reference.AreaOfLawCode", "service_requests.AreaOfLawCode"],
        "the documented list ends in \"about 90\"",
    ),
    (&["orders.PaymentMethod", "payment_methods.PaymentMethodType"], "released as types of their own"),
];

/// Enumerations of several domains with the same values that were released as types of their own. No other joins them.
const APART: [&[&str]; 6] = [
    &["catalog.AuthorizedUserType", "orders.EligibilityRelationType"],
    &["catalog.BenefitLimitPeriod", "orders.BenefitAllowancePeriod"],
    &["catalog.BenefitLimitUnit", "orders.BenefitAllowanceUnit"],
    &["billing.PaymentMethodType", "orders.PaymentMethod"],
    &["catalog.TrialCohort", "orders.CohortType"],
    &["billing.OfferItemType", "billing.ProductType", "catalog.OfferItemType", "orders.OrderLineType"],
];

fn spellings(of: &EnumDescriptor) -> BTreeSet<String> {
    of.values().filter_map(|value| spelling::of(&value)).collect()
}

/// The values of the documented enumerations, by `service.Enumeration`.
fn documented() -> BTreeMap<String, BTreeSet<String>> {
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in include_str!("../../../../tests/contract/enums.tsv").lines().skip(1) {
        let mut cells = line.split('\t');
        let (service, name, value) = (cells.next().unwrap(), cells.next().unwrap(), cells.next().unwrap());
        if !value.starts_with('(') {
            found.entry(format!("{service}.{name}")).or_default().insert(value.to_owned());
        }
    }
    found
}

#[test]
fn a_shared_type_has_the_values_of_each_documented_list() {
    let (pool, documented) = (DescriptorPool::decode(DESCRIPTORS).unwrap(), documented());
    for (shared, lists) in SHARED {
        let ours = spellings(&pool.get_enum_by_name(&format!("pavise.common.v1.{shared}")).unwrap());
        for list in lists {
            assert_eq!(documented.get(*list), Some(&ours), "{shared} and {list}");
        }
        // No documented list has the same values without being named here.
        let same = documented.iter().filter(|(_, values)| **values == ours).map(|(list, _)| list.as_str());
        let unnamed: Vec<&str> = same.filter(|list| !lists.contains(list)).collect();
        assert!(unnamed.is_empty(), "{shared} is also {unnamed:?}");
    }
    for (shared, list) in PARTS {
        let ours = spellings(&pool.get_enum_by_name(&format!("pavise.common.v1.{shared}")).unwrap());
        assert!(documented[list].is_subset(&ours), "{list} is no part of {shared}");
    }
}

#[test]
fn each_documented_list_of_several_services_is_a_shared_type_or_says_why_not() {
    let service = |list: &str| list.split('.').next().unwrap().to_owned();
    let mut same: BTreeMap<BTreeSet<String>, BTreeSet<String>> = BTreeMap::new();
    for (list, values) in documented() {
        same.entry(values).or_default().insert(list);
    }
    let repeated =
        |lists: &&BTreeSet<String>| lists.iter().map(|list| service(list)).collect::<BTreeSet<_>>().len() > 1;
    let named = |known: &[&str], lists: &BTreeSet<String>| {
        known.iter().copied().collect::<BTreeSet<_>>() == lists.iter().map(String::as_str).collect()
    };
    let undecided: Vec<_> = same
        .values()
        .filter(repeated)
        .filter(|lists| !SHARED.iter().any(|(_, known)| named(known, lists)))
        .filter(|lists| !ALIKE.iter().any(|(known, _)| named(known, lists)))
        .collect();
    assert!(undecided.is_empty(), "make each a type of pavise.common.v1, or name it in ALIKE: {undecided:#?}");
    let known = |lists: &[&str]| same.values().any(|one| named(lists, one));
    assert!(ALIKE.iter().all(|(lists, why)| known(lists) && !why.is_empty()), "ALIKE names lists that differ");
}

/// Statuses and journal actions belong to their entities, and error reasons to their domains.
fn is_of_an_entity(one: &EnumDescriptor) -> bool {
    ["Status", "Action", "ErrorReason", "Actions"].iter().any(|end| one.name().ends_with(end))
}

#[test]
fn two_domains_with_the_same_values_share_the_type() {
    let pool = domains::pool(false).unwrap();
    let ours = |one: &EnumDescriptor| one.package_name().starts_with("pavise.") && !is_of_an_entity(one);
    let mut found: BTreeMap<BTreeSet<String>, BTreeSet<String>> = BTreeMap::new();
    for one in pool.all_enums().filter(ours).filter(|one| one.package_name() != "pavise.contract.v1") {
        let name = one.full_name().trim_start_matches("pavise.").replace(".v1.", ".");
        found.entry(spellings(&one)).or_default().insert(name);
    }
    let domain = |name: &str| name.split('.').next().unwrap().to_owned();
    let is_apart =
        |names: &BTreeSet<String>| APART.iter().any(|apart| apart.iter().copied().eq(names.iter().map(String::as_str)));
    let twice: Vec<&BTreeSet<String>> = found
        .values()
        .filter(|names| names.iter().map(|name| domain(name)).collect::<BTreeSet<_>>().len() > 1 && !is_apart(names))
        .collect();
    assert!(twice.is_empty(), "move it to pavise.common.v1, or name it in APART: {twice:#?}");
}

#[test]
fn the_roles_of_staff_are_those_of_branches_and_firms() {
    let roles: Vec<&str> =
        (1..).map_while(|number| StaffRole::try_from(number).ok()).map(StaffRole::spelling).collect();
    for kind in [ScopeKind::Branch, ScopeKind::Firm] {
        assert_eq!(kind.roles(), roles, "{}", kind.spelling());
    }
}
