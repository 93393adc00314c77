/**
 * Seeds that every run goes through first: each found something once, in the code or in a mutant, and is
 * kept for it.
 */
export const regressions: readonly { readonly seed: number; readonly found: string }[] = [
  {
    seed: 11,
    found: 'a request admitted before midnight that the auditor took for one of the next day',
  },
  { seed: 15, found: 'leases of a dead epoch that were freed before its usage was counted' },
  { seed: 30, found: 'usage that was acknowledged before it was on the disk' },
  {
    seed: 77,
    found:
      'an own credential’s provider that gave up after the client had left, taken for a whole answer',
  },
];
