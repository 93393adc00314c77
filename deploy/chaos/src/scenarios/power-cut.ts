import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readPid } from '@sluice/embedded';
import { startSimulator } from '@sluice/simulator';
import type { Random } from '@sluice/testing/random';
import { type Audited, numbersOf, underAudit } from '../audit/books/under-audit.ts';
import { type Broker, startBroker } from '../parts/broker.ts';
import { type Installation, withInstallation } from '../parts/installation.ts';
import { type LoopDisk, makeLoopDisk } from '../parts/loop-disk.ts';
import { type Frozen, freeze } from '../parts/outage.ts';
import type { Given } from '../perform.ts';
import { untilMore } from '../waiting.ts';

const workingMs = { min: 500, max: 3_000 };
const darkMsMax = 300;
/** Share of the cuts before which usage piles up in the broker, because the ledger stands still. */
const pileUpShare = 0.5;
const pileUpMs = 1_500;
const workingAnswers = 20;
/** A lost message is sent again after 30 s. A fact that is missing after this time is lost. */
const lostMs = 50_000;
const [lyingSpool, slowSpool] = ['lying', 'slow'].map(
  (disk) => new URL(`../parts/${disk}-disk.ts?/services/routing/`, import.meta.url).href,
);
const durabilities = ['overlap', 'strict'] as const;
type Durability = (typeof durabilities)[number];

/**
 * Cuts the power of the disk under all data directories, again and again while requests come, and compares the
 * ledger's books with those of the provider, who has power. The spool syncs late, so that cuts hit it between its write
 * and its sync. `overlap` may lose calls that no client heard of, and `strict` none. The control must lose usage that
 * clients heard of: it has a broker with its default settings and a spool that does not sync.
 */
export async function powerCut(given: Given) {
  const { settings, say } = given;
  const cuts = settings.wholeNumber('CUTS', 10);
  const [durability = 'overlap'] = settings.names('DURABILITY', durabilities);
  say('the control, a broker as it comes and a spool that does not sync, must lose usage');
  const control = await cutUnderRequests(given, { cuts: 1, durability, isDurable: false }).then(
    numbersOf,
    (error: Error) => ({ broken: error.message }),
  );
  say(JSON.stringify({ control }));
  say(`the test: all as it is, durability ${durability}, must lose nothing that a client heard of`);
  const audited = await cutUnderRequests(given, { cuts, durability, isDurable: true });
  // A control that did not restart has lost everything.
  const controlLost = 'lost' in control ? control.lost : control.broken;
  const findings = [...audited.findings];
  if (controlLost === 0) findings.push('the control has lost nothing: this test shows nothing');
  return {
    findings,
    numbers: { cuts, durability, ...numbersOf(audited), control_lost: controlLost },
  };
}

interface Cutting {
  readonly cuts: number;
  readonly durability: Durability;
  readonly isDurable: boolean;
}

async function cutUnderRequests(
  { settings, random, folder, say }: Given,
  { cuts, durability, isDurable }: Cutting,
): Promise<Audited> {
  const requestsPerSecond = settings.wholeNumber('RPS', 100);
  const receiptsFile = join(folder, isDurable ? 'receipts.jsonl' : 'receipts-of-control.jsonl');
  const simulator = await startSimulator({ host: '127.0.0.1', port: 0, receiptsFile });
  await using stack = new AsyncDisposableStack();
  stack.defer(() => simulator.stop());
  await using disk = await makeLoopDisk(folder);
  // The installation makes its data directory where the machine keeps its temporary files.
  process.env['TMPDIR'] = disk.path;
  await using broker = isDurable ? undefined : await startBroker(join(disk.path, 'broker'), true);
  const ours = {
    SLUICE_SIMULATOR_URL: simulator.url,
    SLUICE_DURABILITY: durability,
    NODE_OPTIONS: `--import ${isDurable ? slowSpool : lyingSpool}`,
    ...broker?.settings(broker.port),
  };
  return await withInstallation({ settings: ours, say }, async (installation) => {
    const settleMs = isDurable ? undefined : lostMs;
    const mayLoseUnheard = durability === 'overlap';
    const auditing = {
      installation,
      requestsPerSecond,
      receiptsFile,
      mayLoseUnheard,
      settleMs,
      say,
    };
    return await underAudit({ ...auditing, random: random.fork() }, async (counts) => {
      const untilWorking = () => untilMore(() => counts.answered, workingAnswers, 'answers');
      for (let cut = 1; cut <= cuts; cut++) {
        await untilWorking();
        await cutPower({ installation, disk, broker }, random.fork());
        say(`cut ${cut} of ${cuts}: ${counts.answered} answered`);
      }
      await untilWorking();
    });
  });
}

/** All that runs on the disk. */
interface Machine {
  readonly installation: Installation;
  readonly disk: LoopDisk;
  readonly broker: Broker | undefined;
}

/**
 * Freezes everything before the power goes, as a machine without power is: no sync is under way. Not so in the control:
 * until all parts stand still, which takes seconds on a busy machine, Linux writes by itself what was not synced.
 */
async function cutPower({ installation, disk, broker }: Machine, random: Random): Promise<void> {
  const isControl = broker !== undefined;
  const pilesUp = random.next() < pileUpShare || isControl;
  await delay(random.between(workingMs.min, workingMs.max));
  const ledger = await readPid(installation.pidFileOf('ledger'));
  if (pilesUp && ledger !== undefined) {
    await freeze(ledger);
    await delay(pileUpMs);
  }
  if (isControl) await disk.cutPower();
  const frozen: Frozen[] = [];
  for (const pid of [installation.pid, ...(broker ? [broker.pid()] : [])])
    try {
      frozen.push(await freeze(pid));
    } catch (error) {
      // Without its disk it may have ended by itself.
      if (!isControl) throw error;
    }
  if (!isControl) await disk.cutPower();
  await delay(random.below(darkMsMax));
  for (const one of frozen) one.kill();
  await installation.ended();
  await disk.mountAgain();
  await broker?.start();
  await installation.restart();
}
