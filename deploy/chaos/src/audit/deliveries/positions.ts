import type { Queryable } from '@sluice/read-model';

/** The standing of a destination, read past the observer. */
export interface Position {
  readonly id: string;
  readonly backlog: bigint;
  readonly lost: bigint;
  readonly deadLetters: bigint;
  /** Dead letters wait to be sent again. */
  readonly isReplaying: boolean;
}

/** Returns the position of each destination that the observer knows. */
export async function readPositions(observer: Queryable): Promise<readonly Position[]> {
  return await observer.query<Position & Record<string, unknown>>({
    text: `SELECT destination_id AS id, lost, is_replaying AS "isReplaying",
        (SELECT count(*) FROM generations WHERE seq > position) AS backlog,
        (SELECT count(*) FROM dead_letters WHERE dead_letters.destination_id = deliveries.destination_id)
          AS "deadLetters"
      FROM deliveries WHERE is_active ORDER BY 1`,
    values: [],
  });
}

/** Returns the losses and dead letters, in sentences. */
export function lossesOf(positions: readonly Position[]): readonly string[] {
  return positions
    .filter(({ lost, deadLetters }) => lost > 0n || deadLetters > 0n)
    .map(({ id, lost, deadLetters }) => `${id}: ${lost} lost, ${deadLetters} dead letters`);
}
