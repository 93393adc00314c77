-- The account is in the beta of the plugin alignment.
ALTER TABLE accounts ADD COLUMN is_alignment_enabled boolean NOT NULL DEFAULT false;
