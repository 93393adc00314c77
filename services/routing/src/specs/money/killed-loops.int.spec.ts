import { deepEqual, ok } from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { setImmediate as tick } from 'node:timers/promises';
import { isStream } from '@sluice/inference-port';
import { searchesFileOf } from '@sluice/simulator';
import { expect, test } from 'vitest';
import { recover } from '../../usage/journal/recover.ts';
import {
  eventually,
  type RoutingHarness,
  routingHarness,
  textOf,
} from '../../testing/routing-harness.ts';

// A loop of tools is killed before each of its writes to the spool, and after it: no provider was called without an
// intent on disk, no client has the end of an answer whose usage is not on disk, and each receipt has its fact.

const catalogFile = () =>
  'tool_prices: [{ tool: "service:web_search", engine: simulator, call: "0.001" }]';
const loops = {
  'a free tool and a search': {
    input:
      'agent: call service_datetime call service_web_search {"query":"moons"} then call service_datetime then say done',
    tools: [{ type: 'service:datetime' }, { type: 'service:web_search' }],
  },
  'a tool that asks a model': {
    input: 'agent: call service_advisor {"prompt":"which?"} then say done',
    tools: [{ type: 'service:advisor' }],
  },
  'answers that are judged': {
    input: 'agent: call service_datetime then say apple',
    tools: [{ type: 'service:datetime' }],
    plugins: [{ id: 'alignment', rules: ['Never say "banana"'] }],
  },
  'answers that are withheld': {
    input: 'banana',
    plugins: [{ id: 'alignment', rules: ['Never say "banana"'] }],
  },
} as const;
type LoopName = keyof typeof loops;
const names = Object.keys(loops) as LoopName[];
const ways = [false, true].flatMap((stream) =>
  (['before', 'after'] as const).map((moment) => ({ stream, moment })),
);
/** Each write of a loop is killed in one of the four ways, the next write in the next way. Nightly: in all of them. */
const step = process.env['WRITES'] === 'all' ? 1 : ways.length;
const cases = names.flatMap((name) =>
  ways.map((way, index) => ({ name, ...way, first: step === 1 ? 1 : index + 1 })),
);
/** More ticks than a request takes that waits for nothing. */
const ticks = 300;

/** A process that dies at one of its writes. The write is lost, or only its acknowledgment is. */
class Death {
  readonly #reached = Promise.withResolvers<void>();
  readonly #buried = Promise.withResolvers<never>();
  readonly reached = this.#reached.promise;
  #writes = 0;
  #hasDied = false;
  /** Writes that began before it died, and are not on disk. */
  unfinished = 0;
  isDead = false;
  readonly #at: number;
  readonly #moment: 'before' | 'after';

  constructor(at: number, moment: 'before' | 'after') {
    this.#at = at;
    this.#moment = moment;
    this.#buried.promise.catch(() => {});
  }

  readonly beforeWrite = async (): Promise<void> => {
    this.#writes += 1;
    if (this.#moment === 'before' && this.#writes === this.#at) this.#die();
    if (this.isDead) await this.#buried.promise;
    this.unfinished += 1;
  };

  readonly afterWrite = async (): Promise<void> => {
    this.unfinished -= 1;
    if (this.#moment === 'after' && this.#writes >= this.#at && !this.#hasDied) this.#die();
    if (this.isDead) await this.#buried.promise;
  };

  /** A process that is started again writes as any other. */
  bury(): void {
    this.isDead = false;
    this.#buried.reject(new Error('the process is dead'));
  }

  #die(): void {
    this.#hasDied = true;
    this.isDead = true;
    this.#reached.resolve();
  }
}

/** Returns the usage ids of all calls of models and of search engines. */
async function receiptsOf(routing: RoutingHarness): Promise<readonly string[]> {
  const searches = await readFile(searchesFileOf(routing.receiptsFile), 'utf8').catch(() => '');
  const lines = searches.split('\n').filter((line) => line !== '');
  const searched = lines.map((line) => JSON.parse(line) as { client_request_id: string });
  return [...(await routing.receipts()), ...searched].map((one) => one.client_request_id);
}

/** Kills one run at a write. Returns false if the run ended before it. */
async function kill(
  { name, stream, moment }: (typeof cases)[number],
  at: number,
): Promise<boolean> {
  const death = new Death(at, moment);
  const { beforeWrite, afterWrite } = death;
  const routing = await routingHarness({ catalogFile, beforeWrite, afterWrite });
  routing.accounts.aligned.add('account');
  try {
    const seen = { text: '', hasEnded: false };
    const run = async () => {
      const body = { model: 'sim/echo', ...loops[name], stream };
      const reply = await routing.call(body, { mayBreak: true });
      if (!isStream(reply.body)) seen.text = await textOf(reply);
      else for await (const bytes of reply.body) seen.text += Buffer.from(bytes).toString();
      seen.hasEnded = true;
    };
    const running = run();
    running.catch(() => {});
    await Promise.race([death.reached, running]);
    for (let count = 0; count < ticks; count += 1) await tick();
    // A call begins when its intent is in the file, and the spool reads what is on disk.
    await eventually(() => death.unfinished === 0, `writes end, write ${at}`);
    const isTold =
      /response\.completed|breaks a rule/.test(seen.text) || (!stream && seen.hasEnded);
    const { finals, interrupted } = await recover(routing.spool);
    const settled = new Set(finals.map(({ fact }) => fact.usageId));
    const admitted = new Set([...settled, ...interrupted.map(({ intent }) => intent.usageId)]);
    const called = await receiptsOf(routing);
    deepEqual(
      called.filter((usageId) => !admitted.has(usageId)),
      [],
      `calls without an intent, write ${at}`,
    );
    if (isTold) {
      ok(
        called.every((usageId) => settled.has(usageId)),
        `the end was told before the usage, write ${at}`,
      );
      ok(called.length > 1);
    }
    if (!death.isDead) {
      await running;
      ok(isTold);
      return false;
    }
    const first = routing.service;
    await routing.crash();
    death.bury();
    await routing.start();
    const known = await eventually(async () => {
      const facts = routing.ledger.facts.map(({ usageId }) => usageId);
      const receipts = await receiptsOf(routing);
      return receipts.every((usageId) => facts.includes(usageId)) ? facts : undefined;
    }, `a fact of each receipt, write ${at}`);
    deepEqual(known.length, new Set(known).size);
    await first.stop();
    return true;
  } finally {
    death.bury();
    await routing.stop();
  }
}

test.for(cases)('$name, streamed: $stream, killed $moment its writes', async (one) => {
  let at = one.first;
  while (await kill(one, at)) at += step;
  // Each call of a model and of a search has an intent and a fact, and the free calls have facts.
  expect(at).toBeGreaterThan(one.name === 'a free tool and a search' ? 10 : 7);
});
