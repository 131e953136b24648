-- Messages to people: what is to be delivered, and what became of it.

CREATE TABLE notices (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc TEXT NOT NULL CHECK (json_valid(doc))
);
CREATE INDEX notices_owner ON notices (owner_id, id);
CREATE INDEX notices_status ON notices (status, id);
