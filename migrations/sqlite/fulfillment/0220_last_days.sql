-- Entitlements are found by the day on which they end by themselves.

INSERT INTO entitlements_lookup (name, value, id)
SELECT 'due_to_end_on', date(doc->>'endsOn', '+1 day'), id
FROM entitlements
WHERE status IN ('ACTIVE', 'SUSPENDED') AND date(doc->>'endsOn', '+1 day') <> '';
