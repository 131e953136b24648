-- The indexes of e-mail addresses in the form in which they are asked for.

DROP INDEX email_addresses_address;
DROP INDEX email_addresses_sign_in_address;
CREATE INDEX email_addresses_address ON email_addresses (lower(doc->>'address'), id);
CREATE INDEX email_addresses_sign_in_address ON email_addresses (lower(doc->>'signInAddress'), id);
