import type { StoreStanding } from '@sluice/es';

/** Reasons for readiness: an event store that is away or refuses, in the words of its last failure. */
export function standingReasons(standing: StoreStanding | undefined): readonly string[] {
  if (standing?.state !== 'away' && standing?.state !== 'refused') return [];
  const { state, sinceMs, reason } = standing;
  const since = new Date(sinceMs).toISOString();
  return [
    state === 'away'
      ? `the event store is away since ${since}: ${reason}`
      : `the event store refuses since ${since}: ${reason}`,
  ];
}
