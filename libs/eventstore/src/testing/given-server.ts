/** `ESDB_URL` puts a running server in the place of the embedded node. */
export const givenUrl = process.env['ESDB_URL'] || undefined;

/** A client of a cluster finds its members by itself: nothing can be put in front of them. */
export const namesSeveralHosts = givenUrl !== undefined && /\/\/[^/?]*,/.test(givenUrl);
