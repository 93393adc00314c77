import type { Position } from '@sluice/es';
import type { Database } from '../database.ts';
import { RebuildRefused } from '../rebuild/refused.ts';

/** Moves the checkpoint of a reaction back, so that it receives the events after the position again. */
export async function rewindReaction(
  database: Database,
  reaction: string,
  to: Position | 'start',
): Promise<void> {
  const rewound = await database.query(
    to === 'start'
      ? {
          text: 'DELETE FROM checkpoints WHERE projection = $1 RETURNING projection',
          values: [reaction],
        }
      : {
          text: `UPDATE checkpoints SET commit_position = $2, prepare_position = $3,
                   last_event = NULL, rebuilds = rebuilds + 1, updated_at = now()
                 WHERE projection = $1 AND (commit_position, prepare_position) > ($2, $3)
                 RETURNING projection`,
          values: [reaction, to.commit, to.prepare],
        },
  );
  await database.query({
    text: 'DELETE FROM standstills WHERE projection = $1',
    values: [reaction],
  });
  if (rewound.length === 0)
    throw new RebuildRefused(
      `${reaction} has not come as far as that: there is nothing to rewind.`,
    );
}
