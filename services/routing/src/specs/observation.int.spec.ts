import { deepEqual, equal, ok } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endStream, type InMemoryBus, subjectFilters } from '@sluice/bus';
import { type KeyManagement, localKeyManagement, open } from '@sluice/envelope';
import { type Contents, decodeContents } from '@sluice/generation-contents';
import type { ClientApplication } from '@sluice/inference-port';
import { until } from '@sluice/patience';
import { GenerationEnded } from '@sluice/protos/sluice/generation/v1/generation_events';
import { afterAll, beforeAll, describe, test } from 'vitest';
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

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'observation-'));
  keys = await localKeyManagement(join(folder, 'keys'));
  routing = await routingHarness({ contentKeys: keys });
  ends = await endsOn(routing.bus);
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
      read.push(...batch.map(({ data }) => GenerationEnded.fromJSON(data)));
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
