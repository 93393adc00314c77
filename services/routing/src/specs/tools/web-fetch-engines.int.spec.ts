import { match, ok } from 'node:assert/strict';
import type { Script } from '@sluice/simulator';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { KeptCredential } from '../../testing/in-memory-credentials.ts';
import {
  eventually,
  type RoutingHarness,
  routingHarness,
  somebody,
  textOf,
} from '../../testing/routing-harness.ts';

// Other engines than Sluice itself read a page, with a key of the platform or of the workspace.

const page = 'http://space.corpus.example/saturn';

/** The model reads the page that the question names, and answers with what it has read. */
const script: Script = ({ turns, tools: [tool] }) => {
  const found = turns.findLast(({ role }) => role === 'tool');
  if (found || !tool) return { parts: [{ type: 'text', name: '', text: found?.text ?? '' }] };
  const url = turns.find(({ role }) => role === 'user')?.text ?? '';
  return { parts: [{ type: 'tool-call', name: tool.name, text: JSON.stringify({ url }) }] };
};

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness({ script });
});
afterAll(() => routing.stop());
afterEach(() => routing.credentials.kept.clear());

let count = 0;
const secret = 'own-key-canary-0123456789';

/** Keeps an own credential, and returns its id. Secrets stay in the cache by their ids. */
function keep(credential: KeptCredential): string {
  count += 1;
  const id = `own-page-${count}`;
  routing.credentials.kept.set(id, credential);
  return id;
}

async function read(parameters: object, { url = page, stream = false, facts = 1 } = {}) {
  count += 1;
  const workspaceId = `0190a000-0000-7000-8001-${String(count).padStart(12, '0')}`;
  const tools = [{ type: 'service:web_fetch', parameters }];
  const body = { model: 'sim/echo', stream, input: url, tools };
  const reply = await routing.call(body, { principal: { ...somebody, workspaceId } });
  const text = await textOf(reply);
  const id = reply.headers['x-generation-id'] ?? '';
  const tool = () =>
    routing.ledger.facts.filter((fact) => fact.generationId === id && fact.apiType === 'tool');
  await eventually(() => tool().length >= facts || undefined, 'the facts of the tool');
  return { text, tools: tool() };
}

describe('a page that another engine reads', () => {
  test.each([false, true])(
    'costs its price, with the key of the platform; streamed: %s',
    async (stream) => {
      const { text, tools } = await read({ engine: 'parallel' }, { stream });
      expect(tools).toMatchObject([
        {
          provider: 'parallel',
          toolType: 'service:web_fetch',
          isByok: false,
          costNanoUsd: 1_000_000n,
          outcome: 'completed',
        },
      ]);
      match(text, /Saturn is the sixth planet/);
      match(text, /"server_tool_cost":0\.001[,}]/);
    },
  );

  test.each(['exa', 'parallel', 'firecrawl'])(
    'is paid to the engine with an own key: %s',
    async (engine) => {
      const own = keep({ provider: engine, secret });
      const { text, tools } = await read({ engine });
      expect(tools).toMatchObject([
        { provider: engine, isByok: true, credentialId: own, feeNanoUsd: 0n, outcome: 'completed' },
      ]);
      match(text, /Saturn is the sixth planet/);
      ok(!text.includes(secret));
    },
  );

  test('is read with an own key where the request names no engine', async () => {
    keep({ provider: 'exa', secret });
    expect((await read({})).tools).toMatchObject([
      { provider: 'exa', isByok: true, costNanoUsd: 1_000_000n },
    ]);
  });

  test('of an engine that is not set up is an error, and costs nothing', async () => {
    keep({ provider: 'parallel', secret });
    const { text, tools } = await read({ engine: 'exa' });
    expect(tools).toMatchObject([{ provider: '', costNanoUsd: 0n, outcome: 'failed' }]);
    match(text, /The engine exa is not set up/);
  });

  test('that it cannot read is an error, and costs nothing', async () => {
    const { text, tools } = await read(
      { engine: 'parallel' },
      { url: 'http://space.corpus.example/none' },
    );
    expect(tools).toMatchObject([{ provider: 'parallel', costNanoUsd: 0n, outcome: 'failed' }]);
    match(text, /parallel: the engine could not read the page/);
  });

  test.each([[{ blocked_domains: ['corpus.example'] }], [{ allowed_domains: ['other.example'] }]])(
    'is not asked for outside of the lists: %j',
    async (lists) => {
      const { text, tools } = await read({ engine: 'parallel', ...lists });
      expect(tools).toMatchObject([{ provider: 'parallel', costNanoUsd: 0n, outcome: 'failed' }]);
      match(text, /The URL is not permitted/);
    },
  );

  test('is read by Sluice itself if the own key is refused', async () => {
    const own = keep({ provider: 'exa', secret: `${secret}-sim-error-401` });
    const { tools, text } = await read({}, { facts: 2 });
    expect(tools.toSorted((one, other) => (one.usageId < other.usageId ? -1 : 1))).toMatchObject([
      { provider: 'exa', credentialId: own, outcome: 'failed', costNanoUsd: 0n },
      { provider: 'service', isByok: false },
    ]);
    ok(!text.includes(secret));
  });
});
