import type { EndpointStatistics } from '../health/endpoint-health.ts';

export type { EndpointStatistics };

/** By the id of an endpoint; undefined: nothing is known of it. */
export type StatisticsOf = (endpointId: string) => EndpointStatistics | undefined;
