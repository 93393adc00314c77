import { parseQuestion, type Question, type DimensionName } from '@sluice/analytics-model';
import type { Clock } from '@sluice/clock-and-ids';
import { invalidRequest, rejectionToFault } from '@sluice/errors';
import {
  AnalyticsServiceService,
  QueryRequest,
  type RebuildRequest,
  type RebuildResponse,
  type VerifyRequest,
  type VerifyResponse,
} from '@sluice/protos/sluice/analytics/v1/analytics';
import { implement, type RpcService } from '@sluice/rpc';
import { AnswerCache } from './answer-cache.ts';
import { askedOf } from './asked-question.ts';
import type { AnalyticsStore, AnswerRow } from '../store/analytics-store.ts';

export function analyticsRpc(
  store: AnalyticsStore,
  clock: Clock,
  others: {
    readonly verify: (request: VerifyRequest) => Promise<VerifyResponse>;
    readonly rebuild: (request: RebuildRequest) => Promise<RebuildResponse>;
  },
): RpcService {
  const cache = new AnswerCache(clock);
  return implement(AnalyticsServiceService, {
    ...others,
    async query(request) {
      const now = clock.now();
      const parsed = parseQuestion(askedOf(request), now);
      if ('issues' in parsed) throw rejectionToFault(invalidRequest(parsed.issues));
      const { question } = parsed;
      const isOfNow =
        question.asOfMs === undefined && question.endMs > now.getTime() - usageOfNowMs;
      const { answer, cachedAtMs, tookMs } = await cache.answer(
        { key: keyOf(request), isOfNow },
        () => store.answer(request.accountId, question),
      );
      return {
        rows: JSON.stringify(answer.rows.map((row) => shownRow(row, question))),
        rowCount: BigInt(answer.rows.length),
        truncated: answer.truncated,
        warnings: [...answer.warnings],
        queryTimeMs: cachedAtMs === undefined ? tookMs : 0,
        cachedAtMs: cachedAtMs === undefined ? undefined : BigInt(cachedAtMs),
      };
    },
  });
}

/** Nearly all usage is counted so long after its admission. */
const usageOfNowMs = 600_000;

/** Questions with the same key have the same answer at one time: their default range ends now. */
const keyOf = (request: QueryRequest) => JSON.stringify(QueryRequest.toJSON(request));

function shownRow(row: AnswerRow, { granularity, dimensions }: Question): object {
  const shown: Record<string, unknown> = {};
  if (granularity) shown[`date__${granularity}`] = row.at?.toISOString();
  for (const name of dimensions) {
    shown[name] = row.dimensions[name] ?? null;
    if (hasEmail(name)) shown[`${name}_email`] = row.emails[name] ?? null;
  }
  return Object.assign(shown, row.metrics);
}

const hasEmail = (name: DimensionName) => name === 'user';
