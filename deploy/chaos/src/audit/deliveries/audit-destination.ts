import type { Taken } from './taken.ts';

/** The deliveries that a destination must get. */
export interface Wanted {
  readonly name: string;
  readonly expected: ReadonlySet<string>;
  /** It may get other generations, too. */
  readonly mayGetOthers?: boolean;
  /** Returns whether a generation comes with contents. Undefined: with them or without. */
  readonly contentsOf: (id: string) => boolean | undefined;
}

/** The differences between what a destination got and what it must get. */
export interface Audited {
  readonly findings: readonly string[];
  readonly delivered: number;
  /** Number of deliveries after the first one of the same generation. */
  readonly repeated: number;
}

const namesMax = 5;

/** Compares what a destination got with what it must get: as sets, with their contents. */
export function auditDestination(
  { name, expected, mayGetOthers = false, contentsOf }: Wanted,
  taken: readonly Taken[],
): Audited {
  const first = firstsOf(taken);
  const missing = [...expected].filter((id) => !first.has(id));
  const unexpected = mayGetOthers ? [] : [...first.keys()].filter((id) => !expected.has(id));
  const wrong = [...first.values()].filter(
    ({ id, hasContents }) => hasContents !== (contentsOf(id) ?? hasContents),
  );
  const findings = [
    ...told(missing, `${name} misses`),
    ...told(unexpected, `${name} got but must not get`),
    ...told(
      wrong.map(({ id }) => id),
      `${name} got with the wrong contents`,
    ),
  ];
  return { findings, delivered: first.size, repeated: taken.length - first.size };
}

/** Returns a finding if one destination first got two generations in another order than the other one did. */
export function auditOrder(
  left: { readonly name: string; readonly taken: readonly Taken[] },
  right: { readonly name: string; readonly taken: readonly Taken[] },
): readonly string[] {
  const [ofLeft, ofRight] = [firstsOf(left.taken), firstsOf(right.taken)];
  const order = [...ofLeft.keys()].filter((id) => ofRight.has(id));
  const other = [...ofRight.keys()].filter((id) => ofLeft.has(id));
  const at = order.findIndex((id, index) => id !== other[index]);
  if (at < 0) return [];
  return [`${left.name} and ${right.name} differ in their order from ${order[at]} on`];
}

function firstsOf(taken: readonly Taken[]): ReadonlyMap<string, Taken> {
  const firsts = new Map<string, Taken>();
  for (const one of taken) if (!firsts.has(one.id)) firsts.set(one.id, one);
  return firsts;
}

function told(ids: readonly string[], what: string): readonly string[] {
  if (ids.length === 0) return [];
  return [`${what} ${ids.length} generations: ${ids.slice(0, namesMax).join(', ')}`];
}
