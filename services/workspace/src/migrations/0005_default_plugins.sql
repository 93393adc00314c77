-- The settings of plugins in requests that do not name them.
ALTER TABLE workspaces ADD COLUMN default_plugins jsonb;
