//! Records how far the erasure in a part of the platform is.

use pavise_kernel::{Edit, EditContext, Result};

use crate::contract::v1::{ErasedDomain, PersonErasure, RecordErasedDomainRequest};

impl Edit<RecordErasedDomainRequest> for PersonErasure {
    /// The counts are those of the first record, and no record goes back.
    fn edit(&mut self, request: &RecordErasedDomainRequest, _context: &EditContext) -> Result<()> {
        match self.domains.iter_mut().find(|known| known.domain == request.domain) {
            Some(known) => known.status = known.status.max(request.status),
            None => self.domains.push(ErasedDomain {
                domain: request.domain.clone(),
                status: request.status,
                services: request.services.clone(),
            }),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::{ErasedDomainStatus, ErasedService};

    #[test]
    fn a_domain_is_counted_once_and_never_goes_back() {
        let record = |status: ErasedDomainStatus, entries| RecordErasedDomainRequest {
            domain: "orders".into(),
            status: status.into(),
            services: vec![ErasedService { service: "orders".into(), entities: 1, entries }],
            ..RecordErasedDomainRequest::default()
        };
        let mut erasure = PersonErasure::default();
        for (status, entries) in
            [(ErasedDomainStatus::Counted, 3), (ErasedDomainStatus::Erased, 0), (ErasedDomainStatus::Counted, 1)]
        {
            erasure.edit(&record(status, entries), &EditContext::at(0)).unwrap();
        }
        assert_eq!(erasure.domains.len(), 1);
        let domain = erasure.domains.first().unwrap();
        assert_eq!((domain.status(), domain.services.first().unwrap().entries), (ErasedDomainStatus::Erased, 3));
    }
}
