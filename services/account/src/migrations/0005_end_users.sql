-- End users that organizations have registered; compared and ordered byte by byte.
CREATE TABLE end_users (
  account_id text NOT NULL,
  end_user text COLLATE "C" NOT NULL,
  is_active boolean NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, end_user)
);
