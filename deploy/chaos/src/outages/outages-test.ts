import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Instance, startInstance } from '@sluice/acceptance/instance';
import { readPid } from '@sluice/embedded';
import { seededRandom } from '@sluice/testing/random';
import { type Audited, environment, type Scene, underAudit } from '../usage/audited.ts';
import { askConservation } from '../usage/conservation.ts';
import { startNatsProxy } from './nats-proxy.ts';
import { type OwnBroker, startOwnBroker } from './own-broker.ts';
import { startRepublisher } from './republisher.ts';
import { freeze, keepKilling } from './stopping.ts';

/** A part and its outage. `forgetful`: it restarts without the data that it had acknowledged. */
export type OutageName =
  | `${'ledger' | 'postgres' | 'nats'} ${'frozen' | 'killed'}`
  | 'nats forgetful';

export interface OutagesOptions {
  readonly outages: readonly OutageName[];
  readonly outageSeconds: number;
  readonly requestsPerSecond: number;
  readonly seed: number;
  readonly onProgress: (line: string) => void;
}

export interface Outage {
  readonly name: OutageName;
  readonly answered: number;
  /** 503. */
  readonly unavailable: number;
  /** The messages of all 503 so far, with their number. */
  readonly unavailableBecause: Readonly<Record<string, number>>;
  readonly failed: number;
  /** Time from the end of the outage until requests were answered at the earlier rate. */
  readonly recoveryMs: number;
}

export interface OutagesResult extends Audited {
  readonly outages: readonly Outage[];
  readonly republished: number;
  readonly resets: number;
  readonly durationSeconds: number;
}

const workingAnswers = 30;
const workingTimeoutMs = 120_000;
const pollMs = 20;
const refusedShareMax = 0.01;

/**
 * Takes one part after the other away, and checks answers and books. Meanwhile the network to the broker is bad, and
 * usage facts arrive twice, late and out of order. All processes have ended when it resolves.
 */
export async function outagesTest(options: OutagesOptions): Promise<OutagesResult> {
  const { seed, requestsPerSecond, onProgress } = options;
  const startedMs = performance.now();
  const random = seededRandom(seed);
  const folder = await mkdtemp(join(tmpdir(), 'sluice-outages-'));
  const broker = await startOwnBroker(folder);
  const { token, monitorUrl } = broker;
  const proxy = await startNatsProxy(broker.port, random.fork());
  const direct = `nats://127.0.0.1:${broker.port}`;
  const republisher = await startRepublisher({ url: direct, token, random: random.fork() });
  onProgress(`seed ${seed}: the services start`);
  const nats = {
    SLUICE_NATS_URL: `nats://127.0.0.1:${proxy.port}`,
    SLUICE_NATS_TOKEN: token,
    SLUICE_NATS_MONITOR_URL: monitorUrl,
  };
  let instance: Instance | undefined;
  let isRight = false;
  try {
    const started = await startInstance({ ...environment, ...nats }, 'processes');
    instance = started;
    const auditing = {
      instance: started,
      requestsPerSecond,
      random,
      onProgress,
      isUnlimited: true,
    };
    const { disturbed: outages, ...audited } = await underAudit(auditing, async (scene) => {
      const happened: Outage[] = [];
      await untilWorking(scene);
      for (const name of options.outages) {
        await untilTold(scene, started);
        happened.push(await goThrough(name, { options, scene, broker }));
      }
      return happened;
    });
    const { republished } = republisher.counts;
    const findings = [...audited.findings, ...outages.flatMap((one) => judge(one, options))];
    if (audited.unavailableForEver > 0) findings.push('a 503 did not say when to come again');
    if (republished === 0) findings.push('nothing was published twice: this shows nothing');
    isRight = findings.length === 0;
    const durationSeconds = Math.round((performance.now() - startedMs) / 1_000);
    const { resets } = proxy.faults;
    return { ...audited, findings, outages, republished, resets, durationSeconds };
  } finally {
    if (isRight) await instance?.dispose();
    else if (instance) {
      await instance.stop();
      onProgress(`the data directory is kept: ${instance.dataDirectory}`);
    }
    await republisher.stop();
    await proxy.stop();
    await broker.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Going {
  readonly options: OutagesOptions;
  readonly scene: Scene;
  readonly broker: OwnBroker;
}

async function goThrough(name: OutageName, { options, scene, broker }: Going): Promise<Outage> {
  const { onProgress, outageSeconds } = options;
  const before = { ...scene.counts };
  await away(name, outageSeconds * 1_000, { scene, broker });
  const { answered, unavailable, failed } = scene.counts;
  const endedMs = performance.now();
  await untilWorking(scene);
  const outage = {
    name,
    answered: answered - before.answered,
    unavailable: unavailable - before.unavailable,
    unavailableBecause: { ...scene.counts.unavailableBecause },
    failed: failed - before.failed,
    recoveryMs: Math.round(performance.now() - endedMs),
  };
  onProgress(
    `${name} for ${outageSeconds} s: ${outage.answered} answered, ${outage.unavailable} told to come ` +
      `again, ${outage.failed} failed; all well after ${outage.recoveryMs} ms`,
  );
  return outage;
}

async function away(
  name: OutageName,
  durationMs: number,
  { scene, broker }: Pick<Going, 'scene' | 'broker'>,
): Promise<void> {
  const [part = '', how] = name.split(' ');
  const pidFile = scene.surroundings.pidFileOf(part);
  if (how === 'frozen') {
    const pid = part === 'nats' ? broker.pid() : await readPid(pidFile);
    if (pid === undefined) throw new Error(`${part} does not run`);
    const frozen = await freeze(pid);
    await delay(durationMs);
    frozen.letGo();
  } else if (part === 'nats') {
    await broker.kill();
    if (how === 'forgetful') await broker.forgetAll();
    await delay(durationMs);
    await broker.start();
  } else await keepKilling(pidFile, durationMs);
}

/** Answered at the rate of before again. */
async function untilWorking({ counts }: Scene): Promise<void> {
  const enough = counts.answered + workingAnswers;
  const deadlineMs = performance.now() + workingTimeoutMs;
  while (counts.answered < enough) {
    if (performance.now() > deadlineMs)
      throw new Error(`nothing was answered again within ${workingTimeoutMs / 1_000} s`);
    await delay(pollMs);
  }
}

/**
 * The ledger is there, which requests with leases do not need: one that is still on its way back from an outage cannot
 * start in the next one, and nothing would be learned of that.
 */
async function untilTold(scene: Scene, instance: Instance): Promise<void> {
  const deadlineMs = performance.now() + workingTimeoutMs;
  while (!(await askConservation(instance))) {
    if (performance.now() > deadlineMs)
      throw new Error(`the ledger tells nothing within ${workingTimeoutMs / 1_000} s`);
    await delay(pollMs);
  }
  await untilWorking(scene);
}

/** Judges an outage. */
function judge(
  { name, answered, unavailable, unavailableBecause, failed }: Outage,
  { outageSeconds, requestsPerSecond }: OutagesOptions,
): readonly string[] {
  const findings: string[] = [];
  const due = outageSeconds * requestsPerSecond;
  if (failed > 0) findings.push(`${name}: ${failed} requests failed other than by a 503`);
  if (answered === 0) findings.push(`${name}: leases allowed nothing`);
  // Keys in use are served without it. A provider that fails on purpose may take all attempts of a request: 503.
  if (name.startsWith('postgres') && unavailable > due * refusedShareMax)
    findings.push(
      `${name}: ${unavailable} of ${due} requests were refused: ${JSON.stringify(unavailableBecause)}`,
    );
  // Without the broker usage waits on the disk, and nothing else waits for it.
  if (name.startsWith('nats') && answered < due / 2)
    findings.push(`${name}: ${answered} of ${due} requests were answered`);
  return findings;
}
