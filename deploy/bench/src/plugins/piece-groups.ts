import type { Piece } from '../profile/pieces.ts';

/** The parts of a request, and the pieces of code that do them. */
const groups = {
  'HTTP, key, limits of rates, log': [
    'HTTP in: fastify',
    'gateway service',
    'libs/load-shedding',
    'log',
    'metrics and traces',
  ],
  'reading, guardrails, choice, answer': ['routing service', 'libs/inference'],
  'hold and model call': ['HTTP out: undici', 'upstream dialects', 'libs/spend'],
  'the usage fact on disk, on the bus and in all books': [
    'usage spool',
    'NATS client',
    'postgres client',
    'ledger service',
    'analytics service',
    'observer service',
    'key service',
    'libs/usage-facts',
    'libs/protos',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

const others = 'runtime, garbage collection, other code';

export const pieceGroups: readonly string[] = [...Object.keys(groups), others];

const groupOf = new Map<string, string>(
  Object.entries(groups).flatMap(([group, names]) => names.map((name) => [name, group] as const)),
);

/** Sums the pieces of each group. `us`: the processor time of a request in microseconds. */
export function groupPieces(pieces: readonly Piece[], us: number): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { name, share } of pieces) {
    const group = groupOf.get(name) ?? others;
    sums.set(group, (sums.get(group) ?? 0) + share * us);
  }
  return sums;
}
