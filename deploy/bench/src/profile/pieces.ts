/** The fields of a V8 `--cpu-prof` file that are read here. */
export interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  /** For each sample, the id of the node that ran. */
  readonly samples: readonly number[];
  /** Microseconds between a sample and the one before. */
  readonly timeDeltas: readonly number[];
}

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string };
  readonly children?: readonly number[];
}

export interface Piece {
  readonly name: string;
  /** Fraction of the busy time, from 0 to 1. The shares of all pieces sum to 1. */
  readonly share: number;
}

/** The first half is start and warm-up. */
const leftOut = 0.5;

/**
 * Returns the share of the busy time of each piece of code, in descending order. Time in the runtime and its library
 * counts for the code that called them.
 */
export function piecesOf({ nodes, samples, timeDeltas }: CpuProfile): readonly Piece[] {
  const names = namesOf(nodes);
  const spent = new Map<string, number>();
  let all = 0;
  for (let index = Math.floor(samples.length * leftOut); index < samples.length; index++) {
    const name = names.get(samples[index] ?? -1);
    if (name === undefined) continue;
    const time = timeDeltas[index] ?? 0;
    spent.set(name, (spent.get(name) ?? 0) + time);
    all += time;
  }
  return [...spent]
    .map(([name, time]) => ({ name, share: time / all }))
    .toSorted((a, b) => b.share - a.share);
}

/** Maps each node id to the piece of code that its time counts for. Idle nodes have none. */
function namesOf(nodes: readonly ProfileNode[]): ReadonlyMap<number, string> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(
    nodes.flatMap(({ id, children = [] }) => children.map((one) => [one, id])),
  );
  const names = new Map<number, string>();
  for (const { id, callFrame } of nodes) {
    if (callFrame.functionName === '(idle)') continue;
    if (callFrame.functionName === '(garbage collector)') {
      names.set(id, 'garbage collection');
      continue;
    }
    let name: string | undefined;
    for (
      let at: number | undefined = id;
      at !== undefined && name === undefined;
      at = parents.get(at)
    )
      name = pieceOf(byId.get(at)?.callFrame.url ?? '');
    names.set(id, name ?? 'the runtime itself');
  }
  return names;
}

const packages: Readonly<Record<string, string>> = {
  pg: 'postgres client',
  'pg-protocol': 'postgres client',
  'pg-pool': 'postgres client',
  fastify: 'HTTP in: fastify',
  'find-my-way': 'HTTP in: fastify',
  'light-my-request': 'HTTP in: fastify',
  undici: 'HTTP out: undici',
  'sonic-boom': 'log',
};

/** Returns undefined for code of the runtime, whose time belongs to its caller. */
function pieceOf(url: string): string | undefined {
  const inPackage = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
  if (inPackage !== undefined) {
    if (inPackage.startsWith('@nats-io/')) return 'NATS client';
    if (inPackage.startsWith('@opentelemetry/')) return 'metrics and traces';
    return packages[inPackage] ?? `other packages`;
  }
  const [, tier, name] = /\/(libs|services|deploy)\/([^/]+)\//.exec(url) ?? [];
  if (tier === undefined || name === undefined) return undefined;
  if (tier === 'services') return `${name} service`;
  return ownPieces[name] ?? `libs/${name}`;
}

const ownPieces: Readonly<Record<string, string>> = {
  spool: 'usage spool',
  bus: 'NATS client',
  telemetry: 'metrics and traces',
  'read-model': 'postgres client',
  providers: 'upstream dialects',
};
