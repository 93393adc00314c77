import { fork } from 'node:child_process';
import { once } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createEgress, parseAllowList } from '@sluice/egress';
import { createWebFetcher, type WebFetcher } from '@sluice/web-fetch';
import { percentile } from '../percentile.ts';

/**
 * Prints the cost of fetching a page of 200 KB: the processor time of the threads, which the extraction has almost all
 * of, and of the event loop. No tick of the loop is longer than all of its processor time for the page. Exit code 1 if
 * a bound is broken. The longest tick on the clock is printed without a bound: other work on the machine lengthens it.
 */
const { ROUNDS = '150' } = process.env;
const rounds = Number(ROUNDS);
/** The compiler needs so many pages. */
const warmUps = 30;
const bounds = { threadMs: 60, loopMs: 20 };
const resolutionMs = 1;

const say = (...words: readonly string[]) => process.stdout.write(`${words.join(' ')}\n`);

const site = fork(new URL('site.ts', import.meta.url));
const [port] = (await once(site, 'message')) as [number];
const egress = createEgress({ allowList: parseAllowList(`127.0.0.1:${port}`) });
const fetcher = createWebFetcher({ egress });
try {
  process.exitCode = await measure(fetcher, `http://127.0.0.1:${port}/`);
} finally {
  await fetcher.stop();
  await egress.stop();
  site.kill();
}

async function measure(pages: WebFetcher, url: string): Promise<number> {
  const read = async () => {
    const page = await pages.fetch({ url, account: 'bench' });
    if ('error' in page) throw new Error(page.error);
  };
  for (let count = 0; count < warmUps; count += 1) await read();
  const threadMs: number[] = [];
  const loopMs: number[] = [];
  for (let count = 0; count < rounds; count += 1) {
    const before = [process.cpuUsage(), process.threadCpuUsage()] as const;
    await read();
    const [all, loop] = [process.cpuUsage(before[0]), process.threadCpuUsage(before[1])];
    loopMs.push((loop.user + loop.system) / 1_000);
    threadMs.push((all.user + all.system) / 1_000 - (loopMs.at(-1) ?? 0));
  }
  const ticks = monitorEventLoopDelay({ resolution: resolutionMs });
  ticks.enable();
  for (let count = 0; count < rounds; count += 2) await Promise.all([read(), read()]);
  ticks.disable();
  const middleMs = percentile(threadMs, 0.5);
  const largestMs = Math.max(...loopMs);
  say(
    `processor time of threads, median     ${middleMs.toFixed(0)} ms  (at most ${bounds.threadMs})`,
  );
  say(`processor time of threads, least      ${Math.min(...threadMs).toFixed(0)} ms`);
  say(`processor time of the loop, median    ${percentile(loopMs, 0.5).toFixed(1)} ms`);
  say(
    `processor time of the loop, most      ${largestMs.toFixed(1)} ms  (at most ${bounds.loopMs})`,
  );
  say(`tick of the loop on the clock, 99 %   ${(ticks.percentile(99) / 1e6).toFixed(1)} ms`);
  return middleMs <= bounds.threadMs && largestMs <= bounds.loopMs ? 0 : 1;
}
