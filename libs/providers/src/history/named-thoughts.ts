import type { StreamPart } from '@sluice/inference';
import type { HistoryNeeds } from './history-needs.ts';

/**
 * Names the format of each thought when it begins. Clients keep the format that they read first, and drop thoughts
 * without a format.
 */
export function namedThoughts(
  parts: readonly StreamPart[],
  { thoughtFormat: format }: HistoryNeeds,
): readonly StreamPart[] {
  if (format === undefined || !parts.some(isThought)) return parts;
  return parts.map((part) => (isThought(part) ? { format, ...part } : part));
}

function isThought({ type }: StreamPart): boolean {
  return type === 'reasoning-start';
}
