//! Records a group of reads in one commit.

use pavise_kernel::{Call, Result};

use crate::contract::v1::{DataAccess, DataAccessRecord, RecordDataAccessesRequest, RecordDataAccessesResponse};

pub(crate) async fn record_data_accesses(
    call: &Call,
    request: RecordDataAccessesRequest,
) -> Result<RecordDataAccessesResponse> {
    let mut unit = call.unit();
    let recorded = i32::try_from(request.records.len()).unwrap_or(i32::MAX);
    for record in request.records {
        unit.create(entity(record))?;
    }
    unit.commit_answer(RecordDataAccessesResponse { recorded }).await
}

fn entity(record: DataAccessRecord) -> DataAccess {
    let DataAccessRecord { id, owner_id, reader_id, reader_realm, impersonated, service, call, entity_type, .. } =
        record;
    DataAccess {
        id,
        owner_id,
        reader_id,
        reader_realm,
        impersonated,
        service,
        call,
        entity_type,
        read_at: record.read_at,
        request_id: record.request_id,
        owner_count: record.owner_count,
        reason: record.reason,
        ..DataAccess::default()
    }
}
