//! The facts of the demonstration's groups.

use pavise_kernel::common::v1::{Address, CountryCode, Date, Locale, RegionCode};
use pavise_kernel::time::{add_days, add_months};

use crate::contract::v1::{
    AddressType, AssociateRole, AuthorizedIdentity, AuthorizedIdentityType, BillingDeliveryPreference, CommissionModel,
    CommissionPayout, CommissionStrategy, ContactType, EmployerShare, EnrollmentFrequency, EnrollmentMethod, GemLevel,
    GroupAddress, GroupAssociate, GroupCommission, GroupCommunicationPreferences, GroupContact, GroupDivision,
    GroupDraft, GroupEnrollmentConfig, GroupPayPeriod, GroupRestrictedPeriod, MarketingSiteType, PayType,
    RestrictedEffectiveDateMonth, RestrictedEffectiveDateSource, RestrictedEffectiveDateStatus,
};

/// The group whose offer and orders the demonstration has.
const HARBOR: &str = "30000000-0000-4000-8000-000000000001";
const BRAND: &str = "pavise";
/// The offers of the demonstration's catalog.
const EMPLOYEES: &str = "20000000-0000-4000-8000-000000000005";
const CANADA: &str = "20000000-0000-4000-8000-000000000002";
const CONSUMERS: &str = "20000000-0000-4000-8000-000000000001";

/// The end of a group's story.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// It stays PENDING.
    Waits,
    /// It is ACTIVE.
    GoesOn,
    /// It is CANCELLED.
    IsOver,
}

/// A group, and what becomes of it.
#[derive(Debug, Clone)]
pub(super) struct DemoGroup {
    pub(super) id: &'static str,
    pub(super) legacy_number: &'static str,
    pub(super) draft: GroupDraft,
    pub(super) offer_ids: &'static [&'static str],
    pub(super) gem_level: GemLevel,
    /// The first day of its open enrollment, if it has one.
    pub(super) opens_on: Option<Date>,
    pub(super) note: &'static str,
    pub(super) outcome: Outcome,
    began: Date,
}

/// The facts of a row.
struct Row {
    id: &'static str,
    number: &'static str,
    name: &'static str,
    region: RegionCode,
    postal_code: &'static str,
    city: &'static str,
    employees: i32,
    pay_type: PayType,
    industry: &'static str,
    contact: (&'static str, &'static str),
    offers: &'static [&'static str],
    gem: GemLevel,
    note: &'static str,
    outcome: Outcome,
}

const ROWS: [Row; 6] = [
    Row {
        id: HARBOR,
        number: "118204",
        name: "Harbor Logistics",
        region: RegionCode::Tx,
        postal_code: "75201",
        city: "Dallas",
        employees: 2_000,
        pay_type: PayType::Payroll,
        industry: "484121",
        contact: ("Rosa Whitfield", "rosa.whitfield@harbor.example"),
        offers: &[EMPLOYEES],
        gem: GemLevel::Emerald,
        note: "A third of the drivers enrolled at the yard fair in May; the night shift has not been visited yet.",
        outcome: Outcome::GoesOn,
    },
    Row {
        id: "30000000-0000-4000-8000-000000000002",
        number: "118977",
        name: "Maple Freight",
        region: RegionCode::On,
        postal_code: "M5V 2T6",
        city: "Toronto",
        employees: 140,
        pay_type: PayType::SelfPay,
        industry: "484110",
        contact: ("Claire Benoit", "claire.benoit@maplefreight.example"),
        offers: &[CANADA],
        gem: GemLevel::Sapphire,
        note: "",
        outcome: Outcome::GoesOn,
    },
    Row {
        id: "30000000-0000-4000-8000-000000000003",
        number: "120310",
        name: "Bright Dental",
        region: RegionCode::Ok,
        postal_code: "73102",
        city: "Oklahoma City",
        employees: 36,
        pay_type: PayType::Fringe,
        industry: "621210",
        contact: ("Owen Park", "owen.park@brightdental.example"),
        offers: &[EMPLOYEES],
        gem: GemLevel::Ruby,
        note: "The practice pays for everybody.",
        outcome: Outcome::GoesOn,
    },
    Row {
        id: "30000000-0000-4000-8000-000000000004",
        number: "",
        name: "Old Mill School District",
        region: RegionCode::Oh,
        postal_code: "43215",
        city: "Columbus",
        employees: 610,
        pay_type: PayType::PartialFringe,
        industry: "611110",
        contact: ("Denise Okafor", "denise.okafor@oldmill.example"),
        offers: &[EMPLOYEES],
        gem: GemLevel::Unspecified,
        note: "",
        outcome: Outcome::Waits,
    },
    Row {
        id: "30000000-0000-4000-8000-000000000005",
        number: "",
        name: "Sunrise Bakeries",
        region: RegionCode::Wa,
        postal_code: "98101",
        city: "Seattle",
        employees: 85,
        pay_type: PayType::None,
        industry: "311812",
        contact: ("", ""),
        offers: &[CONSUMERS],
        gem: GemLevel::Unspecified,
        note: "They compare us with another provider until the end of the quarter.",
        outcome: Outcome::Waits,
    },
    Row {
        id: "30000000-0000-4000-8000-000000000006",
        number: "109644",
        name: "Copper Creek Mining",
        region: RegionCode::Az,
        postal_code: "85004",
        city: "Phoenix",
        employees: 420,
        pay_type: PayType::SelfPay,
        industry: "212230",
        contact: ("Hal Jensen", "hal.jensen@coppercreek.example"),
        offers: &[CONSUMERS],
        gem: GemLevel::Unspecified,
        note: "Sold to a competitor, who has a plan of its own.",
        outcome: Outcome::IsOver,
    },
];

/// The groups, with days that are counted from `today`.
pub(super) fn list_groups(today: Date) -> Vec<DemoGroup> {
    ROWS.iter().map(|row| build_group(row, today)).collect()
}

fn build_group(row: &Row, today: Date) -> DemoGroup {
    let began = Date { day: 1, ..add_months(today, -14) };
    let waits = row.outcome == Outcome::Waits;
    let first_day = Date { day: 1, ..add_months(today, 3) };
    let draft = GroupDraft {
        effective_date: Some(if waits { first_day } else { began }),
        original_creation_date: (!waits).then(|| add_days(began, -40)),
        ..build_draft(row, began)
    };
    DemoGroup {
        id: row.id,
        legacy_number: row.number,
        draft,
        offer_ids: row.offers,
        gem_level: row.gem,
        opens_on: (row.pay_type == PayType::PartialFringe).then(|| add_days(today, 10)),
        note: row.note,
        outcome: row.outcome,
        began,
    }
}

fn build_draft(row: &Row, began: Date) -> GroupDraft {
    let is_canadian = row.region == RegionCode::On;
    let country = if is_canadian { CountryCode::Can } else { CountryCode::Usa };
    let locale = if is_canadian { Locale::EnCa } else { Locale::EnUs };
    let deducts = matches!(row.pay_type, PayType::Payroll | PayType::PartialFringe);
    let by_paper = row.pay_type == PayType::Fringe;
    let frequency = match row.id {
        HARBOR => EnrollmentFrequency::Evergreen,
        _ => EnrollmentFrequency::OpenEnrollmentWithNewHires,
    };
    GroupDraft {
        name: row.name.to_owned(),
        country_identifier: country.into(),
        brand: BRAND.to_owned(),
        number_of_employees: row.employees,
        national_flag: row.employees > 1_000,
        pay_type: row.pay_type.into(),
        employer_shares: if row.pay_type == PayType::PartialFringe { vec![half()] } else { Vec::new() },
        industry_type: row.industry.to_owned(),
        divisions: if row.id == HARBOR { divisions() } else { Vec::new() },
        contacts: contacts(row),
        addresses: vec![address(row, country)],
        enrollment_config: Some(GroupEnrollmentConfig {
            method: (if by_paper { EnrollmentMethod::Paper } else { EnrollmentMethod::Checkout }).into(),
            frequency: frequency.into(),
            site_type: (if by_paper { MarketingSiteType::None } else { MarketingSiteType::Checkout }).into(),
            waiting_days: 30,
        }),
        pay_periods: if deducts { pay_periods(row, began) } else { Vec::new() },
        communication_preferences: Some(GroupCommunicationPreferences {
            locale: locale.into(),
            emails_employees: true,
            mails_employees: row.employees > 500,
            newsletter: true,
        }),
        billing_delivery_preference: BillingDeliveryPreference::Online.into(),
        ..GroupDraft::default()
    }
}

fn half() -> EmployerShare {
    EmployerShare { percent: 50, ..EmployerShare::default() }
}

fn divisions() -> Vec<GroupDivision> {
    let division = |id: &str, name: &str, code: &str| GroupDivision {
        id: format!("{HARBOR}-{id}"),
        name: name.to_owned(),
        code: code.to_owned(),
    };
    vec![division("west", "West", "W-10"), division("east", "East", "E-20")]
}

fn contacts(row: &Row) -> Vec<GroupContact> {
    let (name, email) = row.contact;
    if name.is_empty() {
        return Vec::new();
    }
    vec![GroupContact {
        r#type: ContactType::Primary.into(),
        name: name.to_owned(),
        job_title: "Head of people".to_owned(),
        email: email.to_owned(),
        ..GroupContact::default()
    }]
}

fn address(row: &Row, country: CountryCode) -> GroupAddress {
    let address = Address {
        address1: "100 Main Street".to_owned(),
        city: row.city.to_owned(),
        locality: row.region.into(),
        postal_code: row.postal_code.to_owned(),
        country: country.into(),
        ..Address::default()
    };
    GroupAddress { r#type: AddressType::Mailing.into(), address: Some(address) }
}

fn pay_periods(row: &Row, began: Date) -> Vec<GroupPayPeriod> {
    let period = |name: &str, deductions_per_year: i32| GroupPayPeriod {
        name: name.to_owned(),
        deductions_per_year,
        first_pay_date: Some(add_days(began, 13)),
        cutoff_days: 5,
        ..GroupPayPeriod::default()
    };
    match row.id {
        HARBOR => {
            let with_id = |id: &str, period: GroupPayPeriod| GroupPayPeriod { id: id.to_owned(), ..period };
            vec![with_id("hourly", period("Hourly staff", 26)), with_id("salaried", period("Salaried staff", 24))]
        }
        _ => vec![period("Staff", 24)],
    }
}

impl DemoGroup {
    pub(super) fn associates(&self) -> Vec<GroupAssociate> {
        let part = |number: u32, role: AssociateRole, split_percent: i32| GroupAssociate {
            id: format!("{}-{number}", self.legacy_number),
            associate_id: format!("demo-associate-{number}"),
            role: role.into(),
            split_percent,
            starts_on: Some(self.began),
            ends_on: None,
        };
        vec![
            part(1, AssociateRole::CurrentServicing, 0),
            part(2, AssociateRole::WritingAgent, 60),
            part(3, AssociateRole::WritingAgent, 40),
        ]
    }

    /// The administrators of the demonstration's sign-ins in the first group, one of each role, two of them for one division;
    /// elsewhere the contact, who is invited.
    pub(super) fn people(&self) -> Vec<AuthorizedIdentity> {
        use AuthorizedIdentityType as T;
        let person = |id: &str, email: &str, kind: T, division: &str| AuthorizedIdentity {
            id: id.to_owned(),
            email: email.to_owned(),
            r#type: kind.into(),
            division_ids: if division.is_empty() { Vec::new() } else { vec![format!("{HARBOR}-{division}")] },
            ..AuthorizedIdentity::default()
        };
        match self.id {
            HARBOR => vec![
                person("admin", "admin@demo.pavise.example", T::GroupAdministrator, ""),
                person("west", "west@demo.pavise.example", T::CustomerServiceRepresentative, "west"),
                person("files", "files@demo.pavise.example", T::FileAdministrator, ""),
                person("east", "east@demo.pavise.example", T::AuthorizedUser, "east"),
            ],
            _ => {
                let contact = self.draft.contacts.first().map(|one| one.email.as_str());
                contact.map(|email| person("admin", email, T::GroupAdministrator, "")).into_iter().collect()
            }
        }
    }

    pub(super) fn commission(&self) -> GroupCommission {
        let (mut commission, is_large) = (GroupCommission::default(), self.draft.number_of_employees > 200);
        if self.outcome == Outcome::Waits {
            commission.set_model(CommissionModel::None);
            commission.set_payout(CommissionPayout::None);
            commission.set_strategy(CommissionStrategy::None);
            return commission;
        }
        commission.set_model(if is_large { CommissionModel::Over200 } else { CommissionModel::Standard });
        commission.set_payout(CommissionPayout::AsEarned);
        commission.set_strategy(CommissionStrategy::Level);
        commission
    }

    pub(super) fn restricted_period(&self) -> Option<GroupRestrictedPeriod> {
        let period = GroupRestrictedPeriod {
            source: RestrictedEffectiveDateSource::Web.into(),
            status: RestrictedEffectiveDateStatus::Active.into(),
            month: RestrictedEffectiveDateMonth::Plus1.into(),
            ..GroupRestrictedPeriod::default()
        };
        (self.id == HARBOR).then_some(period)
    }
}
