import type { Piece } from '../profile/pieces.ts';

type Groups = Readonly<Record<string, readonly string[]>>;

/** The parts of a request in each process, and the pieces of code that do them. */
export const pieceGroups = {
  requests: {
    'HTTP, key, limits of rates, log': [
      'HTTP in: fastify',
      'gateway service',
      'libs/load-shedding',
      'log',
      'metrics and traces',
    ],
    'reading, guardrails, choice, answer': ['routing service', 'libs/inference'],
    'hold and model call': ['HTTP out: undici', 'upstream dialects', 'libs/spend'],
    'the usage fact on disk and on the bus': [
      'usage spool',
      'NATS client',
      'postgres client',
      'key service',
      'libs/usage-facts',
      'libs/protos',
    ],
  },
  books: {
    'the bus and reading facts': ['NATS client', 'libs/usage-facts', 'libs/protos'],
    'PostgreSQL client': ['postgres client'],
    ledger: ['ledger service'],
    analytics: ['analytics service', 'libs/analytics-model'],
    observer: ['observer service'],
  },
} as const satisfies Readonly<Record<string, Groups>>;

export type ProfiledProcess = keyof typeof pieceGroups;

const others = 'runtime, garbage collection, other code';

/**
 * Returns the microseconds of each part in a process.
 * @param us The processor time of a request in the process.
 */
export function groupPieces(
  name: ProfiledProcess,
  pieces: readonly Piece[],
  us: number,
): ReadonlyMap<string, number> {
  const groups: Groups = pieceGroups[name];
  const sums = new Map([...Object.keys(groups), others].map((group) => [group, 0]));
  for (const piece of pieces) {
    const group = Object.keys(groups).find((each) => groups[each]?.includes(piece.name)) ?? others;
    sums.set(group, (sums.get(group) ?? 0) + piece.share * us);
  }
  return sums;
}
