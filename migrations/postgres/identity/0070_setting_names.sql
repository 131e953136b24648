-- A setting's name is unique within its owner and application. The fields themselves say so, in place of one made of
-- them.
DROP INDEX application_settings_full_name;
CREATE UNIQUE INDEX application_settings_name ON application_settings ((coalesce(doc->>'ownerId', '')), (coalesce(doc->>'applicationName', '')), (doc->>'name'));
