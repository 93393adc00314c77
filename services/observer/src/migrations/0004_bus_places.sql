-- How far the observer has come in each stream of the bus. A broker that lost its disk has another stream there, or one
-- that ends before this place.
CREATE TABLE bus_places (
  stream text COLLATE "C" PRIMARY KEY,
  created text COLLATE "C" NOT NULL,
  last_sequence bigint NOT NULL,
  pending bigint NOT NULL
);
