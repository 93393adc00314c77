import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createDocumentReader } from '@sluice/document-text';
import { pdfOf } from '@sluice/document-text/testing';
import { createEgress, parseAllowList } from '@sluice/egress';
import { createWebFetcher } from '@sluice/web-fetch';
import { type Measured, measure, median } from './measure.ts';

/**
 * Prints the cost of fetching a page of 200 KB, and of reading a PDF of 20 pages from the base64 of a request: the
 * processor time of the threads, which the extraction has almost all of, and of the event loop. No tick of the loop is
 * longer than all of its processor time for one of them. Exit code 1 if a bound is broken. The longest tick on the
 * clock is printed without a bound: other work on the machine lengthens it.
 */
const { ROUNDS = '150' } = process.env;
const rounds = Number(ROUNDS);

const say = (...words: readonly string[]) => process.stdout.write(`${words.join(' ')}\n`);

process.exitCode = (await measurePage()) + (await measurePdf()) > 0 ? 1 : 0;

async function measurePage(): Promise<number> {
  const site = fork(new URL('site.ts', import.meta.url));
  const [port] = (await once(site, 'message')) as [number];
  const egress = createEgress({ allowList: parseAllowList(`127.0.0.1:${port}`) });
  const fetcher = createWebFetcher({ egress });
  try {
    const measured = await measure(rounds, async () => {
      const page = await fetcher.fetch({ url: `http://127.0.0.1:${port}/`, account: 'bench' });
      if ('error' in page) throw new Error(page.error);
    });
    return tell('a page of 200 KB', measured, { threadMs: 60, loopMs: 20 });
  } finally {
    await fetcher.stop();
    await egress.stop();
    site.kill();
  }
}

async function measurePdf(): Promise<number> {
  const documents = createDocumentReader();
  const source = samplePdf().toString('base64');
  const asked = { source, contentType: 'application/pdf', url: '', tokensMax: 1_000_000 };
  try {
    const measured = await measure(rounds, async () => {
      const read = await documents.read({ ...asked, account: 'bench', knownHashes: [] });
      if ('error' in read) throw new Error(read.error);
    });
    return tell('a PDF of 20 pages', measured, { threadMs: 150, loopMs: 20 });
  } finally {
    await documents.stop();
  }
}

/** Returns a PDF of 20 pages with 60,000 characters. */
function samplePdf(): Buffer {
  const line = 'the committee met in the morning to discuss how a new system should work for all ';
  return pdfOf(Array.from({ length: 20 }, () => line.repeat(37)));
}

function tell(
  what: string,
  { threadMs, loopMs, tickMs }: Measured,
  bounds: { readonly threadMs: number; readonly loopMs: number },
): number {
  const middleMs = median(threadMs);
  const largestMs = Math.max(...loopMs);
  say(what);
  say(
    `processor time of threads, median     ${middleMs.toFixed(0)} ms  (at most ${bounds.threadMs})`,
  );
  say(`processor time of threads, least      ${Math.min(...threadMs).toFixed(0)} ms`);
  say(`processor time of the loop, median    ${median(loopMs).toFixed(1)} ms`);
  say(
    `processor time of the loop, most      ${largestMs.toFixed(1)} ms  (at most ${bounds.loopMs})`,
  );
  say(`tick of the loop on the clock, 99 %   ${tickMs.toFixed(1)} ms`);
  return middleMs <= bounds.threadMs && largestMs <= bounds.loopMs ? 0 : 1;
}
