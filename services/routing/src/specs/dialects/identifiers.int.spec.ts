import { deepEqual, equal, notEqual, ok } from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { type Door, doors, responses } from '../../testing/doors.ts';
import {
  eventually,
  routingHarness,
  somebody,
  type RoutingHarness,
} from '../../testing/routing-harness.ts';

interface Arrived {
  /** All of it: line, headers and body. */
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

const dialects = ['openai-responses', 'openai-chat', 'anthropic-messages', 'google-gemini'];
const arrived: Arrived[] = [];

/** An upstream that writes down what it is sent, and refuses it. */
const upstream = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += String(chunk);
  });
  request.on('end', () => {
    const text = [request.url, JSON.stringify(request.rawHeaders), body].join('\n');
    arrived.push({ text, body: JSON.parse(body) as Arrived['body'] });
    response.writeHead(400, { 'content-type': 'application/json' });
    response.end('{"error":{"message":"no","type":"invalid_request_error"}}');
  });
});

let routing: RoutingHarness;
let simulated: RoutingHarness;
beforeAll(async () => {
  upstream.listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  const { port } = upstream.address() as AddressInfo;
  simulated = await routingHarness();
  routing = await routingHarness({ catalogFile: () => catalogFile(`http://127.0.0.1:${port}/v1`) });
});
afterAll(async () => {
  await routing.stop();
  await simulated.stop();
  upstream.close();
  await once(upstream, 'close');
});

function catalogFile(url: string): string {
  const pricing = { prompt: '0.000001', completion: '0.000002' };
  return JSON.stringify({
    providers: dialects.map((slug) => ({ slug, name: slug, dialect: slug, base_url: url })),
    models: dialects.map((provider) => ({
      id: `seen/${provider}`,
      provider,
      upstream_model: 'm',
      context_length: 8_000,
      max_output_tokens: 1_000,
      pricing,
    })),
  });
}

const secrets = {
  safety_identifier: 'jane.roe@example.com',
  user: 'customer-jane-4711',
  session_id: 'session-of-jane',
  metadata: { ticket: 'value-of-metadata', 'key-of-metadata': 'x' },
  trace: { trace_id: 'trace-of-jane', tenant: { 'key-of-trace': ['value-of-trace'] } },
};
/** Codex sends this beside the fields of the contract. */
const clientMetadata = { session_id: 'session-of-codex', 'x-codex-window-id': 'window-of-jane' };
const client = {
  referer: 'https://jane.example.com/private',
  userAgent: 'janes-browser/1',
  sessionId: 'session-in-the-header',
};
const words = [
  'jane',
  'customer-',
  'session-',
  '-of-metadata',
  'trace-of',
  '-of-trace',
  'example.com',
];

async function sent(
  body: object,
  accountId = 'account',
  { dialect, asks }: Door = responses,
): Promise<Arrived> {
  arrived.length = 0;
  const principal = { ...somebody, accountId };
  await routing.call({ ...asks('hello'), ...body }, { dialect, principal, client });
  const [seen, ...more] = arrived;
  deepEqual(more, []);
  ok(seen);
  return seen;
}

const pseudonymIn = ({ body }: Arrived): unknown =>
  body['safety_identifier'] ?? (body['metadata'] as { user_id?: unknown } | undefined)?.user_id;

describe.each(dialects)('a provider that speaks %s', (dialect) => {
  const model = `seen/${dialect}`;

  test.each(doors)(
    'never sees who asks on $dialect, what belongs together, and what is noted beside',
    async (door) => {
      const fields = { model, ...secrets, client_metadata: clientMetadata };
      for (const stream of [false, true]) {
        const { text } = await sent({ ...fields, stream }, 'account', door);
        ok(text.includes('hello'));
        for (const word of words) ok(!text.toLowerCase().includes(word), `${word} in ${text}`);
      }
    },
  );
});

describe.each(['openai-responses', 'openai-chat', 'anthropic-messages'])(
  'a provider that speaks %s',
  (dialect) => {
    const body = { model: `seen/${dialect}`, safety_identifier: secrets.safety_identifier };

    test('tells end users from each other, and not what two accounts have in common', async () => {
      const pseudonym = pseudonymIn(await sent(body));
      equal(typeof pseudonym, 'string');
      equal(pseudonymIn(await sent(body)), pseudonym);
      notEqual(pseudonymIn(await sent({ ...body, safety_identifier: 'other' })), pseudonym);
      notEqual(pseudonymIn(await sent(body, 'another')), pseudonym);
    });
  },
);

describe('where the client names no end user', () => {
  test.each(['openai-responses', 'anthropic-messages'])(
    'a provider that speaks %s sees a pseudonym of the account',
    async (dialect) => {
      const model = `seen/${dialect}`;
      const seen = await sent({ model, user: 'u' });
      const pseudonym = pseudonymIn(seen);
      equal(typeof pseudonym, 'string');
      ok(!seen.text.includes(somebody.accountId));
      equal(pseudonymIn(await sent({ model, user: 'v' })), pseudonym);
      notEqual(pseudonymIn(await sent({ model }, 'another')), pseudonym);
    },
  );

  test('others see none: what they do not know they would refuse', async () => {
    equal(pseudonymIn(await sent({ model: 'seen/openai-chat' })), undefined);
    equal(pseudonymIn(await sent({ model: 'seen/google-gemini' })), undefined);
  });
});

describe('what a request is to be found by', () => {
  const trace = { ...secrets.trace, parent_span_id: null };

  test('is in its usage fact as it was sent', async () => {
    const body = { model: 'sim/echo', input: 'x', ...secrets, trace };
    const reply = await simulated.call(body, { client });
    equal(reply.status, 200);
    const fact = await eventually(() => simulated.ledger.facts[0], 'the usage fact');
    deepEqual(JSON.parse(fact.trace), trace);
    deepEqual([fact.externalUser, fact.sessionId], [secrets.user, secrets.session_id]);
  });

  test('is in the record of one that failed', async () => {
    await simulated.call({ model: 'sim/echo', input: '[sim:error-503]', trace });
    const record = await eventually(() => simulated.ledger.failures[0], 'the record');
    deepEqual(JSON.parse(record.generation?.trace ?? ''), trace);
  });

  test('is nothing where the client says nothing', async () => {
    const known = simulated.ledger.facts.length;
    await simulated.call({ model: 'sim/echo', input: 'x', trace: {} });
    const fact = await eventually(() => simulated.ledger.facts[known], 'the usage fact');
    equal(fact.trace, '');
  });
});
