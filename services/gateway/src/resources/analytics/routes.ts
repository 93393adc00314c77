import {
  dimensionNames,
  dimensionOf,
  granularities,
  granularityNames,
  metricNames,
  metricOf,
  operatorNames,
  operators,
  parseQuestion,
} from '@sluice/analytics-model';
import type { Clock } from '@sluice/clock-and-ids';
import { Fault, invalidRequest, rejectionToFault } from '@sluice/errors';
import type { Static } from 'typebox';
import type { AnalyticsCalls } from '../../clients/calls.ts';
import type { App } from '../../http/app-types.ts';
import { callerOf } from '../../http/caller.ts';
import { requestOf, requireNoClassifier } from './question.ts';
import {
  analyticsMetaReply,
  type analyticsMetaView,
  analyticsQueryBody,
  analyticsReply,
  type analyticsRow,
} from './schema.ts';

export interface AnalyticsRouteDependencies {
  /** Undefined where there is no analytics service. */
  readonly analytics: AnalyticsCalls | undefined;
  readonly clock: Clock;
}

/** Serves questions about the usage of the caller's account, and what can be asked. */
export function analyticsRoutes(app: App, { analytics, clock }: AnalyticsRouteDependencies): void {
  app.route({
    method: 'GET',
    url: '/v1/analytics/meta',
    config: { auth: 'management', errors: [] },
    schema: {
      operationId: 'getAnalyticsMeta',
      summary: 'Read the metrics, dimensions, operators and granularities of queries',
      response: { 200: analyticsMetaReply },
    },
    handler: async () => ({ data: meta }),
  });
  app.route({
    method: 'POST',
    url: '/v1/analytics/query',
    config: { auth: 'management', rate: 'analytics', errors: [400] },
    schema: {
      operationId: 'queryAnalytics',
      summary: 'Ask a question about usage',
      body: analyticsQueryBody,
      response: { 200: analyticsReply },
    },
    handler: async (request) => {
      const { accountId } = callerOf(request);
      const { body } = request;
      const parsed = parseQuestion(body, clock.now());
      if ('issues' in parsed) throw rejectionToFault(invalidRequest(parsed.issues));
      requireNoClassifier(body);
      if (!analytics)
        throw new Fault('unavailable', { message: 'There is no analytics service here' });
      const answer = await analytics.query(requestOf(accountId, body));
      return {
        data: {
          data: JSON.parse(answer.rows) as Static<typeof analyticsRow>[],
          metadata: {
            query_time_ms: answer.queryTimeMs,
            row_count: Number(answer.rowCount),
            truncated: answer.truncated,
          },
          ...(answer.cachedAtMs !== undefined && { cachedAt: Number(answer.cachedAtMs) }),
          ...(answer.warnings.length > 0 && { warnings: answer.warnings }),
        },
      };
    },
  });
}

const meta: Static<typeof analyticsMetaView> = {
  metrics: metricNames.map((name) => {
    const { label, isRate, format } = metricOf(name);
    return { name, display_label: label, is_rate: isRate, display_format: format };
  }),
  dimensions: dimensionNames.map((name) => ({ name, display_label: dimensionOf(name).label })),
  operators: operatorNames.map((name) => ({ name, value_type: operators[name].valueType })),
  granularities: granularityNames.map((name) => ({
    name,
    display_label: granularities[name].label,
  })),
};
