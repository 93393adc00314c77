import { fork } from 'node:child_process';
import { once } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createDocumentReader } from '@sluice/document-text';
import { pdfOf } from '@sluice/document-text/testing';
import { createEgress, parseAllowList } from '@sluice/egress';
import { createWebFetcher } from '@sluice/web-fetch';
import { type Measure, measured } from '../measure.ts';
import { percentile } from '../percentile.ts';

/** The compiler needs so many rounds. */
const warmUps = 30;
/** No tick of the event loop is longer than all of its processor time for one document. */
const loopMsMax = 20;

/**
 * Measures fetching a page of 200 KB, and reading a PDF of 20 pages from the base64 of a request: the processor time of
 * the threads, which the extraction has almost all of, and of the event loop. The longest tick on the clock has no
 * bound: other work on the machine lengthens it.
 */
export async function fetchBench(rounds: number): Promise<readonly Measure[]> {
  return [...(await measurePage(rounds)), ...(await measurePdf(rounds))];
}

async function measurePage(rounds: number): Promise<readonly Measure[]> {
  const site = fork(new URL('site.ts', import.meta.url));
  const [port] = (await once(site, 'message')) as [number];
  const egress = createEgress({ allowList: parseAllowList(`127.0.0.1:${port}`) });
  const fetcher = createWebFetcher({ egress });
  try {
    return await measure('a page of 200 KB', { rounds, threadMsMax: 60 }, async () => {
      const page = await fetcher.fetch({ url: `http://127.0.0.1:${port}/`, account: 'bench' });
      if ('error' in page) throw new Error(page.error);
    });
  } finally {
    await fetcher.stop();
    await egress.stop();
    site.kill();
  }
}

async function measurePdf(rounds: number): Promise<readonly Measure[]> {
  const documents = createDocumentReader();
  const source = samplePdf().toString('base64');
  const asked = { source, contentType: 'application/pdf', url: '', tokensMax: 1_000_000 };
  try {
    return await measure('a PDF of 20 pages', { rounds, threadMsMax: 150 }, async () => {
      const read = await documents.read({ ...asked, account: 'bench', knownHashes: [] });
      if ('error' in read) throw new Error(read.error);
    });
  } finally {
    await documents.stop();
  }
}

/** Returns a PDF of 20 pages with 60,000 characters. */
function samplePdf(): Buffer {
  const line = 'the committee met in the morning to discuss how a new system should work for all ';
  return pdfOf(Array.from({ length: 20 }, () => line.repeat(37)));
}

/** Measures so many rounds of some work, and the ticks while two run at a time. */
async function measure(
  what: string,
  { rounds, threadMsMax }: { readonly rounds: number; readonly threadMsMax: number },
  work: () => Promise<void>,
): Promise<readonly Measure[]> {
  for (let count = 0; count < warmUps; count += 1) await work();
  const [threadMs, loopMs]: [number[], number[]] = [[], []];
  for (let count = 0; count < rounds; count += 1) {
    const before = [process.cpuUsage(), process.threadCpuUsage()] as const;
    await work();
    const [all, loop] = [process.cpuUsage(before[0]), process.threadCpuUsage(before[1])];
    const ofLoopMs = (loop.user + loop.system) / 1_000;
    loopMs.push(ofLoopMs);
    threadMs.push((all.user + all.system) / 1_000 - ofLoopMs);
  }
  const ticks = monitorEventLoopDelay({ resolution: 1 });
  ticks.enable();
  for (let count = 0; count < rounds; count += 2) await Promise.all([work(), work()]);
  ticks.disable();
  return [
    measured(`${what}: processor time of threads, median`, percentile(threadMs, 0.5), 'ms', {
      atMost: threadMsMax,
      note: `least ${Math.min(...threadMs).toFixed(0)} ms`,
    }),
    measured(`${what}: processor time of the loop, most`, Math.max(...loopMs), 'ms', {
      atMost: loopMsMax,
      note: `median ${percentile(loopMs, 0.5).toFixed(1)} ms`,
    }),
    measured(`${what}: tick of the loop on the clock, 99 %`, ticks.percentile(99) / 1e6, 'ms'),
  ];
}
