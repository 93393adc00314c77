import { equal, match, ok } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ClientDialectName } from '@sluice/inference-port';
import type { Script, SearchReceipt } from '@sluice/simulator';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { KeptCredential } from '../../testing/in-memory-credentials.ts';
import {
  eventually,
  type RoutingHarness,
  routingHarness,
  somebody,
  textOf,
} from '../../testing/routing-harness.ts';

// A workspace searches with its own key of an engine, and pays the engine itself.

/** The model searches once, and answers with what it has read. */
const script: Script = ({ turns, tools: [tool] }) => {
  const found = turns.findLast(({ role }) => role === 'tool');
  if (found || !tool) return { parts: [{ type: 'text', name: '', text: found?.text ?? '' }] };
  const text = JSON.stringify({ query: 'moons of Saturn' });
  return { parts: [{ type: 'tool-call', name: tool.name, text }] };
};

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness({ script });
});
afterAll(() => routing.stop());
afterEach(() => routing.credentials.kept.clear());

const secret = 'own-key-canary-0123456789';
const listNanoUsd = 7_000_000n;

let count = 0;

/** Keeps an own credential, and returns its id. Secrets stay in the cache by their ids. */
function keep(credential: KeptCredential): string {
  count += 1;
  const id = `own-${count}`;
  routing.credentials.kept.set(id, credential);
  return id;
}

interface Asked {
  readonly engine?: string;
  readonly dialect?: ClientDialectName;
  readonly stream?: boolean;
}

async function ask({ engine, dialect = 'responses', stream = false }: Asked = {}) {
  // Each question is of a workspace that has no cached credentials yet.
  const workspaceId = `0190a000-0000-7000-8000-${String((count += 1)).padStart(12, '0')}`;
  const tools = [
    { type: 'service:web_search', parameters: engine === undefined ? {} : { engine } },
  ];
  const input = [{ role: 'user', content: 'search' }];
  const body =
    dialect === 'responses'
      ? { input, tools }
      : { messages: input, tools, ...(dialect === 'messages' && { max_tokens: 9_000 }) };
  const reply = await routing.call(
    { model: 'sim/echo', stream, ...body },
    { dialect, principal: { ...somebody, workspaceId } },
  );
  const text = await textOf(reply);
  const id = reply.headers['x-generation-id'] ?? '';
  const all = () => routing.ledger.facts.filter(({ generationId }) => generationId === id);
  await eventually(
    () => all().filter(({ apiType }) => apiType === '').length === 2 || undefined,
    'facts',
  );
  const tool = all().filter(({ apiType }) => apiType === 'tool');
  return { text, tools: tool.toSorted((a, b) => (a.usageId < b.usageId ? -1 : 1)), all: all() };
}

async function receiptOf(usageId: string): Promise<SearchReceipt | undefined> {
  const file = join(dirname(routing.receiptsFile), 'receipts-searches.jsonl');
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  return lines
    .map((line) => JSON.parse(line) as SearchReceipt)
    .find((one) => one.client_request_id === usageId);
}

const doors = ['responses', 'chat-completions', 'messages'] as const;

describe("a search with the account's own key", () => {
  test.each(doors.flatMap((dialect) => [false, true].map((stream) => ({ dialect, stream }))))(
    'is paid to its engine, and no credits pay for it: $dialect, streamed: $stream',
    async ({ dialect, stream }) => {
      const own = keep({ provider: 'exa', secret });
      const { text, tools, all } = await ask({ dialect, stream });
      equal(tools.length, 1);
      const [fact] = tools;
      expect(fact).toMatchObject({
        provider: 'exa',
        isByok: true,
        credentialId: own,
        costNanoUsd: listNanoUsd,
        feeNanoUsd: 0n,
        leaseNumbers: [],
        outcome: 'completed',
      });
      const receipt = await receiptOf(fact?.usageId ?? '');
      equal(receipt?.engine, 'exa');
      equal(receipt?.credential_sha256, createHash('sha256').update(secret).digest('hex'));
      const paid = all.reduce(
        (sum, one) => sum + (one.isByok ? one.feeNanoUsd : one.costNanoUsd),
        0n,
      );
      match(text, new RegExp(`"cost":${String(Number(paid) / 1e9)}[,}]`));
      match(text, /"server_tool_cost":0[,}]/);
      ok(!text.includes(secret));
      ok(
        !JSON.stringify(all, (_, value) =>
          typeof value === 'bigint' ? String(value) : value,
        ).includes(secret),
      );
    },
  );

  test('falls to the engine of the platform if the key is refused, and the refusal costs nothing', async () => {
    const bad = `${secret}-sim-error-401`;
    const own = keep({ provider: 'exa', secret: bad });
    const { text, tools } = await ask();
    expect(tools).toMatchObject([
      {
        provider: 'exa',
        isByok: true,
        credentialId: own,
        outcome: 'failed',
        costNanoUsd: 0n,
      },
      { provider: 'simulator', isByok: false, outcome: 'completed' },
    ]);
    match(text, /"tool_calls_executed":1/);
    ok(!text.includes(secret));
  });

  test('falls to nothing if the key is required', async () => {
    const bad = `${secret}-sim-error-401`;
    keep({ provider: 'exa', secret: bad, isRequired: true });
    const { text, tools } = await ask({ engine: 'exa' });
    expect(tools).toMatchObject([{ provider: 'exa', outcome: 'failed', costNanoUsd: 0n }]);
    match(text, /exa: the search engine rejected the request or its key/);
    ok(!text.includes(secret));
  });

  test('is not made with a key that cannot be opened', async () => {
    keep({ provider: 'exa', secret, isUnreadable: true });
    const { text, tools } = await ask({ engine: 'exa' });
    expect(tools).toMatchObject([
      { provider: 'exa', isByok: true, outcome: 'failed', costNanoUsd: 0n },
    ]);
    match(text, /own key of the engine cannot be opened/);
  });

  test.each([
    ['of another API key', { allowedApiKeyHashes: { values: ['0'.repeat(64)] } }],
    ['of another model', { allowedModels: { values: ['other/model'] } }],
  ])('is not made with a key %s', async (_, settings) => {
    keep({ provider: 'exa', secret, ...settings });
    const { tools } = await ask();
    expect(tools).toMatchObject([{ provider: 'simulator', isByok: false }]);
  });

  test('costs nothing where the list price is none, and is still told as an own key', async () => {
    const own = keep({ provider: 'firecrawl', secret });
    const { tools } = await ask({ engine: 'firecrawl' });
    expect(tools).toMatchObject([
      { provider: 'firecrawl', isByok: true, credentialId: own, costNanoUsd: 0n },
    ]);
  });
});
