import { deepEqual, equal, ok } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  contentStream,
  endStream,
  failureStream,
  type InMemoryBus,
  subjectFilters,
} from '@sluice/bus';
import { type KeyManagement, localKeyManagement, open } from '@sluice/envelope';
import { type Contents, decodeContents } from '@sluice/generation-contents';
import type { ClientApplication, ClientDialectName } from '@sluice/inference-port';
import { until } from '@sluice/patience';
import {
  GenerationContents,
  GenerationEnded,
  GenerationEndedBundle,
  GenerationFailed,
} from '@sluice/protos/sluice/generation/v1/generation_events';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { assignFilters } from '../testing/assign-filters.ts';
import {
  routingHarness,
  type RoutingHarness,
  somebody,
  textOf,
} from '../testing/routing-harness.ts';

let folder: string;
let keys: KeyManagement;
let routing: RoutingHarness;
let ends: readonly GenerationEnded[];
let logged: readonly GenerationContents[];
let failures: readonly GenerationFailed[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'observation-'));
  keys = await localKeyManagement(join(folder, 'keys'));
  routing = await routingHarness({ contentKeys: keys });
  ends = await endsOn(routing.bus);
  logged = await loggedOn(routing.bus);
  failures = await failuresOn(routing.bus);
});
afterAll(async () => {
  await routing.stop();
  await rm(folder, { recursive: true });
});

async function endsOn(bus: InMemoryBus): Promise<readonly GenerationEnded[]> {
  const read: GenerationEnded[] = [];
  await bus.ensureStream(endStream);
  void bus.consume({
    stream: endStream.name,
    durable: 'spec',
    filter: subjectFilters.generationEnded,
    batchMax: 10,
    signal: new AbortController().signal,
    async handle(batch) {
      read.push(...batch.flatMap(({ data }) => GenerationEndedBundle.fromJSON(data).ends));
    },
  });
  return read;
}

async function loggedOn(bus: InMemoryBus): Promise<readonly GenerationContents[]> {
  const read: GenerationContents[] = [];
  await bus.ensureStream(contentStream);
  void bus.consume({
    stream: contentStream.name,
    durable: 'spec',
    filter: subjectFilters.contentsLogged,
    batchMax: 10,
    signal: new AbortController().signal,
    async handle(batch) {
      read.push(...batch.map(({ data }) => GenerationContents.fromJSON(data)));
    },
  });
  return read;
}

async function failuresOn(bus: InMemoryBus): Promise<readonly GenerationFailed[]> {
  const read: GenerationFailed[] = [];
  await bus.ensureStream(failureStream);
  void bus.consume({
    stream: failureStream.name,
    durable: 'spec',
    filter: subjectFilters.generationFailed,
    batchMax: 10,
    signal: new AbortController().signal,
    async handle(batch) {
      read.push(...batch.map(({ data }) => GenerationFailed.fromJSON(data)));
    },
  });
  return read;
}

interface Asked {
  readonly observation: string;
  readonly client?: ClientApplication;
  readonly stream?: boolean;
}

/** Answers a request in a workspace with destinations. Returns its usage fact, and its end if there is one. */
async function ask({ observation, client, stream = false }: Asked) {
  routing.policies.observation = observation;
  // The answer about the workspace is kept for a while.
  const account = `account-${String(++count)}`;
  const principal = { ...somebody, accountId: account };
  const reply = await routing.call(
    { model: 'sim/echo', input: 'a secret plan', stream },
    {
      principal,
      ...(client && { client }),
    },
  );
  const text = await textOf(reply);
  equal(reply.status, 200, text);
  const id = reply.headers['x-generation-id'];
  const fact = await until(() => routing.ledger.facts.find((one) => one.generationId === id));
  if (!fact.hasEnd) return { fact, end: undefined, contents: undefined };
  const end = await until(() => ends.find((one) => one.generationId === id));
  return { fact, end, contents: await opened(end) };
}
let count = 0;

async function opened(end: GenerationEnded): Promise<Contents | undefined> {
  if (!end.contents) return undefined;
  const { accountId, generationId, contents } = end;
  return decodeContents(
    await open(keys, { accountId, recordId: `contents/${generationId}` }, contents),
  );
}

describe('contents leave routing', () => {
  test.each([false, true])('sealed, if a destination wants them, streamed: %s', async (stream) => {
    const { end, contents } = await ask({ observation: 'contents', stream });
    ok(
      !JSON.stringify(GenerationEnded.toJSON(end ?? ({} as GenerationEnded))).includes(
        'secret plan',
      ),
    );
    equal(end?.turns, 1);
    deepEqual(contents?.input, [
      { role: 'user', parts: [{ type: 'text', content: 'a secret plan' }] },
    ]);
    const [answer] = contents.output;
    equal(answer?.role, 'assistant');
    equal(answer.finish_reason, 'stop');
    ok(JSON.stringify(answer.parts).includes('secret plan'));
  });

  test('with none of it if the request says so', async () => {
    const withheld = await ask({ observation: 'contents', client: { withholdsContents: true } });
    deepEqual([withheld.fact.hasEnd, withheld.end], [false, undefined]);
  });

  test('not at all, if no destination wants them', async () => {
    for (const observation of ['', 'ends', 'unknown']) {
      const { fact, end } = await ask({ observation });
      deepEqual([fact.hasEnd, end], [false, undefined], observation);
    }
  });
});

test('a failed response says that its end follows, and the end has its messages', async () => {
  routing.policies.observation = 'contents';
  const principal = { ...somebody, accountId: `account-${String(++count)}` };
  const body = { model: 'sim/trio', input: '[sim:error-500] a secret plan' };
  const reply = await routing.call(body, { principal });
  await textOf(reply);
  const id = reply.headers['x-generation-id'];
  const failed = await until(() => failures.find((one) => one.generationId === id));
  deepEqual([failed.turn, failed.hasEnd], [1, true]);
  const end = await until(() => ends.find((one) => one.generationId === id));
  equal(end.turns, 1);
  const contents = await opened(end);
  ok(JSON.stringify(contents?.input).includes('a secret plan'));
  deepEqual(contents?.output, []);
});

test.each([false, true])(
  'the end has what guardrails found, without its text, streamed: %s',
  async (stream) => {
    routing.policies.observation = 'ends';
    const keyHash = assignFilters(routing.policies, {
      builtin: { email: 'flag', ssn: 'redact' },
      scanOutput: 'redact',
    });
    const principal = { ...somebody, accountId: `account-${String(++count)}`, keyHash };
    const said = Buffer.from('123-45-6789').toString('hex');
    const input = `ann@example.com bob@example.com [sim:says-${said}]`;
    const reply = await routing.call({ model: 'sim/echo', input, stream }, { principal });
    await textOf(reply);
    equal(reply.status, 200);
    const id = reply.headers['x-generation-id'];
    const end = await until(() => ends.find((one) => one.generationId === id));
    deepEqual(
      end.guardrailEvents.map(({ stage, detection }) => [
        stage,
        detection?.filter,
        detection?.action,
        detection?.count,
      ]),
      [
        ['input', 'email', 'flag', 2n],
        ['output', 'ssn', 'redact', 1n],
      ],
    );
    ok(end.guardrailEvents.every(({ detection }) => detection?.guardrailId !== ''));
    equal(end.contents, undefined);
    ok(!/example\.com|6789/.test(JSON.stringify(GenerationEnded.toJSON(end))));
    const fact = await until(() => routing.ledger.facts.find((one) => one.generationId === id));
    deepEqual([fact.hasEnd, fact.guardrailInvoked], [true, true]);
  },
);

describe('contents that a workspace stores', () => {
  interface Logging {
    readonly body?: object;
    readonly client?: ClientApplication;
    readonly samplingRate?: number;
    readonly keyIds?: readonly bigint[];
    readonly dialect?: ClientDialectName;
    readonly account?: string;
  }

  /** Asks in a workspace that stores contents. Returns the status and the id of the generation. */
  async function askLogged({ body, client, samplingRate = 1, keyIds, dialect, account }: Logging) {
    routing.policies.observation = '';
    const apiKeyIds = keyIds && { ids: [...keyIds] };
    routing.policies.contentLogging = { samplingRate, apiKeyIds };
    const accountId = account ?? `account-${String(++count)}`;
    const principal = { ...somebody, accountId, creatorUserId: 'ann' };
    const reply = await routing.call(
      { ...(!dialect && { model: 'sim/echo', input: 'a stored plan' }), ...body },
      { principal, ...(client && { client }), ...(dialect && { dialect }) },
    );
    await textOf(reply);
    routing.policies.contentLogging = undefined;
    return { status: reply.status, id: reply.headers['x-generation-id'] ?? '' };
  }

  async function contentsOf(id: string): Promise<Contents | undefined> {
    const found = await until(() => logged.find((one) => one.generationId === id));
    const { accountId, generationId, contents } = found;
    ok(contents);
    ok(!JSON.stringify(GenerationContents.toJSON(found)).includes('stored plan'));
    equal(found.userId, 'ann');
    const owner = { accountId, recordId: `logged/${generationId}` };
    return decodeContents(await open(keys, owner, contents));
  }

  /** Asks once more: contents of earlier requests have come by the time that those of this one have. */
  async function isNotStored(id: string): Promise<boolean> {
    await contentsOf((await askLogged({})).id);
    return !logged.some((one) => one.generationId === id);
  }

  test.each([false, true])('leave sealed, and no end is reported, streamed: %s', async (stream) => {
    const { id } = await askLogged({ body: { stream } });
    const contents = await contentsOf(id);
    deepEqual(contents?.input[0]?.parts, [{ type: 'text', content: 'a stored plan' }]);
    ok(JSON.stringify(contents.output).includes('stored plan'));
    equal(contents.error, undefined);
    const fact = await until(() => routing.ledger.facts.find((one) => one.generationId === id));
    equal(fact.hasEnd, false);
  });

  const messages = [{ role: 'user', content: 'a stored plan' }];
  const doors = {
    responses: { input: 'a stored plan' },
    'chat-completions': { messages },
    messages: { messages, max_tokens: 100 },
  } as const;
  const models = ['sim/echo', 'sim/chat', 'sim/messages', 'sim/gemini'];
  const cases = (Object.keys(doors) as (keyof typeof doors)[]).flatMap((dialect) =>
    models.flatMap((model) => [false, true].map((stream) => ({ dialect, model, stream }))),
  );

  test.each(cases)('have both sides: $dialect, $model, streamed: $stream', async (asked) => {
    const { dialect, model, stream } = asked;
    const body = { model, stream, ...doors[dialect] };
    const { status, id } = await askLogged({ dialect, body });
    equal(status, 200);
    const contents = await contentsOf(id);
    const text = { type: 'text', content: 'a stored plan' };
    deepEqual(contents?.input, [{ role: 'user', parts: [text] }]);
    ok(JSON.stringify(contents.output).includes('a stored plan'), JSON.stringify(contents));
  });

  test('have the texts of embeddings and of rerank', async () => {
    const vectors = await askLogged({
      dialect: 'embeddings',
      body: { model: 'sim/embedding', input: ['a stored plan', 'another'] },
    });
    const ranks = await askLogged({
      dialect: 'rerank',
      body: { model: 'sim/rerank', query: 'which plan?', documents: ['a stored plan', 'b'] },
    });
    for (const { status, id } of [vectors, ranks]) {
      equal(status, 200);
      const contents = await contentsOf(id);
      ok(JSON.stringify(contents?.input).includes('a stored plan'), JSON.stringify(contents));
    }
  });

  test('have an answer that is repeated from the cache', async () => {
    const client = { cache: { isOn: true } } as const;
    const first = await askLogged({ client, account: 'account-cached' });
    const again = await askLogged({ client, account: 'account-cached' });
    const [made, repeated] = [await contentsOf(first.id), await contentsOf(again.id)];
    ok(first.id !== again.id);
    deepEqual(repeated, made);
  });

  test('have the error that ended the generation, before its output or in it', async () => {
    const early = await askLogged({ body: { input: 'a stored plan [sim:error-400]' } });
    equal(early.status, 400);
    const refused = await contentsOf(early.id);
    const { error } = refused ?? {};
    deepEqual([error?.code, error?.previous, refused?.output], ['invalid_request', [], []]);
    ok(error?.provider);
    const body = { input: 'a stored plan [sim:fail-2]', stream: true };
    const late = await contentsOf((await askLogged({ body })).id);
    ok(late?.error && late.output.length > 0);
  });

  test('are none where the request, its key, or zero data retention says so', async () => {
    const withheld = await askLogged({ client: { withholdsContents: true } });
    const unlisted = await askLogged({ keyIds: [1n] });
    const none = await askLogged({ keyIds: [] });
    const zdr = await askLogged({ body: { model: 'sim/trio', provider: { zdr: true } } });
    for (const { status, id } of [withheld, unlisted, none, zdr]) {
      equal(status, 200);
      ok(await isNotStored(id), id);
    }
  });
});
