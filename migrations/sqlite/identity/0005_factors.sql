-- What identities prove themselves with besides their passwords.

CREATE TABLE factors (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc TEXT NOT NULL CHECK (json_valid(doc))
);
CREATE INDEX factors_owner ON factors (owner_id, id);

CREATE TABLE factor_sets (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc TEXT NOT NULL CHECK (json_valid(doc))
);
CREATE INDEX factor_sets_owner ON factor_sets (owner_id, id);
