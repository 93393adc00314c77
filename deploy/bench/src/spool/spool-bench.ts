import { join } from 'node:path';
import { connectBus, subjects, usageBundleFactsMax, usageStream } from '@sluice/bus';
import { ensureNatsServer, startNats } from '@sluice/embedded';
import { openSpool } from '@sluice/spool';
import { measureDisk } from '../disk.ts';
import { type Measure, measured } from '../measure.ts';
import { showProgress } from '../program.ts';
import { withScratch } from '../scratch.ts';
import { inParallel, noteOf, repeat, type Timings } from '../timings.ts';

/** About what an intent or a final takes. */
const recordBytes = 700;
const writersOf = [1, 8, 64] as const;
const warmUpMs = 1_000;
const measureMs = 5_000;
const rawFileBytes = 64 * 1_048_576;

/** Measures durable appends by so many writers at once, beside one record and one fdatasync after the other. */
export async function spoolBench(): Promise<readonly Measure[]> {
  return await withScratch('spool', async (folder) => {
    const measureRaw = () => measureDisk(folder, { recordBytes, fileBytes: rawFileBytes });
    showProgress('the disk alone');
    const before = await measureRaw();
    const appends: { readonly writers: number; readonly timings: Timings }[] = [];
    for (const writers of writersOf) {
      showProgress(`${writers} writers`);
      appends.push({ writers, timings: await measureAppends(join(folder, `${writers}`), writers) });
    }
    const after = await measureRaw();
    const rawPerSecond = (before.perSecond + after.perSecond) / 2;
    return [
      rate('disk: write + fdatasync, one at a time, before', before),
      ...appends.flatMap(({ writers, timings }) => {
        const name = `durable appends, ${writers} ${writers === 1 ? 'writer' : 'writers'}`;
        const share = timings.perSecond / rawPerSecond;
        return [rate(name, timings), measured(`${name}, of what the disk does alone`, share, '×')];
      }),
      rate('disk: write + fdatasync, one at a time, after', after),
    ];
  });
}

const rate = (name: string, timings: Timings) =>
  measured(name, timings.perSecond, '/s', { note: noteOf(timings) });

/** In a closed loop: each writer appends its next record when the last one is on disk. */
async function measureAppends(directory: string, writers: number): Promise<Timings> {
  const spool = await openSpool({
    directory,
    onFatal(error) {
      throw error;
    },
  });
  const record = Buffer.alloc(recordBytes, 1);
  // Release synced records, so that the bench uses at most two segments of disk.
  const releasing = setInterval(() => void spool.release(spool.lastSequence()), 100);
  try {
    const act = () => spool.append(record);
    return await repeat({ warmUpMs, measureMs, inFlight: writers, act });
  } finally {
    clearInterval(releasing);
    await spool.stop();
  }
}

/** About what a fact of usage takes as JSON. */
const factBytes = 1_024;
const factsWaiting = 20_000;
/** Routing has as many messages in flight. */
const messagesInFlight = 256;

/** Measures how fast the bus stores a backlog of usage facts with fsync: single facts, and bundles. */
export async function busBench(): Promise<readonly Measure[]> {
  const binary = await ensureNatsServer(process.env, showProgress);
  return await withScratch('nats', async (directory) => {
    const server = await startNats({ directory, binary, onLog: () => {} });
    const logger = { info: () => {}, warn: showProgress, error: showProgress };
    const bus = await connectBus({ url: server.url, token: server.token, name: 'bench', logger });
    try {
      await bus.ensureStream(usageStream);
      const measures: Measure[] = [];
      for (const facts of [1, usageBundleFactsMax]) {
        showProgress(`usage facts, ${facts} to a message`);
        const fact = JSON.stringify({ text: 'x'.repeat(factBytes) });
        const message = Buffer.from(`{"facts":[${Array(facts).fill(fact).join(',')}]}`);
        const subject = subjects.usageRecorded('bench');
        const seconds = await inParallel(factsWaiting / facts, messagesInFlight, (number) =>
          bus.publishFact(subject, `${facts}/${number}`, message),
        );
        const name = `bus: usage facts, ${facts} to a message`;
        measures.push(measured(name, factsWaiting / seconds, '/s'));
      }
      return measures;
    } finally {
      await bus.stop();
      await server.stop();
    }
  });
}
