-- Entitlements are found by the day on which they end by themselves.

CREATE INDEX entitlements_lookup_prefix ON entitlements_lookup (name, value COLLATE "C", id);

INSERT INTO entitlements_lookup (name, value, id)
SELECT 'due_to_end_on', to_char((doc->>'endsOn')::date + 1, 'YYYY-MM-DD'), id
FROM entitlements
WHERE status IN ('ACTIVE', 'SUSPENDED') AND (doc->>'endsOn')::date IS NOT NULL;
