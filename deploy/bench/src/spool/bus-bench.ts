import { connectBus, subjects, usageBundleFactsMax, usageStream } from '@sluice/bus';
import { ensureNatsServer, startNats } from '@sluice/embedded';
import type { Measure } from '../measure.ts';
import { withScratch } from '../scratch.ts';
import { inParallel } from '../timings.ts';

export interface BusBenchOptions {
  /** On the disk that the bus is to write to. What is made in it is removed again. */
  readonly folder: string;
  readonly onProgress: (line: string) => void;
}

/** About what a fact of usage takes as JSON. */
const factBytes = 1_024;
const factsWaiting = 20_000;
/** Routing has as many messages in flight. */
const messagesOnTheirWay = 256;

/** Measures how fast the bus stores a backlog of usage facts with fsync: single facts, and bundles. */
export async function busBench(options: BusBenchOptions): Promise<readonly Measure[]> {
  const { onProgress } = options;
  const binary = await ensureNatsServer(process.env, onProgress);
  return await withScratch(options.folder, 'nats', async (directory) => {
    const server = await startNats({ directory, binary, onLog: () => {} });
    const logger = { info: () => {}, warn: onProgress, error: onProgress };
    const bus = await connectBus({ url: server.url, token: server.token, name: 'bench', logger });
    try {
      await bus.ensureStream(usageStream);
      const measures: Measure[] = [];
      for (const facts of [1, usageBundleFactsMax]) {
        onProgress(`usage facts, ${String(facts)} to a message`);
        const fact = JSON.stringify({ text: 'x'.repeat(factBytes) });
        const message = Buffer.from(`{"facts":[${Array(facts).fill(fact).join(',')}]}`);
        const subject = subjects.usageRecorded('bench');
        const seconds = await inParallel(factsWaiting / facts, messagesOnTheirWay, (number) =>
          bus.publishFact(subject, `${String(facts)}/${String(number)}`, message),
        );
        const name = `bus: usage facts, ${String(facts)} to a message`;
        measures.push({ name, value: factsWaiting / seconds, unit: '/s' });
      }
      return measures;
    } finally {
      await bus.stop();
      await server.stop();
    }
  });
}
