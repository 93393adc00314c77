import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Instance, startInstance } from '@sluice/acceptance/instance';
import { readPid } from '@sluice/embedded';
import { startSimulator } from '@sluice/simulator';
import { freeze, type Frozen } from '../outages/stopping.ts';
import { type LoopDisk, makeLoopDisk } from '../power-cut/loop-disk.ts';
import { type Random, seededRandom } from '@sluice/testing/random';
import { type Audited, environment, type Scene, underAudit } from '../usage/audited.ts';
import { type LazyBroker, startLazyBroker } from './lazy-broker.ts';

export interface UsagePowerCutOptions {
  /** For the file that holds the disk, and for the provider's books, which are not on it. */
  readonly folder: string;
  readonly cuts: number;
  readonly requestsPerSecond: number;
  readonly seed: number;
  /** False is the control: a broker with default settings, and a spool that does not sync. */
  readonly isDurable: boolean;
  readonly onProgress: (line: string) => void;
}

const workingMs = { min: 500, max: 3_000 };
const darkMsMax = 300;
/** How often usage has piled up in the broker when the power goes, because the ledger stood still. */
const pileUpShare = 0.5;
const pileUpMs = 1_500;
const workingAnswers = 20;
const workingTimeoutMs = 120_000;
const pollMs = 20;
/** A lost message is sent again after 30 s. A fact that is missing after this time is lost. */
const lostMs = 50_000;
const preload = join(import.meta.dirname, 'spool-without-sync.ts');

/**
 * Cuts the power of the disk under all data directories, again and again under traffic, and holds our books
 * against those of the provider, who has power. Nothing is mounted any more when it resolves.
 */
export async function usagePowerCutTest(options: UsagePowerCutOptions): Promise<Audited> {
  const { folder } = options;
  const receiptsFile = join(folder, 'receipts.jsonl');
  const simulator = await startSimulator({ host: '127.0.0.1', port: 0, receiptsFile });
  const disk = await makeLoopDisk(folder);
  try {
    await disk.mount();
    // The instance makes its data directory where the machine keeps its temporary files.
    process.env['TMPDIR'] = disk.path;
    return await onDisk(options, { disk, simulatorUrl: simulator.url, receiptsFile });
  } finally {
    await disk.unmount();
    await simulator.stop();
  }
}

interface Place {
  readonly disk: LoopDisk;
  readonly simulatorUrl: string;
  readonly receiptsFile: string;
}

async function onDisk(
  { cuts, isDurable, requestsPerSecond, seed, onProgress }: UsagePowerCutOptions,
  { disk, simulatorUrl, receiptsFile }: Place,
): Promise<Audited> {
  const random = seededRandom(seed);
  const broker = isDurable ? undefined : await startLazyBroker(join(disk.path, 'broker'));
  const lazy = broker
    ? {
        SLUICE_NATS_URL: broker.url,
        SLUICE_NATS_TOKEN: broker.token,
        NODE_OPTIONS: `--import ${preload}`,
      }
    : undefined;
  const settings = { ...environment, SLUICE_SIMULATOR_URL: simulatorUrl, ...lazy };
  let machine: Machine | undefined;
  try {
    const instance = await startInstance(settings, 'processes');
    const running = new Machine(instance, { disk, broker });
    machine = running;
    const settleTimeoutMs = isDurable ? undefined : lostMs;
    const common = { instance, requestsPerSecond, random, onProgress };
    const auditing = { ...common, receiptsFile, settleTimeoutMs };
    const { disturbed: _cuts, ...audited } = await underAudit(auditing, async (scene) => {
      for (let cut = 1; cut <= cuts; cut++) {
        await untilWorking(scene);
        await running.cut(scene, random.fork());
        onProgress(`cut ${cut} of ${cuts}: ${scene.counts.answered} answered`);
      }
      await untilWorking(scene);
      return cuts;
    });
    return audited;
  } finally {
    await machine?.stop();
    await broker?.stop();
  }
}

/** All that runs on the disk. */
class Machine {
  readonly #disk: LoopDisk;
  readonly #broker: LazyBroker | undefined;
  #instance: Instance;

  constructor(
    instance: Instance,
    parts: { readonly disk: LoopDisk; readonly broker: LazyBroker | undefined },
  ) {
    this.#instance = instance;
    this.#disk = parts.disk;
    this.#broker = parts.broker;
  }

  get instance(): Instance {
    return this.#instance;
  }

  /**
   * Everything stands still before the power goes, as a machine does: no sync is under way. Not so in the control:
   * until all parts stand still, which takes seconds where others run, Linux writes by itself what was not synced.
   */
  async cut({ surroundings }: Scene, random: Random): Promise<void> {
    const isControl = this.#broker !== undefined;
    const pileUp = random.next() < pileUpShare || isControl;
    await delay(random.between(workingMs.min, workingMs.max));
    const ledger = await readPid(surroundings.pidFileOf('ledger'));
    if (pileUp && ledger !== undefined) {
      await freeze(ledger);
      await delay(pileUpMs);
    }
    if (isControl) await this.#disk.cutPower();
    const frozen: Frozen[] = [];
    for (const pid of [this.#instance.pid, ...(this.#broker ? [this.#broker.pid()] : [])])
      try {
        frozen.push(await freeze(pid));
      } catch (error) {
        // Without its disk it may have ended by itself.
        if (!isControl) throw error;
      }
    if (!isControl) await this.#disk.cutPower();
    await delay(random.below(darkMsMax));
    for (const one of frozen) one.kill();
    await this.#instance.ended();
    await this.#disk.unmount();
    await this.#disk.mount();
    await this.#broker?.start();
    this.#instance = await this.#instance.restart();
  }

  async stop(): Promise<void> {
    await this.#instance.dispose();
  }
}

async function untilWorking({ counts }: Scene): Promise<void> {
  const enough = counts.answered + workingAnswers;
  const deadlineMs = performance.now() + workingTimeoutMs;
  while (counts.answered < enough) {
    if (performance.now() > deadlineMs)
      throw new Error(`nothing was answered again within ${workingTimeoutMs / 1_000} s`);
    await delay(pollMs);
  }
}
