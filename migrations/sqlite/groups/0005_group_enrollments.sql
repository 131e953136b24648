-- Enrollments of employees and their journal.

CREATE TABLE group_enrollments (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc TEXT NOT NULL CHECK (json_valid(doc))
);
CREATE INDEX group_enrollments_owner ON group_enrollments (owner_id, id);
CREATE INDEX group_enrollments_group_id ON group_enrollments ((doc->>'groupId'), id);
CREATE INDEX group_enrollments_division_id ON group_enrollments ((doc->>'divisionId'), id);
CREATE INDEX group_enrollments_employee_id ON group_enrollments ((doc->>'employeeId'), id);
CREATE INDEX group_enrollments_order_id ON group_enrollments ((doc->>'orderId'), id);
CREATE INDEX group_enrollments_status ON group_enrollments (status, id);
CREATE INDEX group_enrollments_status_group_id ON group_enrollments (status, (doc->>'groupId'), id);
CREATE INDEX group_enrollments_status_division_id ON group_enrollments (status, (doc->>'divisionId'), id);

CREATE TABLE group_enrollments_journal (
    clock INTEGER PRIMARY KEY,
    action TEXT NOT NULL,
    entity_table TEXT NOT NULL,
    entity_id TEXT NOT NULL,
    owner_id TEXT NOT NULL,
    version BIGINT NOT NULL,
    at BIGINT NOT NULL,
    actor TEXT NOT NULL,
    subject TEXT NOT NULL,
    request_id TEXT NOT NULL,
    removed BOOLEAN NOT NULL,
    doc TEXT NOT NULL
);
CREATE INDEX group_enrollments_journal_entity ON group_enrollments_journal (entity_id, clock);

CREATE TABLE group_enrollments_idempotency (
    key TEXT PRIMARY KEY,
    request TEXT NOT NULL,
    answer BLOB NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX group_enrollments_idempotency_at ON group_enrollments_idempotency (at);
