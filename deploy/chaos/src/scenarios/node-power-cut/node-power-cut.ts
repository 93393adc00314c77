import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startNode } from '@sluice/acceptance/event-store-node';
import { suspendProcess } from '@sluice/embedded';
import { auditOrder } from '../../audit/log/audit-log.ts';
import { type LogEvent, readLogAt } from '../../audit/log/read-log.ts';
import { type LoopDisk, makeLoopDisk } from '../../parts/loop-disk.ts';
import type { Given } from '../../perform.ts';
import { eventMaker, oracle as newOracle, verdict } from './oracle.ts';
import { startWriters, streamPrefix } from './writers.ts';

type Node = Awaited<ReturnType<typeof startNode>>;

const controlCuts = 2;
const writingMs = { min: 200, max: 2_500 };
const darkMsMax = 300;
/**
 * Share of the cuts that stop the node and its disk together. The node is frozen first. Otherwise an fdatasync that
 * runs during the cut may report success (Linux does so in about one of 20 cuts), and the node would acknowledge it.
 * In the other cuts only the disk fails. The running node must then exit by itself, and its later answers do not count.
 */
const wholeMachineShare = 0.75;
const lyingDisk = new URL('../../parts/lying-disk.ts?/eventstore-server/', import.meta.url).href;

/**
 * Cuts the power of the event store node's disk again and again, and compares the surviving log with the acknowledged
 * appends. The control, a node whose syncs do nothing, must lose events.
 */
export async function nodePowerCut(given: Given) {
  const { settings, seed, say } = given;
  const cuts = settings.wholeNumber('CUTS', 20);
  say('the control, a node whose syncs do nothing, must lose events');
  const control = await cutUnderAppends(given, controlCuts, lyingDisk);
  say('the test: a node as it is must lose nothing');
  const result = await cutUnderAppends(given, cuts);
  const findings = [...result.findings];
  if (control.findings.length === 0)
    findings.unshift('the control has lost nothing: this test shows nothing');
  const counted = ({ findings: found, ...counts }: Survived) => ({
    ...counts,
    findings: found.length,
  });
  const ok = findings.length === 0;
  const numbers = { test: 'power-cut', ok, seed, ...counted(result), control: counted(control) };
  return { findings, numbers };
}

/** The log after a cut. */
interface Survived {
  readonly cuts: number;
  readonly events: number;
  readonly acknowledged: number;
  /** Acknowledged appends that are not there whole. */
  readonly lost: number;
  /** Number of unacknowledged appends that survived whole. */
  readonly keptUnacknowledged: number;
  /** Number of times that the node saw by itself that it cannot write any more. */
  readonly endedByItself: number;
  /** The violations, in sentences. A test ends with the first cut that has some. */
  readonly findings: readonly string[];
}

async function cutUnderAppends(
  { random: given, folder, say }: Given,
  cuts: number,
  preload?: string,
): Promise<Survived> {
  const random = given.fork();
  await using disk = await makeLoopDisk(folder);
  const directory = join(disk.path, 'eventstore');
  const secretsDirectory = join(directory, 'secrets');
  const places = { directory, secretsDirectory, port: 0 };
  const start = () => startNode(preload === undefined ? places : { ...places, preload });
  const [oracle, makeEvents] = [newOracle(), eventMaker(random.fork())];
  const { appends } = oracle;
  let endedByItself = 0;
  let seen: readonly LogEvent[] = [];
  const survived = (cut: number, log: readonly LogEvent[], found: readonly string[]): Survived => {
    const { lost, keptUnacknowledged, findings } = verdict(appends, log);
    const acknowledged = appends.filter((append) => append.acknowledged).length;
    const counts = { events: log.length, acknowledged, lost, keptUnacknowledged, endedByItself };
    return { cuts: cut, ...counts, findings: [...found, ...findings] };
  };
  let node = await start();
  try {
    for (let cut = 1; ; cut++) {
      const chance = random.fork();
      const writers = await startWriters({
        url: node.url,
        round: cut,
        oracle,
        random: chance,
        makeEvents,
      });
      await delay(chance.between(writingMs.min, writingMs.max));
      if (chance.next() < wholeMachineShare) await suspendProcess(node.pid);
      else writers.believeNothing();
      if (await goDark(node, disk, chance.below(darkMsMax))) endedByItself++;
      await writers.stop();
      await disk.mountAgain();
      const startedMs = performance.now();
      try {
        node = await start();
      } catch (error) {
        return survived(cut, [], [`cut ${cut}: ${(error as Error).message}`]);
      }
      const startMs = Math.round(performance.now() - startedMs);
      const log = await readLogAt(node.url, [streamPrefix]);
      const result = survived(cut, log, [...auditOrder(log), ...goneSince(seen, log)]);
      seen = log;
      say(
        `cut ${cut} of ${cuts}: ${result.acknowledged} acknowledged, ${result.lost} lost, ` +
          `${result.events} events, started again in ${startMs} ms`,
      );
      if (cut === cuts || result.findings.length > 0) return result;
    }
  } finally {
    await kill(node);
  }
}

/** Cuts the power, waits, and kills the node. Returns true if it had ended by itself. */
async function goDark(node: Node, disk: LoopDisk, darkMs: number): Promise<boolean> {
  await disk.cutPower();
  const dark = new AbortController();
  const waiting = delay(darkMs, false, { signal: dark.signal });
  const isEnded = await Promise.race([node.exited.then(() => true), waiting]);
  dark.abort();
  waiting.catch(() => undefined);
  await kill(node);
  return isEnded;
}

async function kill(node: Node): Promise<void> {
  node.child.kill('SIGKILL');
  await node.exited;
}

/** Finds events that a reader was once shown and that are gone, acknowledged or not. */
function goneSince(before: readonly LogEvent[], log: readonly LogEvent[]): readonly string[] {
  const index = before.findIndex(({ id }, at) => log[at]?.id !== id);
  const event = before[index];
  return event ? [`${event.stream}@${event.revision} was read before the cut and is gone`] : [];
}
