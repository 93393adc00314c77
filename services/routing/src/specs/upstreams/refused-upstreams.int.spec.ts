import { deepEqual, equal } from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { type Door, doors } from '../../testing/doors.ts';
import { type RoutingHarness, routingHarness, textOf } from '../../testing/routing-harness.ts';

// The client's view of a provider's refusal: a row for each status, in each dialect.

let routing: RoutingHarness;
/** All attempts of a request together have little time here, and each of them has much. */
let hurried: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness();
  hurried = await routingHarness({ limits: { totalTimeoutMs: 200 } });
});
afterAll(async () => {
  await routing.stop();
  await hurried.stop();
});

interface Refusal {
  readonly error: {
    readonly code: number;
    readonly availability?: Readonly<Record<string, unknown>>;
    readonly metadata: {
      readonly error_type: string;
      readonly previous_errors?: readonly { readonly status: number }[];
    };
  };
  readonly service_metadata?: { readonly attempts?: readonly { readonly status: number }[] };
}

async function refused(body: object): Promise<Refusal & { readonly status: number }> {
  const reply = await routing.call(body, { client: { wantsMetadata: true } });
  const refusal = JSON.parse(await textOf(reply)) as Refusal;
  equal(refusal.error.code, reply.status);
  return { ...refusal, status: reply.status };
}

/** The kinds of errors that clients of /messages read. */
const kinds: Readonly<Record<string, string>> = {
  invalid_request: 'invalid_request_error',
  unprocessable: 'invalid_request_error',
  not_found: 'not_found_error',
  payload_too_large: 'request_too_large',
  rate_limit_exceeded: 'rate_limit_error',
  provider_overloaded: 'overloaded_error',
  timeout: 'timeout_error',
};

/** Asks at a door, which refuses in its form; returns the status and the type of the error. */
async function refusedAt(
  { dialect, asks }: Door,
  {
    model,
    text,
    stream,
  }: { readonly model: string; readonly text: string; readonly stream: boolean },
  at = routing,
) {
  const reply = await at.call({ model, ...asks(text), stream }, { dialect });
  const { status, headers } = reply;
  const body = JSON.parse(await textOf(reply)) as Readonly<Record<string, unknown>>;
  if (dialect !== 'messages') {
    const { error } = body as unknown as Refusal;
    equal(error.code, status);
    return { status, type: error.metadata.error_type, headers };
  }
  const { error, ...rest } = body as unknown as {
    readonly error: {
      readonly type: string;
      readonly message: string;
      readonly error_type: string;
    };
  };
  deepEqual(rest, { type: 'error', request_id: headers['x-generation-id'] });
  deepEqual(Object.keys(error), ['type', 'message', 'error_type']);
  equal(error.type, kinds[error.error_type] ?? 'api_error');
  return { status, type: error.error_type, headers };
}

const statuses: readonly (readonly [sent: number, answered: number, type: string])[] = [
  [400, 400, 'invalid_request'],
  [401, 502, 'provider_unavailable'],
  [402, 502, 'provider_unavailable'],
  [403, 502, 'provider_unavailable'],
  [404, 404, 'not_found'],
  [408, 524, 'timeout'],
  [413, 413, 'payload_too_large'],
  [422, 422, 'unprocessable'],
  [429, 429, 'rate_limit_exceeded'],
  [500, 502, 'provider_unavailable'],
  [502, 502, 'provider_unavailable'],
  [503, 503, 'provider_overloaded'],
  [504, 524, 'timeout'],
  [529, 529, 'provider_overloaded'],
];

const others = doors.filter(({ dialect }) => dialect !== 'responses');

describe.each(['sim/echo', 'sim/chat', 'sim/messages', 'sim/gemini'])('%s', (model) => {
  test.each(statuses)('answers %i: the client gets %i %s', async (sent, answered, type) => {
    for (const stream of [false, true]) {
      const refusal = await refused({ model, input: `[sim:error-${String(sent)}]`, stream });
      deepEqual([refusal.status, refusal.error.metadata.error_type], [answered, type]);
      deepEqual(
        refusal.service_metadata?.attempts?.map(({ status }) => status),
        [sent],
      );
      equal(
        refusal.error.availability?.['code'],
        sent === 404 ? 'model_unavailable_upstream' : undefined,
      );
    }
    for (const door of others) {
      const text = `[sim:error-${String(sent)}]`;
      const refusal = await refusedAt(door, { model, text, stream: false });
      deepEqual([refusal.status, refusal.type], [answered, type], door.dialect);
    }
  });
});

test.each(doors)(
  'on $dialect, no output within the time for all attempts is 408, and the client may try again',
  async (door) => {
    const asked = { model: 'sim/echo', text: '[sim:hang]' };
    for (const stream of [false, true]) {
      const refusal = await refusedAt(door, { ...asked, stream }, hurried);
      deepEqual([refusal.status, refusal.type], [408, 'timeout']);
      equal(refusal.headers['retry-after'], '1');
    }
  },
);

describe('of several providers', () => {
  // Names of their own, so that none is a repetition of another.
  const several = (sent: readonly number[]) =>
    refused({
      models: sent.map((status, index) => `sim/no-${String(index)}-sim-error-${String(status)}`),
      input: 'x',
    });

  test.each<[readonly number[], number, string, boolean]>([
    [[429, 429], 429, 'capacity_exhausted', true],
    [[503, 500], 503, 'temporarily_unavailable', true],
    [[429, 500], 503, 'temporarily_unavailable', true],
    [[504, 529], 503, 'temporarily_unavailable', true],
    [[401, 503], 503, 'temporarily_unavailable', true],
    [[404, 404], 404, 'model_unavailable_upstream', false],
    [[404, 503], 503, 'temporarily_unavailable', true],
    [[429, 404, 429], 429, 'capacity_exhausted', true],
  ])('%o is %i %s', async (sent, status, code, retryable) => {
    const refusal = await several(sent);
    const { availability, metadata } = refusal.error;
    deepEqual([refusal.status, availability?.['code']], [status, code]);
    deepEqual(availability?.['retryable'], retryable);
    deepEqual(availability?.['affected_providers'], ['simulator']);
    deepEqual(
      refusal.service_metadata?.attempts?.map((one) => one.status),
      sent,
    );
    deepEqual(
      metadata.previous_errors?.map((one) => one.status),
      sent,
    );
  });
});
