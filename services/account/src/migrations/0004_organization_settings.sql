ALTER TABLE accounts
  ADD COLUMN is_filtered_model_catalog_enabled boolean NOT NULL DEFAULT false,
  ADD COLUMN is_scim_enabled boolean NOT NULL DEFAULT true;
