import type { Queryable } from '@sluice/read-model';

/** The state of a destination, for the gauges. */
export interface Standing {
  readonly destinationId: string;
  readonly isFailing: boolean;
  /** The end of the oldest generation that it has not handled. Null: it has handled all. */
  readonly oldestAt: Date | null;
  readonly deadLetters: bigint;
}

/** Reads the state of all active destinations. */
export async function readStandings(connection: Queryable): Promise<readonly Standing[]> {
  return await connection.query<Standing & Record<string, unknown>>({
    text: `SELECT destination_id AS "destinationId", attempts > 0 AS "isFailing",
        CASE WHEN last_seq > position THEN (SELECT finished_at FROM generations
          WHERE generations.workspace_id = deliveries.workspace_id AND seq > position
          ORDER BY seq LIMIT 1) END AS "oldestAt",
        (SELECT count(*) FROM dead_letters
          WHERE dead_letters.destination_id = deliveries.destination_id) AS "deadLetters"
      FROM deliveries LEFT JOIN workspace_ends USING (workspace_id) WHERE is_active`,
    values: [],
  });
}
