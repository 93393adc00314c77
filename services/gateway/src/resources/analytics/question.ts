import { invalidRequest, rejectionToFault } from '@sluice/errors';
import type { QueryRequest } from '@sluice/protos/sluice/analytics/v1/analytics';
import type { AnalyticsQueryBody } from './schema.ts';

type Asked = Omit<AnalyticsQueryBody, 'metrics'> & Partial<Pick<AnalyticsQueryBody, 'metrics'>>;

/** Throws invalid_request: no account has a classifier. */
export function requireNoClassifier(body: Asked): void {
  for (const path of ['classifier_dimensions', 'classifier_filters'] as const)
    if (body[path] !== undefined)
      throw rejectionToFault(invalidRequest([{ path, message: 'No active classifier' }]));
}

/** Returns the question of a body as analytics takes it. */
export function requestOf(accountId: string, body: Asked): QueryRequest {
  return {
    accountId,
    metrics: body.metrics ?? [],
    dimensions: body.dimensions ?? [],
    granularity: body.granularity,
    timeRange: body.time_range,
    filters: (body.filters ?? []).map(({ field, operator, value, include_unset }) => ({
      field,
      operator,
      values: (Array.isArray(value) ? value : [value]).map(String),
      isList: Array.isArray(value),
      includeUnset: include_unset,
    })),
    orderBy: body.order_by,
    limit: body.limit,
    groupLimit: body.group_limit,
    asOf: body.as_of,
  };
}
