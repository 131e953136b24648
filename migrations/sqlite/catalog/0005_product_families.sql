-- Product families, and the family of a product.

CREATE TABLE product_families (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc TEXT NOT NULL CHECK (json_valid(doc))
);
CREATE INDEX product_families_owner ON product_families (owner_id, id);
CREATE INDEX product_families_kind ON product_families ((doc->>'kind'), id);
CREATE UNIQUE INDEX product_families_internal_name ON product_families (lower(doc->>'internalName'));

CREATE TABLE product_families_journal (
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
CREATE INDEX product_families_journal_entity ON product_families_journal (entity_id, clock);

CREATE TABLE product_families_idempotency (
    key TEXT PRIMARY KEY,
    request TEXT NOT NULL,
    answer BLOB NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX product_families_idempotency_at ON product_families_idempotency (at);

CREATE INDEX products_product_family_id ON products ((doc->>'productFamilyId'), id);
