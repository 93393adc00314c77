import type { AskedQuestion } from '@sluice/analytics-model';
import type { QueryRequest } from '@sluice/protos/sluice/analytics/v1/analytics';

/** Returns the question of a message, as a client wrote it. */
export function askedOf(request: QueryRequest): AskedQuestion {
  const { metrics, dimensions, granularity, timeRange, orderBy, limit, groupLimit, asOf } = request;
  return {
    metrics,
    dimensions,
    granularity,
    time_range: timeRange,
    filters: request.filters.map(({ field, operator, values, isList, includeUnset }) => ({
      field,
      operator,
      value: isList ? values : (values[0] ?? ''),
      include_unset: includeUnset,
    })),
    order_by: orderBy,
    limit,
    group_limit: groupLimit,
    as_of: asOf,
  };
}
