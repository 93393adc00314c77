import { parseFoldedState, type Queryable } from '@sluice/read-model';

export interface FoundKeyState {
  /** If undefined, the read model holds no such key. */
  readonly key: { readonly state: unknown; readonly revision: bigint } | undefined;
  /** Milliseconds since a command noted that hash; undefined if none did. */
  readonly attemptAgeMs: number | undefined;
  /** The number of the history of the log that is in force. */
  readonly histories: number;
}

interface Row {
  readonly state: string | null;
  readonly revision: bigint | null;
  readonly attemptAgeMs: number | null;
  readonly histories: number;
}

/** Finds the key of a hash in any account, since the caller knows only the key. */
export async function findKeyState(readModel: Queryable, hash: string): Promise<FoundKeyState> {
  const [row] = await readModel.query<Row>({
    name: 'find-key-state',
    // A command of a history that is no longer in force has left no key.
    text: `SELECT found.state::text AS state, found.revision, attempt."ageMs" AS "attemptAgeMs",
             known.histories
           FROM known_log AS known
           LEFT JOIN key_states AS found ON found.id = $1
           LEFT JOIN LATERAL (
             SELECT min(extract(epoch FROM now() - noted_at) * 1000)::float8 AS "ageMs"
             FROM issue_attempts WHERE hash = $1 AND found.id IS NULL
               AND noted_at > coalesce(known.accepted_at, '-infinity')) AS attempt ON true`,
    values: [hash],
  });
  const { state = null, revision = null, attemptAgeMs = null, histories = 0 } = row ?? {};
  const isFound = state !== null && revision !== null;
  return {
    key: isFound ? { state: parseFoldedState(state), revision } : undefined,
    attemptAgeMs: attemptAgeMs ?? undefined,
    histories,
  };
}
