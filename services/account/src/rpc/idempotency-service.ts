import { isPlainId } from '@sluice/clock-and-ids';
import { invalidRequest, type Issue, rejectionToFault } from '@sluice/errors';
import { IdempotencyServiceService } from '@sluice/protos/sluice/account/v1/idempotency';
import type { Queryable } from '@sluice/read-model';
import { implement, type RpcService } from '@sluice/rpc';
import { type Begun, idempotencyRecords, type RequestId } from '../store/idempotency-records.ts';

const keyPattern = /^[\x20-\x7e]{1,255}$/;
const sha256Pattern = /^[0-9a-f]{64}$/;
const routePattern = /^[A-Z]{1,10} \/[\x21-\x7e]{0,1012}$/;
const sealedAnswerBytesMax = 66 * 1024;
/** Most requests are answered long before their attempt counts as dead. */
const retrySoonSeconds = 1;

/** Keeps answers by idempotency key in PostgreSQL, for every process and across crashes. */
export function idempotencyRpc(database: Queryable): RpcService {
  const records = idempotencyRecords(database);
  return implement(IdempotencyServiceService, {
    async beginRequest({ bodySha256, ...request }) {
      refuse([
        ...issuesOf(request),
        [sha256Pattern.test(bodySha256), 'body_sha256', 'must be 64 hexadecimal digits'],
      ]);
      return { outcome: outcomeOf(await records.begin(request, bodySha256)) };
    },
    async completeRequest({ attempt, status, sealedAnswer, ...request }) {
      const isSmall = sealedAnswer.length <= sealedAnswerBytesMax;
      refuse([
        ...issuesOf(request),
        [status >= 200 && status <= 599, 'status', 'must be 200 to 599'],
        [isSmall, 'sealed_answer', `must have at most ${sealedAnswerBytesMax} bytes`],
      ]);
      return { isKept: await records.complete(request, { attempt, status, sealedAnswer }) };
    },
    async abandonRequest({ attempt, mayBeDone, ...request }) {
      refuse(issuesOf(request));
      if (mayBeDone) await records.release(request, attempt);
      else await records.abandon(request, attempt);
      return {};
    },
  });
}

type Check = readonly [isValid: boolean, path: string, message: string];

function issuesOf({ accountId, route, idempotencyKey }: RequestId): readonly Check[] {
  return [
    [isPlainId(accountId), 'account_id', 'must be an id'],
    [routePattern.test(route), 'route', 'must be a method and a path'],
    [keyPattern.test(idempotencyKey), 'idempotency_key', 'must be 1 to 255 printable characters'],
  ];
}

function refuse(checks: readonly Check[]): void {
  const issues: readonly Issue[] = checks.flatMap(([isValid, path, message]) =>
    isValid ? [] : [{ path, message }],
  );
  if (issues.length > 0) throw rejectionToFault(invalidRequest(issues));
}

function outcomeOf(begun: Begun) {
  switch (begun.outcome) {
    case 'fresh':
      return { $case: 'fresh', value: { attempt: begun.attempt } } as const;
    case 'in_progress':
      return { $case: 'inProgress', value: { retryAfterSeconds: retrySoonSeconds } } as const;
    case 'mismatch':
      return { $case: 'mismatch', value: {} } as const;
    case 'answered': {
      const { status, sealedAnswer } = begun;
      return { $case: 'answered', value: { status, sealedAnswer } } as const;
    }
  }
}
