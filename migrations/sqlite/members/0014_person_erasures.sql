-- Erasures of people. Their journal is that of profiles.

CREATE TABLE person_erasures (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc TEXT NOT NULL CHECK (json_valid(doc))
);
CREATE INDEX person_erasures_owner ON person_erasures (owner_id, id);
CREATE INDEX person_erasures_status ON person_erasures (status, id);
CREATE INDEX person_erasures_due_to_start_at ON person_erasures ((rtrim(coalesce(doc->>'dueToStartAt', ''), 'Z')), id);
