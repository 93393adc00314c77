import { deepEqual, equal, ok } from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { type Door, doors, type Turn } from '../../testing/doors.ts';
import {
  eventually,
  type RoutingHarness,
  routingHarness,
  textOf,
} from '../../testing/routing-harness.ts';

const model = 'c/trio';
/** Three providers whose caches save something. */
const catalogFile = (url: string): string => {
  const dialects = {
    'sim-a': 'openai-chat',
    'sim-b': 'openai-responses',
    'sim-c': 'anthropic-messages',
  };
  const pricing = { prompt: '0.000001', completion: '0.000001', input_cache_read: '0.0000001' };
  const providers = Object.entries(dialects).map(([slug, dialect]) => ({
    slug,
    name: slug,
    dialect,
    base_url: url,
  }));
  const endpoints = providers.map(({ slug }) => ({
    provider: slug,
    upstream_model: 'echo',
    context_length: 128_000,
    max_output_tokens: 4_096,
    pricing,
  }));
  return JSON.stringify({ providers, models: [{ id: model, endpoints }] });
};

let replicas: readonly RoutingHarness[];
let routing: RoutingHarness;
beforeAll(async () => {
  const [first, second] = await Promise.all([
    routingHarness({ catalogFile }),
    routingHarness({ catalogFile }),
  ]);
  routing = first;
  replicas = [first, second];
});
afterAll(async () => {
  for (const replica of replicas) await replica.stop();
});

async function providerOf(replica: RoutingHarness, session: string): Promise<string> {
  const body = { model, input: 'Hello', session_id: session };
  const client = { wantsMetadata: true } as const;
  const reply = await replica.call(body, { client });
  equal(reply.status, 200);
  const { service_metadata: metadata } = JSON.parse(await textOf(reply)) as {
    readonly service_metadata: { readonly attempts: readonly { readonly provider: string }[] };
  };
  return metadata.attempts[0]?.provider ?? '';
}

test('a session begins at the same endpoint in every replica, and another one elsewhere', async () => {
  const sessions = Array.from({ length: 24 }, (_, number) => `session-${number}`);
  const seen = await Promise.all(
    replicas.map(
      async (replica) => await Promise.all(sessions.map((one) => providerOf(replica, one))),
    ),
  );
  deepEqual(seen[0], seen[1]);
  ok(new Set(seen[0]).size > 1);
});

interface Asked {
  /** The provider that has to serve it. */
  readonly at?: string;
  /** The provider counts tokens of its cache. */
  readonly isCached?: boolean;
  readonly before?: readonly Turn[];
  readonly fields?: object;
  readonly sessionHeader?: string;
}

/** Returns where a question was served, and why there. */
async function servedAt({ dialect, asks }: Door, asked: Asked): Promise<readonly string[]> {
  const { at, isCached = false, before, fields, sessionHeader } = asked;
  const order = at === undefined ? {} : { provider: { order: [at], allow_fallbacks: false } };
  const question = asks(isCached ? 'hello [sim:cached-2]' : 'hello', before);
  const client = sessionHeader === undefined ? {} : { client: { sessionId: sessionHeader } };
  const body = { model, ...question, ...fields, ...order };
  const reply = await routing.call(body, { dialect, ...client });
  equal(reply.status, 200, await textOf(reply));
  const id = reply.headers['x-generation-id'];
  const fact = await eventually(
    () => routing.ledger.facts.find(({ generationId }) => generationId === id),
    'the usage fact',
  );
  const routed = JSON.parse(fact.routing) as {
    readonly order: readonly { readonly reason: string }[];
  };
  return [fact.provider, routed.order[0]?.reason ?? ''];
}

describe.each(doors)('a conversation on $dialect', (door) => {
  const { dialect } = door;
  const stays = ['sim-c', 'sticky'];
  const cacheKey = (name: string) => ({ prompt_cache_key: `${name} of ${dialect}` });
  const bind = (asked: Asked) => servedAt(door, { at: 'sim-c', ...asked });
  const next = (asked: Asked) => servedAt(door, asked);

  test('with a prompt_cache_key stays where the provider used its cache for it', async () => {
    const fields = cacheKey('cached');
    await bind({ fields, isCached: true });
    deepEqual(await next({ fields }), stays);
    const [, reason] = await next({ fields: cacheKey('another') });
    equal(reason, 'load balancing');
  });

  test('with a prompt_cache_key is bound by no answer without the cache', async () => {
    const fields = cacheKey('uncached');
    await bind({ fields });
    const [, reason] = await next({ fields });
    equal(reason, 'load balancing');
  });

  test('with a session stays with that, whatever the prompt_cache_key says', async () => {
    const session = { session_id: `session of ${dialect}` };
    const fields = cacheKey('both');
    await bind({ fields: session });
    await bind({ at: 'sim-b', fields, isCached: true });
    deepEqual(await next({ fields: { ...session, ...fields } }), stays);
    deepEqual(await next({ fields }), ['sim-b', 'sticky']);
  });

  test('has the session of its header, unless its body names one', async () => {
    const sessionHeader = `header of ${dialect}`;
    await bind({ sessionHeader });
    deepEqual(await next({ fields: cacheKey('header'), sessionHeader }), stays);
    const [, reason] = await next({ fields: { session_id: `body of ${dialect}` }, sessionHeader });
    equal(reason, 'load balancing');
  });

  test('without any key is known by its first messages', async () => {
    const before: readonly Turn[] = [
      { role: 'system', content: `You answer on ${dialect}.` },
      { role: 'user', content: 'one' },
    ];
    await bind({ before, isCached: true });
    const later = [...before, { role: 'assistant', content: 'two' }] as const;
    deepEqual(await next({ before: later }), stays);
    const [system, ...turns] = later;
    const others = [{ ...system, content: 'You are another.' } as Turn, ...turns];
    const [, reason] = await next({ before: others });
    equal(reason, 'load balancing');
  });
});
