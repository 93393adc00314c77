import type { BuiltinSlug, FilterSet } from './filter.ts';

/** Scanning takes too long for the place where it is done. */
export class TooCostly extends Error {
  constructor() {
    super('the scan takes too long here');
    this.name = 'TooCostly';
  }
}

/**
 * Nanoseconds per character in the worst of the texts that `make bench-filters` tries, with room to spare. It prints
 * the measured figures beside these.
 */
export const nanosecondsPerCharacter: Readonly<Record<BuiltinSlug, number>> = {
  email: 150,
  phone: 600,
  ssn: 100,
  'credit-card': 150,
  'ip-address': 175,
  secrets: 300,
  'person-name': 1_200,
  address: 350,
  'regex-prompt-injection': 600,
};
/** Nanoseconds for one instruction of custom patterns and one character, in the worst case. */
export const nanosecondsPerStep = 40;

/** Returns the microseconds that custom patterns take at most. */
export function stepCostUs(instructions: number, characters: number): number {
  return (instructions * characters * nanosecondsPerStep) / 1_000;
}

/** Returns the microseconds that a scan takes at most, unless a text is worse than all that we tried. */
export function scanCostUs(
  { builtin }: FilterSet,
  instructions: number,
  characters: number,
): number {
  const perCharacter = builtin.reduce((sum, { slug }) => sum + nanosecondsPerCharacter[slug], 0);
  return (perCharacter * characters) / 1_000 + stepCostUs(instructions, characters);
}
