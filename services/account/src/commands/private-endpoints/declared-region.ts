import { invalidValue } from '@sluice/errors';
import type { DeclaredRegion } from '../../domain/private-endpoints/events.ts';
import { declaredRegions } from '../../domain/private-endpoints/values.ts';

/** Throws invalid_request for a text that is no region. */
export function regionOf(text: string | null): DeclaredRegion | null {
  if (text === null) return null;
  const region = declaredRegions.find((known) => known === text);
  if (region) return region;
  throw invalidValue('declared_region', `must be one of ${declaredRegions.join(', ')}, or null`);
}
