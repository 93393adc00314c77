import type { IdempotencyCalls } from '../clients/calls.ts';

export interface InMemoryIdempotency {
  readonly calls: IdempotencyCalls;
  /** Returns all that is stored, to search it for secrets. */
  readonly kept: () => Buffer;
  readonly beginnings: () => number;
  /** The attempts under way count as dead. */
  readonly forgetAttempts: () => void;
}

interface Kept {
  readonly bodySha256: string;
  readonly attempt: number;
  answer?: { readonly status: number; readonly sealedAnswer: Buffer };
  isDead?: boolean;
}

/** The account service's idempotency calls over a map. */
export function inMemoryIdempotency(): InMemoryIdempotency {
  const records = new Map<string, Kept>();
  let beginnings = 0;
  const idOf = (request: { accountId: string; route: string; idempotencyKey: string }) =>
    `${request.accountId} ${request.route} ${request.idempotencyKey}`;
  const calls: IdempotencyCalls = {
    async beginRequest({ bodySha256, ...request }) {
      beginnings++;
      const record = records.get(idOf(request));
      const isAnother = record !== undefined && record.bodySha256 !== bodySha256;
      if (record === undefined || (record.isDead && !isAnother)) {
        const attempt = (record?.attempt ?? 0) + 1;
        records.set(idOf(request), { bodySha256, attempt });
        return { outcome: { $case: 'fresh', value: { attempt } } };
      }
      if (isAnother) return { outcome: { $case: 'mismatch', value: {} } };
      if (record.answer) return { outcome: { $case: 'answered', value: record.answer } };
      return { outcome: { $case: 'inProgress', value: { retryAfterSeconds: 1 } } };
    },
    async completeRequest({ attempt, status, sealedAnswer, ...request }) {
      const record = records.get(idOf(request));
      const isKept = record?.attempt === attempt && record.answer === undefined;
      if (isKept) record.answer = { status, sealedAnswer };
      return { isKept };
    },
    async abandonRequest({ attempt, mayBeDone, ...request }) {
      const record = records.get(idOf(request));
      if (record?.attempt !== attempt || record.answer) return {};
      if (mayBeDone) record.isDead = true;
      else records.delete(idOf(request));
      return {};
    },
  };
  return {
    calls,
    kept: () =>
      Buffer.concat([...records.values()].map(({ answer }) => answer?.sealedAnswer ?? Buffer.of())),
    beginnings: () => beginnings,
    forgetAttempts() {
      for (const record of records.values()) if (!record.answer) record.isDead = true;
    },
  };
}
