import { existsSync, readdirSync, readFileSync } from 'node:fs';
import {
  createServer,
  type IncomingMessage,
  request as forward,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { startSimulator } from '@sluice/simulator';
import type { Answer, Client, Dialect } from './case.ts';
import { headerLines } from './post.ts';

/** All providers behind one address: it notes what each is asked, and answers as the case says. */
export interface Upstream {
  readonly url: string;
  /** The answers by the name of the model at the upstream. */
  readonly answers: Map<string, Answer>;
  /** The requests since it was emptied. */
  readonly asked: string[];
  client: Client;
  stop(): Promise<void>;
}

const geminiPath = /\/models\/([^:]+):(\w+)/;
const unimportant = /^(?:accept-encoding|user-agent): /;

export async function startUpstream(receiptsFile: string): Promise<Upstream> {
  const simulator = await startSimulator({ host: '127.0.0.1', port: 0, receiptsFile });
  const never = new Promise<void>(() => {});
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request);
    const path = request.url ?? '';
    const [, model = '', method = ''] = geminiPath.exec(path) ?? [];
    const said = body.length === 0 ? {} : (JSON.parse(body.toString()) as Record<string, unknown>);
    const headers = headerLines(request.rawHeaders).filter((line) => !unimportant.test(line));
    upstream.asked.push(
      [`${request.method ?? ''} ${path}`, ...headers.toSorted(), '', body.toString()].join('\n'),
    );
    const isStreamed = said['stream'] === true || method.startsWith('stream');
    const name = decodeURIComponent(model) || String(said['model']);
    const asked = { isStreamed, request, body };
    await (upstream.answers.get(name) ?? bySimulator)(asked, response, upstream.client);
  };
  const bySimulator: Answer = ({ request, body }, response) => {
    const { host: _host, ...headers } = request.headers;
    const { port } = simulator;
    const options = { port, path: request.url, method: request.method, headers };
    const call = forward(options, (answered) => {
      response.writeHead(answered.statusCode ?? 500, answered.headers).flushHeaders();
      answered.on('data', (chunk) => response.write(chunk));
      answered.once('end', () => response.end());
      answered.once('error', () => response.destroy());
    });
    call.once('error', () => response.destroy());
    response.once('close', () => call.destroy());
    call.end(body);
  };
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const upstream: Upstream = {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/v1`,
    answers: new Map(),
    asked: [],
    client: { heard: never, left: never },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
      await simulator.stop();
    },
  };
  return upstream;
}

const fixtureUrl = (dialect: Dialect, file: string) =>
  new URL(`../../../../../libs/providers/src/${dialect}/fixtures/${file}`, import.meta.url);

/** A recorded answer of a provider. */
export const recorded = (dialect: Dialect, file: string): Buffer =>
  readFileSync(fixtureUrl(dialect, file));

/** The stream of the fixture `text` in two: to the end of the event with its first word, and the rest. */
export function afterFirstWord(dialect: Dialect): readonly [Buffer, Buffer] {
  const all = recorded(dialect, 'text.sse');
  const [event = ''] = /^[^]*?Grüße[^]*?\r?\n\r?\n/.exec(all.toString()) ?? [];
  const end = Buffer.byteLength(event);
  return [all.subarray(0, end), all.subarray(end)];
}

const events = { 'content-type': 'text/event-stream' };
const json = { 'content-type': 'application/json' };

/** The fixture of this name: its stream, or its body. */
export const says =
  (dialect: Dialect, name: string): Answer =>
  ({ isStreamed }, response) => {
    const file = recorded(dialect, `${name}.${isStreamed ? 'sse' : 'json'}`);
    response.writeHead(200, isStreamed ? events : json).end(file);
  };

/** A status with a body, whether a stream is asked for or not. */
export const refuses =
  (
    status: number,
    body: object | string,
    headers: Readonly<Record<string, string>> = json,
  ): Answer =>
  (_asked, response) =>
    void response
      .writeHead(status, headers)
      .end(typeof body === 'string' ? body : JSON.stringify(body));

/** Nothing at all until Sluice gives up. */
export const isSilent: Answer = () => {};

const wholeCut = 40;

/** The first word of the fixture `text`, or the beginning of its body; then `goOn` with the rest. */
export const begins =
  (
    dialect: Dialect,
    goOn: (response: ServerResponse, rest: Buffer, client: Client) => void | Promise<void>,
  ): Answer =>
  async ({ isStreamed }, response, client) => {
    const body = recorded(dialect, 'text.json');
    const [begin, rest] = isStreamed
      ? afterFirstWord(dialect)
      : [body.subarray(0, wholeCut), body.subarray(wholeCut)];
    response.writeHead(200, isStreamed ? events : json);
    await new Promise<void>((resolve) => {
      response.write(begin, () => resolve());
    });
    await goOn(response, rest, client);
  };

/** The names of all recorded answers of a dialect. */
export function fixtureNames(dialect: Dialect): readonly string[] {
  const files = readdirSync(fixtureUrl(dialect, '.'));
  return files
    .filter((file) => file.endsWith('.sse'))
    .map((file) => file.slice(0, -'.sse'.length))
    .toSorted();
}

/** The fixture of this name; one that has no body is no answer when it is not streamed. */
export const saysOrEnds =
  (dialect: Dialect, name: string): Answer =>
  (asked, response, client) => {
    const hasBody = existsSync(fixtureUrl(dialect, `${name}.json`));
    if (asked.isStreamed || hasBody) return says(dialect, name)(asked, response, client);
    response.destroy();
  };
