import type { Queryable } from '@sluice/read-model';

export interface RequestId {
  readonly accountId: string;
  readonly route: string;
  readonly idempotencyKey: string;
}

export type Begun =
  | { readonly outcome: 'fresh'; readonly attempt: number }
  | { readonly outcome: 'in_progress' }
  | { readonly outcome: 'mismatch' }
  | { readonly outcome: 'answered'; readonly status: number; readonly sealedAnswer: Buffer };

/** Keeps each request by its idempotency key, with its answer, for 24 hours. */
export interface IdempotencyRecords {
  /** Among concurrent calls for the same request, exactly one is `fresh`. */
  begin(request: RequestId, bodySha256: string): Promise<Begun>;
  /** False: another attempt stands in the place of this one. */
  complete(request: RequestId, answered: AnsweredAttempt): Promise<boolean>;
  /** Lets the same request, with the same body, begin anew at once, unless it was completed. */
  release(request: RequestId, attempt: number): Promise<void>;
  /** Forgets the attempt unless it was completed. */
  abandon(request: RequestId, attempt: number): Promise<void>;
}

export interface AnsweredAttempt {
  readonly attempt: number;
  readonly status: number;
  readonly sealedAnswer: Buffer;
}

/** No request is carried out for longer: the process of an older attempt has died. */
const attemptSecondsMax = 30;
const retentionHours = 24;
/** The oldest records go first: a client that has sent so many newer ones will not repeat them. */
const recordsPerAccountMax = 10_000;
const sweptMax = 1_000;
const readsMax = 3;

export function idempotencyRecords(database: Queryable): IdempotencyRecords {
  return {
    async begin(request, bodySha256) {
      for (let read = 1; ; read++) {
        const attempt = await insert(database, request, bodySha256);
        if (attempt !== undefined) {
          await sweep(database, request.accountId);
          return { outcome: 'fresh', attempt };
        }
        const stored = await find(database, request);
        // The conflicting record is gone: its attempt was abandoned just now.
        if (stored === undefined && read < readsMax) continue;
        if (stored === undefined) return { outcome: 'in_progress' };
        if (stored.bodySha256 !== bodySha256) return { outcome: 'mismatch' };
        const { status, answer } = stored;
        if (status === null || answer === null) return { outcome: 'in_progress' };
        return { outcome: 'answered', status, sealedAnswer: Buffer.from(answer, 'base64') };
      }
    },
    async complete(request, { attempt, status, sealedAnswer }) {
      const answer = sealedAnswer.toString('base64');
      const completed = await database.query({
        name: 'complete-idempotency-record',
        text: `UPDATE idempotency_records SET status = $5, sealed_answer = decode($6, 'base64')
               WHERE account_id = $1 AND route = $2 AND idempotency_key = $3
                 AND attempt = $4 AND status IS NULL RETURNING attempt`,
        values: [...idOf(request), attempt, status, answer],
      });
      return completed.length > 0;
    },
    async release(request, attempt) {
      await database.query({
        name: 'release-idempotency-record',
        // Makes the record as old as an attempt whose process has died.
        text: `UPDATE idempotency_records
               SET begun_at = least(begun_at, now() - make_interval(secs => $5 + 1))
               WHERE account_id = $1 AND route = $2 AND idempotency_key = $3
                 AND attempt = $4 AND status IS NULL`,
        values: [...idOf(request), attempt, attemptSecondsMax],
      });
    },
    async abandon(request, attempt) {
      await database.query({
        name: 'abandon-idempotency-record',
        text: `DELETE FROM idempotency_records
               WHERE account_id = $1 AND route = $2 AND idempotency_key = $3
                 AND attempt = $4 AND status IS NULL`,
        values: [...idOf(request), attempt],
      });
    },
  };
}

const idOf = ({ accountId, route, idempotencyKey }: RequestId) =>
  [accountId, route, idempotencyKey] as const;

/** The number of the new attempt; undefined when a record stands in the way. */
async function insert(
  database: Queryable,
  request: RequestId,
  bodySha256: string,
): Promise<number | undefined> {
  const [begun] = await database.query<{ attempt: number }>({
    name: 'begin-idempotency-record',
    text: `INSERT INTO idempotency_records AS record
             (account_id, route, idempotency_key, body_sha256, attempt)
           VALUES ($1, $2, $3, $4, 1)
           ON CONFLICT (account_id, route, idempotency_key) DO UPDATE
             SET body_sha256 = EXCLUDED.body_sha256, attempt = record.attempt + 1,
                 status = NULL, sealed_answer = NULL, begun_at = now()
             WHERE record.begun_at < now() - make_interval(hours => $6)
                OR (record.status IS NULL AND record.body_sha256 = EXCLUDED.body_sha256
                    AND record.begun_at < now() - make_interval(secs => $5))
           RETURNING attempt`,
    values: [...idOf(request), bodySha256, attemptSecondsMax, retentionHours],
  });
  return begun?.attempt;
}

interface StoredRecord {
  readonly bodySha256: string;
  readonly status: number | null;
  /** In base 64. */
  readonly answer: string | null;
}

async function find(database: Queryable, request: RequestId): Promise<StoredRecord | undefined> {
  const [stored] = await database.query<StoredRecord>({
    name: 'find-idempotency-record',
    text: `SELECT body_sha256 AS "bodySha256", status, encode(sealed_answer, 'base64') AS answer
           FROM idempotency_records
           WHERE account_id = $1 AND route = $2 AND idempotency_key = $3`,
    values: idOf(request),
  });
  return stored;
}

/** Removes the expired records of all accounts, and the excess records of this account. */
async function sweep(database: Queryable, accountId: string): Promise<void> {
  await database.query({
    name: 'sweep-idempotency-records',
    text: `DELETE FROM idempotency_records WHERE ctid = ANY (ARRAY(
             (SELECT ctid FROM idempotency_records
              WHERE begun_at < now() - make_interval(hours => $2) LIMIT $4)
             UNION ALL
             (SELECT ctid FROM idempotency_records WHERE account_id = $1
              ORDER BY begun_at DESC OFFSET $3 LIMIT $4)))`,
    values: [accountId, retentionHours, recordsPerAccountMax, sweptMax],
  });
}
