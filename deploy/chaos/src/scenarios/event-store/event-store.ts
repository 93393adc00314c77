import { startEmbeddedStore } from '../../parts/event-store/embedded-store.ts';
import { givenStore, startGivenStore } from '../../parts/event-store/given-store.ts';
import { type Installation, withInstallation } from '../../parts/installation.ts';
import { type Probe, type Probing, startProbes, type Tally } from '../../load/probes.ts';
import type { Given } from '../../perform.ts';
import { type Fault, faults as allFaults } from './faults.ts';
import { logRound, type Outcome, passingRound, type Stage } from './rounds.ts';

/** Number of requests until a key has leases that last through an outage. */
const timesInUse = 10;
const openMax = 500;
/** A request that a busy machine refuses comes again each second. It has failed if that does not help for so long. */
const repeatForMs = 120_000;
/** The GETs that a user interface sends to show an account. */
const readPaths = ['/keys', '/workspaces', '/credits', '/models', '/guardrails'] as const;

/**
 * Lets the event store fail in one way after the other, while administrators change keys and clients send requests.
 * Then compares the commands with the log, and the log with the API.
 */
export async function eventStore(given: Given) {
  const { settings, folder, seed, say, seconds } = given;
  const gapMsMax = settings.wholeNumber('GAP_SECONDS', 3) * 1_000;
  const perSecond = settings.wholeNumber('RPS', 20);
  const server = givenStore(settings);
  await using store = server ? await startGivenStore(server) : await startEmbeddedStore(folder);
  say(`${store.name} runs`);
  const ours = { SLUICE_EVENTSTORE_URL: store.url };
  const installing = { program: 'all-in-one', settings: ours, say } as const;
  return await withInstallation(installing, async (installation) => {
    const { inference, reads } = probesOf(installation);
    const loads: Loads = {
      inference: startProbes(installation, inference, { perSecond, openMax, repeatForMs }),
      reads: startProbes(installation, reads, { perSecond: perSecond / 2, openMax, repeatForMs }),
    };
    const stop = () => Promise.all([loads.inference.stop(), loads.reads.stop()]);
    try {
      await loads.inference.untilEach(timesInUse);
      const { rounds, skipped } = await allRounds(given, { instance: installation, store, loads });
      await stop();
      const findings = rounds.flatMap((round) => findingsOf(round, gapMsMax));
      const totals = totalsOf([...rounds.map(({ tallies }) => tallies), takeTallies(loads)]);
      const numbers = {
        ...sumsOf(rounds),
        ...totals,
        seconds: seconds(),
        faults: rounds.length,
        skipped: Object.keys(skipped).length,
        seed,
        findings: findings.length,
      };
      const reasons = Object.entries(skipped).map(([fault, why]) => `Skipped: ${fault}: ${why}`);
      return { findings, details: [heading, ...rounds.map(lineOf), ...reasons], numbers, rounds };
    } finally {
      await stop();
    }
  });
}

function probesOf({ bootstrap }: Installation): Readonly<Record<'inference' | 'reads', Probe[]>> {
  const { api_key: apiKey, management_key: managementKey } = bootstrap;
  const body = { models: ['sim/chaos'], input: 'a request [sim:words-5]' };
  const asking = { method: 'POST', path: '/v1/responses', key: apiKey, right: [200] };
  return {
    inference: [
      { ...asking, name: 'a stream', body: { ...body, stream: true } },
      { ...asking, name: 'a whole answer', body },
    ],
    reads: readPaths.map((path) => ({
      name: `GET ${path}`,
      path: `/v1${path}`,
      key: managementKey,
      right: [200],
    })),
  };
}

interface Loads {
  readonly inference: Probing;
  readonly reads: Probing;
}

type Tallies = Readonly<Record<keyof Loads, Tally>>;

/** A round with the requests that ended in it, and in its preparation. */
interface Round extends Outcome {
  readonly tallies: Tallies;
}

const takeTallies = ({ inference, reads }: Loads): Tallies => ({
  inference: inference.tally(),
  reads: reads.tally(),
});

async function allRounds(
  { settings, random, seed, folder, say }: Given,
  { loads, ...running }: Pick<Stage, 'instance' | 'store'> & { readonly loads: Loads },
): Promise<{
  readonly rounds: readonly Round[];
  readonly skipped: Readonly<Record<string, string>>;
}> {
  const awayMs = settings.wholeNumber('AWAY_SECONDS', 8) * 1_000;
  const lookOutMs = settings.wholeNumber('LOOK_OUT_SECONDS', 30) * 1_000;
  const names = settings.names(
    'FAULTS',
    allFaults.map(({ name }) => name),
  );
  const untilAnswered = async () => {
    await Promise.all([loads.inference.untilEach(1), loads.reads.untilEach(1)]);
  };
  const rounds: Round[] = [];
  const skipped: Record<string, string> = {};
  for (const [index, fault] of inOrder(names, settings.wholeNumber('ROUNDS', 1)).entries()) {
    const lack = rounds.at(-1)?.isTheEnd
      ? 'commands do not work since the fault before it'
      : fault.needs && running.store.lacks(fault.needs);
    if (lack !== undefined) {
      skipped[fault.name] = lack;
      say(`${fault.name}: skipped, since ${lack}`);
      continue;
    }
    const namePrefix = `${seed}-${index} `;
    const times = { awayMs, lookOutMs, untilAnswered };
    const stage = { ...running, random: random.fork(), namePrefix, folder, ...times };
    const outcome = await ('log' in fault ? logRound(stage, fault) : passingRound(stage, fault));
    const round = { ...outcome, tallies: takeTallies(loads) };
    rounds.push(round);
    say(lineOf(round));
    for (const finding of findingsOf(round, Infinity)) say(`  ${finding}`);
  }
  return { rounds, skipped };
}

/** Returns the faults that pass, so often, and then those that replace the log. */
function inOrder(names: readonly string[], times: number): readonly Fault[] {
  const every = names.flatMap((name) => allFaults.filter((fault) => fault.name === name));
  const [passing, last] = [
    every.filter((fault) => !('log' in fault)),
    every.filter((fault) => 'log' in fault),
  ];
  return [...Array.from({ length: times }, () => passing).flat(), ...last];
}

function findingsOf(round: Round, gapMsMax: number): readonly string[] {
  const { fault, findings, gapMs = 0, tallies } = round;
  const failures = [...tallies.inference.failures, ...tallies.reads.failures];
  return [
    ...findings,
    ...failures.map(([failure, times]) => `${times} × ${failure}`),
    ...(gapMs > gapMsMax ? [`no command was acknowledged for ${gapMs} ms`] : []),
  ].map((finding) => `${fault}: ${finding}`);
}

function sumsOf(rounds: readonly Round[]) {
  const sum = (of: (round: Round) => number) =>
    rounds.reduce((total, round) => total + of(round), 0);
  return {
    lost: sum(({ lost }) => lost),
    twice: sum(({ twice }) => twice),
    silent: sum(({ silent }) => silent),
    longestGapMs: Math.max(0, ...rounds.map(({ gapMs = 0 }) => gapMs)),
  };
}

function totalsOf(all: readonly Tallies[]) {
  const sum = (of: (tallies: Tallies) => number) =>
    all.reduce((total, tallies) => total + of(tallies), 0);
  return {
    failedInference: sum(({ inference }) => inference.failed),
    inference: sum(({ inference }) => inference.sent),
    reads: sum(({ reads }) => reads.sent),
    failedReads: sum(({ reads }) => reads.failed),
    busy: sum(({ inference, reads }) => inference.busy + reads.busy),
  };
}

const columns =
  'fault acknowledged lost twice silent longest-gap inference failed GETs failed said'.split(' ');
const heading = [columns, columns.map(() => '---')].map(rowOf).join('\n');

function lineOf({ tallies: { inference, reads }, ...one }: Round): string {
  const facts = [one.fault, one.acknowledged, one.lost, one.twice, one.silent];
  const gap = one.gapMs === undefined ? '–' : `${one.gapMs} ms`;
  const requests = [inference.sent, inference.failed, reads.sent, reads.failed];
  return rowOf([...facts, gap, ...requests, one.said]);
}

/** Returns a row of a table in Markdown. */
function rowOf(cells: readonly (string | number)[]): string {
  return `| ${cells.join(' | ')} |`;
}
