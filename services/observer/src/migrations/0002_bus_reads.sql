-- One row: when the observer last read the bus. After a longer absence than the bus keeps messages, some are gone.
CREATE TABLE bus_reads (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  last_at timestamptz NOT NULL
);
