import { deepEqual, equal, ok } from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as tick } from 'node:timers/promises';
import { systemIds } from '@sluice/clock-and-ids';
import { createTelemetry } from '@sluice/telemetry';
import fc from 'fast-check';
import { afterAll, describe, test } from 'vitest';
import { defaultSettings } from '../../settings.ts';
import { recordingLogger } from '../../testing/gateway-world.ts';
import { createLoadShedding } from './load-shedding.ts';
import { publicServer } from './public-server.ts';

/** Longer than the process may be at it before it lets others wait. */
const longMs = 15;
const telemetry = createTelemetry({ serviceName: 'gateway', otlpEndpoint: undefined });
const shedding = createLoadShedding({
  inferencePaths: new Set(['/v1/responses']),
  settings: { inferenceWaitingMax: 1 },
  inference: {},
  ids: systemIds,
  logger: recordingLogger(),
  telemetry,
});
const served: string[] = [];

/** Answers with the name of the request and the length of its body, later than the request came. */
async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const name = String(request.headers['x-name']);
  served.push(name);
  const endMs = performance.now() + longMs;
  while (performance.now() < endMs);
  const body = await text(request);
  await tick();
  const answer = `${name} ${String(body.length)}`;
  response.writeHead(200, { 'content-length': answer.length }).end(answer);
}

const guarded = shedding.guard((request, response) => void serve(request, response));
const server = publicServer(defaultSettings, guarded);
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;
afterAll(() => server.close().closeAllConnections());

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Sends the bytes in pieces, each in a write of its own, and reads until the server closes. */
async function exchange(bytes: string, cuts: readonly number[]): Promise<readonly Answer[]> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  const received = text(socket.setEncoding('latin1'));
  let from = 0;
  for (const cut of [...new Set(cuts), bytes.length].toSorted((a, b) => a - b)) {
    if (cut <= from || cut > bytes.length) continue;
    socket.write(bytes.slice(from, cut), 'latin1');
    from = cut;
    await tick();
  }
  return answersIn(await received);
}

function answersIn(received: string): readonly Answer[] {
  const answers: Answer[] = [];
  for (let rest = received; rest !== '';) {
    const head = rest.slice(0, rest.indexOf('\r\n\r\n'));
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1]);
    ok(status > 0 && length >= 0, `no answer: ${rest.slice(0, 200)}`);
    const begin = head.length + 4;
    answers.push({ status, body: rest.slice(begin, begin + length) });
    rest = rest.slice(begin + length);
  }
  return answers;
}

const post = (name: string, body: string, ...more: readonly string[]) =>
  ['POST /v1/responses HTTP/1.1', 'host: a', `x-name: ${name}`, ...more, '', body].join('\r\n');
const whole = (name: string, body: string, ...more: readonly string[]) =>
  post(name, body, `content-length: ${String(body.length)}`, ...more);
const chunked = (name: string, body: string) =>
  post(name, `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`, 'transfer-encoding: chunked');

/** Requests by their sort, and the length of the body that each has. */
const sorts = {
  whole: (name: string) => [whole(name, '12345678'), 8],
  chunked: (name: string) => [chunked(name, 'abc'), 3],
  'without a body': (name: string) => [whole(name, ''), 0],
  'with a request in its body': (name: string) => {
    const inner = whole(`inside-${name}`, 'x');
    return [whole(name, inner), inner.length];
  },
  'after an empty line': (name: string) => [`\r\n${whole(name, 'ab')}`, 2],
} as const satisfies Record<string, (name: string) => readonly [string, number]>;
const sortNames = Object.keys(sorts) as (keyof typeof sorts)[];

const refusals = async () => {
  const lines = (await telemetry.prometheus()).matchAll(
    /gateway_overload_refusals_total{[^}]*} (\d+)/g,
  );
  return [...lines].reduce((sum, [, count]) => sum + Number(count), 0);
};

describe('requests that follow each other on a connection, of which some are refused', () => {
  test('are answered in order, once each, wherever their bytes are cut', async () => {
    let refusedCount = 0;
    let connections = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...sortNames), { minLength: 1, maxLength: 8 }),
        fc.array(fc.nat(1_500), { maxLength: 6 }),
        async (list, cuts) => {
          const before = await refusals();
          served.length = 0;
          connections += 1;
          const names = list.map((_, index) => `${String(connections)}-${String(index)}`);
          const made = list.map((sort, index) => sorts[sort](names[index] ?? ''));
          const last = whole('last', '', 'connection: close');
          const bytes = [...made.map(([request]) => request), last].join('');
          const answers = await exchange(bytes, cuts);
          const expected = [
            ...made.map(([, length], index) => `${names[index]} ${length}`),
            'last 0',
          ];
          equal(answers.length, expected.length, JSON.stringify(answers));
          for (const [index, { status, body }] of answers.entries())
            if (status === 200) equal(body, expected[index]);
            else {
              equal(status, 503);
              equal((JSON.parse(body) as { error: { code: number } }).error.code, 503);
            }
          const refused = answers.filter(({ status }) => status === 503).length;
          refusedCount += refused;
          equal((await refusals()) - before, refused);
          const answered = answers.flatMap(({ status, body }) =>
            status === 200 ? [body.split(' ')[0]] : [],
          );
          deepEqual(served, answered);
        },
      ),
      { numRuns: 40 },
    );
    ok(refusedCount > 0, 'some are refused');
  });
});
