import type { EndpointStatistics } from '../health/endpoint-health.ts';

export type { EndpointStatistics };

/** Finds the statistics of an endpoint by its id. Returns undefined if nothing is known of it. */
export type StatisticsOf = (endpointId: string) => EndpointStatistics | undefined;
