import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { RecordedEvent } from '@sluice/es';
import { connectEventStore } from '@sluice/eventstore';
import { auditOrder } from '../audit-order.ts';
import { type Random, seededRandom } from '@sluice/testing/random';
import { readLog } from '../read-log.ts';
import { type LoopDisk, makeLoopDisk } from './loop-disk.ts';
import { type NodeProcess, startNode } from './node-process.ts';
import { eventMaker, type Oracle, oracle as newOracle, verdict } from './oracle.ts';
import { startWriters, streamPrefix } from './writers.ts';

export interface PowerCutOptions {
  /** For the file that holds the disk. */
  readonly folder: string;
  readonly cuts: number;
  readonly seed: number;
  /** False is the control: the node's syncs do nothing, and events must be missing afterwards. */
  readonly syncs: boolean;
  readonly onProgress: (line: string) => void;
}

export interface PowerCutResult {
  readonly cuts: number;
  readonly events: number;
  readonly acknowledged: number;
  /** Acknowledged appends that are not there whole. */
  readonly lost: number;
  /** Number of unacknowledged appends that survived whole. */
  readonly keptUnacknowledged: number;
  /** How often the node saw by itself that it cannot write any more. */
  readonly endedByItself: number;
  /** The violations, in sentences. A test ends with the first cut that has some. */
  readonly findings: readonly string[];
}

const writingMs = { min: 200, max: 2_500 };
const darkMsMax = 300;
/**
 * Share of the cuts that stop the node and its disk together. The node is frozen first. Otherwise an fdatasync that
 * runs during the cut may report success (Linux does so in about one of 20 cuts), and the node would acknowledge it.
 * In the other cuts only the disk fails. The running node must then exit by itself, and its later answers do not count.
 */
const wholeMachineShare = 0.75;

/**
 * Cuts the power of the node's disk repeatedly, and compares the surviving log with the acknowledged appends.
 * The disk is unmounted when it resolves.
 */
export async function powerCutTest(options: PowerCutOptions): Promise<PowerCutResult> {
  const disk = await makeLoopDisk(options.folder);
  const scene = new Scene(options, disk);
  try {
    await disk.mount();
    return await scene.run();
  } finally {
    await scene.end();
    await disk.unmount();
  }
}

class Scene {
  readonly #options: PowerCutOptions;
  readonly #disk: LoopDisk;
  readonly #random: Random;
  readonly #oracle: Oracle = newOracle();
  readonly #makeEvents: ReturnType<typeof eventMaker>;
  #node: NodeProcess | undefined;
  /** The events of the log before the last cut. From then on they stay. */
  #seen: readonly RecordedEvent[] = [];
  #endedByItself = 0;

  constructor(options: PowerCutOptions, disk: LoopDisk) {
    this.#options = options;
    this.#disk = disk;
    this.#random = seededRandom(options.seed);
    this.#makeEvents = eventMaker(this.#random.fork());
  }

  async run(): Promise<PowerCutResult> {
    const { cuts, syncs } = this.#options;
    const directory = join(this.#disk.path, 'eventstore');
    this.#node = await startNode({ directory, syncs });
    for (let cut = 1; ; cut++) {
      await this.#writeUntilDark(cut, this.#node);
      const result = await this.#lightAgain(cut, directory);
      if (cut === cuts || result.findings.length > 0) return result;
    }
  }

  async end(): Promise<void> {
    await this.#node?.kill();
  }

  async #writeUntilDark(round: number, node: NodeProcess): Promise<void> {
    const random = this.#random.fork();
    const [oracle, makeEvents] = [this.#oracle, this.#makeEvents];
    const writers = await startWriters({ url: node.url, round, oracle, random, makeEvents });
    await delay(random.between(writingMs.min, writingMs.max));
    if (random.next() < wholeMachineShare) await node.freeze();
    else writers.believeNothing();
    await this.#disk.cutPower();
    const dark = new AbortController();
    const waiting = delay(random.below(darkMsMax), false, { signal: dark.signal });
    if (await Promise.race([node.exited.then(() => true), waiting])) this.#endedByItself++;
    dark.abort();
    await node.kill();
    await writers.stop();
  }

  async #lightAgain(cut: number, directory: string): Promise<PowerCutResult> {
    const { cuts, syncs, onProgress } = this.#options;
    await this.#disk.unmount();
    await this.#disk.mount();
    const startedMs = performance.now();
    try {
      this.#node = await startNode({ directory, syncs });
    } catch (error) {
      return this.#result(cut, [], [`cut ${cut}: ${(error as Error).message}`]);
    }
    const startMs = Math.round(performance.now() - startedMs);
    const log = await this.#readLog(this.#node.url);
    const result = this.#result(cut, log, [...auditOrder(log), ...goneSince(this.#seen, log)]);
    this.#seen = log;
    const { events, acknowledged, lost } = result;
    onProgress(
      `cut ${cut} of ${cuts}: ${acknowledged} acknowledged, ${lost} lost, ` +
        `${events} events, started again in ${startMs} ms`,
    );
    return result;
  }

  async #readLog(url: string): Promise<readonly RecordedEvent[]> {
    const store = await connectEventStore({ url });
    try {
      return await readLog(store, [streamPrefix]);
    } finally {
      await store.stop();
    }
  }

  #result(
    cuts: number,
    log: readonly RecordedEvent[],
    findings: readonly string[],
  ): PowerCutResult {
    const { appends } = this.#oracle;
    const { lost, keptUnacknowledged, findings: found } = verdict(appends, log);
    return {
      cuts,
      events: log.length,
      acknowledged: appends.filter(({ acknowledged }) => acknowledged).length,
      lost,
      keptUnacknowledged,
      endedByItself: this.#endedByItself,
      findings: [...findings, ...found],
    };
  }
}

/** Finds events that a reader was once shown and that are gone, acknowledged or not. */
function goneSince(
  before: readonly RecordedEvent[],
  log: readonly RecordedEvent[],
): readonly string[] {
  const index = before.findIndex(({ id }, at) => log[at]?.id !== id);
  const event = before[index];
  return event ? [`${event.stream}@${event.revision} was read before the cut and is gone`] : [];
}
