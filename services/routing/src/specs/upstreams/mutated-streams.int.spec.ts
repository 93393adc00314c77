import { deepEqual, equal, ok } from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BrokenRule } from '@sluice/testing/response-stream';
import { afterAll, beforeAll, test } from 'vitest';
import { mutatedStream } from '../../testing/mutated-stream.ts';
import { upstreamToolsStream } from '../../testing/upstream-tools-stream.ts';
import {
  eventsOf,
  routingHarness,
  textOf,
  type RoutingHarness,
} from '../../testing/routing-harness.ts';

/** More of them: `SLUICE_MUTATED_STREAMS=1200`. */
const streamsPerCase = Number(process.env['SLUICE_MUTATED_STREAMS'] ?? 60);
/** The bound for a slow machine. */
const streamMsMax = 100;
const dialects = ['openai-responses', 'openai-chat', 'anthropic-messages', 'google-gemini'];

let seed = 0;
/** Between routing and its simulator: what the simulator streams arrives out of order and broken. */
const between = createServer((request, response) => {
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.on('end', () => {
    const { method = 'POST', headers } = request;
    const sent = Object.entries(headers).flatMap(([name, value]) =>
      name === 'host' || name === 'connection' || typeof value !== 'string'
        ? []
        : [[name, value] as [string, string]],
    );
    const body = Buffer.concat(pieces);
    if (body.includes(ofUpstreamTools.input)) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      return void response.end(mutatedStream(upstreamToolsStream, seed));
    }
    void fetch(new URL(request.url ?? '', simulated.simulator.url), {
      method,
      headers: sent,
      body,
    }).then(async (reply) => {
      response.writeHead(reply.status, {
        'content-type': reply.headers.get('content-type') ?? 'text/event-stream',
      });
      const text = await reply.text();
      response.end(reply.ok ? mutatedStream(text, seed) : text);
    });
  });
});

let simulated: RoutingHarness;
let routing: RoutingHarness;
beforeAll(async () => {
  between.listen(0, '127.0.0.1');
  await once(between, 'listening');
  const { port } = between.address() as AddressInfo;
  simulated = await routingHarness();
  const { pathname } = new URL(simulated.simulator.url);
  const url = `http://127.0.0.1:${port}${pathname}`;
  routing = await routingHarness({
    catalogFile: () => catalogFile(url),
    limits: { firstOutputTimeoutMs: 2_000, idleTimeoutMs: 2_000 },
  });
});
afterAll(async () => {
  await routing.stop();
  await simulated.stop();
  between.close();
  await once(between, 'close');
});

function catalogFile(url: string): string {
  const pricing = { prompt: '0.000001', completion: '0.000002' };
  return JSON.stringify({
    providers: dialects.map((slug) => ({ slug, name: slug, dialect: slug, base_url: url })),
    models: dialects.map((provider) => ({
      id: `odd/${provider}`,
      provider,
      upstream_model: 'echo',
      context_length: 64_000,
      max_output_tokens: 16_000,
      pricing,
    })),
  });
}

const tools = [
  { type: 'function', name: 'get_weather', parameters: { type: 'object', properties: {} } },
  { type: 'custom', name: 'sql' },
];
const bodies = [
  { input: 'one two three four' },
  { input: 'call get_weather and call sql', tools },
  { input: 'hm', reasoning: { effort: 'high', summary: 'auto' }, max_output_tokens: 8_000 },
  { input: '[sim:refuse] do it' },
];

const ofUpstreamTools = { input: 'the tools of the upstream', top_logprobs: 1 };

const cases: readonly (readonly [dialect: string, what: string, bodies: readonly object[]])[] = [
  ...dialects.map((dialect) => [dialect, 'says itself', bodies] as const),
  ['openai-responses', 'lets its own tools do', [ofUpstreamTools]],
];

test.each(cases)(
  'of whatever a provider that speaks %s %s a client reads a stream that keeps every rule, or an error',
  async (dialect, _what, asked) => {
    let streams = 0;
    for (seed = 1; seed <= streamsPerCase; seed++) {
      const body = asked[seed % asked.length] ?? {};
      const asking = { model: `odd/${dialect}`, stream: true, ...body };
      const reply = await routing.call(asking, { mayCorrect: true });
      const text = await textOf(reply).catch((error: unknown) => {
        if (error instanceof BrokenRule) throw new Error(`seed ${seed}: ${error.message}`);
        throw error;
      });
      if (reply.status === 200) streams += 1;
      else equal(reply.status, 502, `seed ${seed}: ${text}`);
    }
    ok(streams > streamsPerCase / 2, `${streams} streams`);
    equal(routing.ledger.facts.filter(({ outcome }) => outcome === 'interrupted').length, 0);
  },
  30_000 + streamsPerCase * streamMsMax,
);

test('an undamaged stream delivers the upstream tools in full', async () => {
  seed = 0;
  const body = { model: 'odd/openai-responses', stream: true, ...ofUpstreamTools };
  const events = await eventsOf(await routing.call(body));
  const last = events.at(-1) as unknown as {
    readonly response: { readonly output: readonly { readonly type: string }[] };
  };
  deepEqual(
    last.response.output.map(({ type }) => type),
    ['web_search_call', 'code_interpreter_call', 'image_generation_call', 'message'],
  );
});
