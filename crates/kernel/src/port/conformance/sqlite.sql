-- Template of a domain's tables: an aggregate with lookups, one without, and a journal.

CREATE TABLE thing (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc TEXT NOT NULL CHECK (json_valid(doc))
);
CREATE INDEX thing_owner ON thing (owner_id, id);
CREATE INDEX thing_brand ON thing ((doc->>'brand'));
CREATE UNIQUE INDEX thing_code ON thing ((doc->>'code'));
CREATE UNIQUE INDEX thing_site_name ON thing (lower(doc->>'siteName'));
CREATE INDEX thing_label ON thing ((lower((coalesce(doc->>'label', '')))), id);
CREATE INDEX thing_due_on ON thing ((coalesce(doc->>'dueOn', '')), id);
CREATE INDEX thing_seen_at ON thing ((rtrim(coalesce(doc->>'seenAt', ''), 'Z')), id);
CREATE INDEX thing_size ON thing ((CAST(CAST(coalesce(doc->>'size', '0') AS BIGINT) + 5000000000000000000 AS TEXT)), id);
CREATE INDEX thing_total ON thing ((CASE WHEN doc->>'total' IS NULL THEN '' ELSE CAST(CAST(coalesce(doc->'total'->>'amount', '0') AS BIGINT) + 5000000000000000000 AS TEXT) END), id);
CREATE INDEX thing_status ON thing (status, id);
CREATE INDEX thing_status_brand ON thing (status, (doc->>'brand'), id);
CREATE INDEX thing_owner_id_due_on ON thing (owner_id, (coalesce(doc->>'dueOn', '')), id);
CREATE INDEX thing_status_seen_at ON thing (status, (rtrim(coalesce(doc->>'seenAt', ''), 'Z')), id);
CREATE UNIQUE INDEX thing_nick ON thing ((coalesce(doc->>'parentId', '')), (coalesce(doc->>'locale', '')), lower(doc->>'nick'));

CREATE TABLE thing_lookup (
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    id TEXT NOT NULL,
    PRIMARY KEY (name, value, id)
) WITHOUT ROWID;
CREATE INDEX thing_lookup_id ON thing_lookup (id);
CREATE UNIQUE INDEX thing_lookup_unique ON thing_lookup (name, value) WHERE name IN ('emails.address');

CREATE TABLE gadget (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc TEXT NOT NULL CHECK (json_valid(doc))
);
CREATE INDEX gadget_owner ON gadget (owner_id, id);

CREATE TABLE things_journal (
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
CREATE INDEX things_journal_entity ON things_journal (entity_id, clock);

CREATE TABLE things_idempotency (
    key TEXT PRIMARY KEY,
    request TEXT NOT NULL,
    answer BLOB NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX things_idempotency_at ON things_idempotency (at);

CREATE TABLE part (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc TEXT NOT NULL CHECK (json_valid(doc))
);
CREATE INDEX part_owner ON part (owner_id, id);

CREATE TABLE parts_journal (
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
CREATE INDEX parts_journal_entity ON parts_journal (entity_id, clock);

CREATE TABLE parts_idempotency (
    key TEXT PRIMARY KEY,
    request TEXT NOT NULL,
    answer BLOB NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX parts_idempotency_at ON parts_idempotency (at);
