import type { Tally } from '../../load/probes.ts';

/** Frozen: connections stay open and nothing answers. Killed: connections are refused. */
export const hows = ['frozen', 'killed', 'postgres-frozen', 'postgres-killed'] as const;
export type StoreAwayHow = (typeof hows)[number];
export const isPostgres = (how: StoreAwayHow): boolean => how.startsWith('postgres');

export type Tallies = Readonly<Record<'inference' | 'questions' | 'writes', Tally>>;

export interface Outcome extends Tallies {
  readonly how: StoreAwayHow;
  /** The requests that were sent before the store went away. */
  readonly before: Tallies;
  /** Commands that began while an election could still have been going on. */
  readonly firstWrites: Tally;
  /** From the moment when the store accepts connections until a command is carried out. */
  readonly recoveryMs: number;
  /** The most at any look: charged, in suspense and on lease, beyond the limits. */
  readonly overspendNanoUsd: bigint;
  /** Number of looks at the limits. */
  readonly capLooks: number;
}

/** A command that begins so early may wait for the end of an election: the store is not yet known to be away. */
export const undecidedMs = 3_500;
/** A command has 5 s, and 250 ms of them are for its answer. */
const firstWriteMsMax = 5_000;
const writeMsMax = 1_000;
const recoveryMsMax = 2_000;
const lateMsMax = 1_000;

/** Returns a sentence for each promise that was not kept. */
export function judge(outcome: Outcome): readonly string[] {
  const { how, before, firstWrites, writes, recoveryMs, overspendNanoUsd, capLooks } = outcome;
  const findings = [...failuresOf('before', before), ...failuresOf(how, outcome)];
  findings.push(...failuresOf(how, { writes: firstWrites }));
  if (overspendNanoUsd > 0n) findings.push(`${how}: overspent by ${overspendNanoUsd} nano-USD`);
  if (capLooks === 0) findings.push('nobody looked at the limits: this shows nothing');
  if (isPostgres(how)) return findings;
  // A GET does not read the event store, so its time shows the speed of the machine.
  const lateMs = Math.min(outcome.questions.slowestMs, lateMsMax);
  if (firstWrites.slowestMs > firstWriteMsMax + lateMs)
    findings.push(
      `${how}: one of the first commands took ${firstWrites.slowestMs} ms: ${firstWrites.slowest}`,
    );
  if (writes.slowestMs > writeMsMax + lateMs)
    findings.push(`${how}: a command took ${writes.slowestMs} ms: ${writes.slowest}`);
  if (recoveryMs > recoveryMsMax + lateMs)
    findings.push(`${how}: a command was carried out ${recoveryMs} ms after the store was back`);
  return findings;
}

function failuresOf(when: string, tallies: Partial<Tallies>): string[] {
  return [tallies.inference, tallies.questions, tallies.writes]
    .flatMap((tally) => [...(tally?.failures ?? [])])
    .map(([failure, count]) => `${when}: ${failure} (${count} times)`);
}
