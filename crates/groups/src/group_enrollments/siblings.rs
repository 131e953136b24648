//! The rule between the enrollments of an identity.

use pavise_kernel::{Error, Result, Siblings};

use crate::contract::v1::{ErrorReason, GroupEnrollment, GroupEnrollmentStatus};

impl Siblings for GroupEnrollment {
    /// An employee begins no second enrollment in a group before the first is completed. Two may meet in a merge of their
    /// identities: then they stay.
    fn check(&self, others: &[Self]) -> Result<()> {
        match others.iter().find(|other| other.group_id == self.group_id && other.completed_at.is_none()) {
            Some(other) => {
                let message = "the employee has an enrollment in the group already";
                Err(Error::new(ErrorReason::EnrollmentThere, message).with("enrollment_id", other.id.clone()))
            }
            None => Ok(()),
        }
    }

    fn is_concerned(&self) -> bool {
        self.status() == GroupEnrollmentStatus::Created && self.version <= 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_enrollment_waits_until_the_first_is_completed() {
        let of = |group: &str| GroupEnrollment {
            group_id: group.to_owned(),
            status: GroupEnrollmentStatus::Created.into(),
            version: 1,
            ..GroupEnrollment::default()
        };
        let submitted = GroupEnrollment { status: GroupEnrollmentStatus::Submitted.into(), ..of("acme") };
        let completed = GroupEnrollment { completed_at: Some(Default::default()), ..submitted.clone() };
        assert!(of("acme").is_concerned() && !GroupEnrollment { version: 2, ..of("acme") }.is_concerned());
        assert!(of("acme").check(&[of("other"), completed]).is_ok());
        for other in [of("acme"), submitted] {
            assert!(of("acme").check(&[other]).is_err_and(|error| error.is(ErrorReason::EnrollmentThere)));
        }
    }
}
