import { type FilterSet, planStream, type StreamPlan } from '@sluice/content-filter';

/** Finds how the custom filters of a set follow a stream. */
export function work(set: FilterSet): StreamPlan {
  return planStream(set);
}
