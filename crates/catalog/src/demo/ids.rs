//! The fixed ids of the demonstration.

/// The brand of the demonstration.
pub const BRAND: &str = "pavise";
/// The legal plan, in the tiers `individual` and `family`, with the supplements `home-business`, `gun-owners`,
/// `ride-share` and `trial-defense`.
pub const LEGAL: &str = "10000000-0000-4000-8000-000000000001";
/// Identity protection, in the tiers `individual` and `family`.
pub const IDENTITY: &str = "10000000-0000-4000-8000-000000000002";
/// The plan of small businesses, in the tiers `up-to-10` and `up-to-50`, with the supplement `trial-defense-business`.
pub const SMALL_BUSINESS: &str = "10000000-0000-4000-8000-000000000003";
/// The legal plan as it was sold before 2020, in the tier `family`.
pub const LEGACY_LEGAL: &str = "10000000-0000-4000-8000-000000000004";
/// Legal and identity plans, sold directly in the United States.
pub const PERSONAL_US: &str = "20000000-0000-4000-8000-000000000001";
/// Legal and identity plans, sold directly in Canada.
pub const PERSONAL_CANADA: &str = "20000000-0000-4000-8000-000000000002";
/// The plan of small businesses, sold directly in the United States.
pub const BUSINESS_US: &str = "20000000-0000-4000-8000-000000000003";
/// Legal, identity and business plans, sold by associates in the United States.
pub const ASSOCIATES_US: &str = "20000000-0000-4000-8000-000000000004";
/// Legal and identity plans for the employees of [`GROUP`]: ENROLLABLE.
pub const GROUP_US: &str = "20000000-0000-4000-8000-000000000005";
/// The legal plan of before 2020: GRANDFATHERED.
pub const LEGACY_US: &str = "20000000-0000-4000-8000-000000000006";
/// The employer group of the demonstration.
pub const GROUP: &str = "30000000-0000-4000-8000-000000000001";
/// The benefit of a will.
pub const WILL: &str = "12000000-0000-4000-8000-000000000003";
/// The benefit of help in disputes with a landlord.
pub const LANDLORD: &str = "12000000-0000-4000-8000-000000000018";
