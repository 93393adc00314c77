import { pinSubjects, type Surroundings, withSurroundings } from '../comparison/surroundings.ts';
import { settledUsage, usageOf } from '../harness/machine/usage.ts';
import { plainBehaviour } from '../harness/upstream/upstream-server.ts';
import { createClient } from '../management/client.ts';
import { type Measure, measured } from '../measure.ts';
import { percentile } from '../percentile.ts';
import { showProgress } from '../program.ts';
import { probe } from '../subjects/probe.ts';
import { requestOf } from '../subjects/request.ts';
import type { Subject } from '../subjects/subject.ts';
import { makeKeys, type Mode, modes, modeTexts } from './modes.ts';
import { startReceiver } from './receiver.ts';

export interface LatencyBenchOptions {
  readonly rounds: number;
  /** The length of a slice. */
  readonly seconds: number;
  readonly perSecond: number;
}

/** The figures of one slice. */
interface Slice {
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Processor time of gateway and routing. */
  readonly cpuUs: number;
}

const shape = { bodyBytes: 2_048, isStreaming: false };
const deltas = 50;
const connections = 64;
/** A slice with a fault, which a busy machine causes, is measured again. */
const triesMax = 5;

/**
 * Measures the requests of four workspaces in turns, at one rate, on one warm Sluice: without a destination, with
 * three, and with three that never answer. The observer is a process of its own, and so are gateway and routing.
 */
export async function latencyBench(options: LatencyBenchOptions): Promise<readonly Measure[]> {
  const settings = { SLUICE_EGRESS_ALLOW: '127.0.0.1' };
  return await withSurroundings({ names: ['sluice-two'], settings }, async (all) => {
    const [sluice] = all.subjects;
    if (!sluice?.management) throw new Error('Sluice did not start');
    await all.upstream.behave({ ...plainBehaviour, deltas });
    const receiver = await startReceiver();
    const client = createClient(sluice.management.url, sluice.management.key);
    try {
      const keys = await makeKeys(client, receiver.url);
      await pinSubjects(all);
      await all.pinning.pin('others', [receiver.pid]);
      // The load shares its processor with the observer, which would have one of its own.
      await all.pinning.goFirst([all.load.pid, all.upstream.pid]);
      const slices = await measureInTurns(options, all, sluice, keys);
      const requests = await receiver.requests();
      const callsOf = (mode: Mode) =>
        requests
          .filter(({ path }) => path.startsWith(`/${mode}/`))
          .reduce((sum, { count }) => sum + count, 0);
      // They show that the destinations were called at all.
      const calls = chosenModes.map((mode) =>
        measured(`calls of ${modeTexts[mode]}`, callsOf(mode), 'calls', { atLeast: 3 }),
      );
      return [...measuresOf(slices), ...calls];
    } finally {
      await client.stop();
      await receiver.stop();
    }
  });
}

const chosenModes = modes.filter((mode) => mode !== 'none');

async function measureInTurns(
  { rounds, ...load }: LatencyBenchOptions,
  all: Surroundings,
  sluice: Subject,
  keys: Readonly<Record<Mode, string>>,
): Promise<ReadonlyMap<Mode, readonly Slice[]>> {
  const slices = new Map<Mode, Slice[]>(modes.map((mode) => [mode, []]));
  for (let round = 0; round <= rounds; round += 1)
    for (const [index] of modes.entries()) {
      // Each mode comes after each other one.
      const mode = modes[(index + round) % modes.length] ?? 'none';
      showProgress(`${mode}, round ${round} of ${rounds}`);
      const headers = { authorization: `Bearer ${keys[mode]}` };
      const slice = await measure(load, all, { ...sluice, headers });
      // The first round waits for the compiler.
      if (round > 0) slices.get(mode)?.push(slice);
    }
  return slices;
}

async function measure(
  { seconds, perSecond }: Pick<LatencyBenchOptions, 'seconds' | 'perSecond'>,
  { load }: Surroundings,
  subject: Subject,
): Promise<Slice> {
  const expectation = await probe(subject, shape, deltas);
  const request = requestOf(subject, shape);
  const pids = await subject.pids();
  for (let left = triesMax; ; left -= 1) {
    await settledUsage(pids);
    const before = await usageOf(pids);
    const { answered, faults, latencies } = await load.openLoop({
      port: subject.port,
      request,
      expectation,
      connections,
      sendingMs: seconds * 1_000,
      requestsPerSecond: perSecond,
    });
    const { usage } = await settledUsage(pids);
    const names = Object.keys(faults);
    const { p50Ms, p99Ms } = latencies;
    if (names.length === 0)
      return { p50Ms, p99Ms, cpuUs: ((usage.cpuMs - before.cpuMs) * 1_000) / answered };
    if (left === 1) throw new Error(names.join(', '));
  }
}

const figures = [
  ['p50Ms', 'latency, p50', 'ms'],
  ['p99Ms', 'latency, p99', 'ms'],
  ['cpuUs', 'processor time of gateway and routing a request', 'µs'],
] as const;

/** Compares each slice with the one without destinations of the same round. */
function measuresOf(slices: ReadonlyMap<Mode, readonly Slice[]>): readonly Measure[] {
  return chosenModes.flatMap((mode) =>
    figures.map(([figure, text, unit]) => {
      const valuesOf = (one: Mode) => (slices.get(one) ?? []).map((slice) => slice[figure]);
      const [own, plain] = [valuesOf(mode), valuesOf('none')];
      const ratios = own.map((value, round) => value / (plain[round] ?? Number.NaN));
      const at = (share: number) => percentile(ratios, share).toFixed(2);
      const [ownMedian, plainMedian] = [percentile(own, 0.5), percentile(plain, 0.5)];
      const name = `${text}: ${modeTexts[mode]}, times that without`;
      return measured(name, percentile(ratios, 0.5), '×', {
        note:
          `${ownMedian.toFixed(2)} ${unit} of ${plainMedian.toFixed(2)} ${unit}; ` +
          `${at(0.25)} to ${at(0.75)} in half of the rounds`,
      });
    }),
  );
}
