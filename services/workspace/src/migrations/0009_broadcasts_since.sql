-- Since when the workspace has sent to destinations without a break, and since when a destination has been enabled.
-- NULL: it does not, and it is not.
ALTER TABLE workspaces ADD COLUMN broadcasts_since timestamptz;
ALTER TABLE destinations ADD COLUMN enabled_since timestamptz;
