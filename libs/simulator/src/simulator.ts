import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chatCompletions } from './chat-completions.ts';
import { deliverBody, deliverStream, pause, sendJson } from './delivery.ts';
import { errorBody, type Dialect } from './dialect.ts';
import { readDirectives } from './directives.ts';
import { generate } from './generation.ts';
import { BadRequest, isObject, lastUserText, type JsonObject, type Prompt } from './prompt.ts';
import { openReceipts, type Receipts } from './receipts.ts';
import { responses } from './responses.ts';

export interface SimulatorOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Appended to; created with its folder when absent. */
  readonly receiptsFile: string;
  /** Time before the first byte of each answer; none when absent. */
  readonly latencyMs?: number;
}

export interface Simulator {
  /** Base URL with the version: `http://127.0.0.1:1234/v1`. */
  readonly url: string;
  readonly port: number;
  stop(): Promise<void>;
}

const bodyBytesMax = 64 * 1024 * 1024;
const modelNames = ['echo', 'echo-sim-reasoning'];

/** A model provider that is honest about what it served and fails only when it is asked to. */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const receipts = await openReceipts(options.receiptsFile);
  const running = new Set<Promise<void>>();
  const server = createServer((request, response) => {
    const work = handle(request, response, receipts, options.latencyMs ?? 0)
      .catch((error: unknown) => {
        if (response.headersSent) response.destroy();
        else sendJson(response, 500, errorBody(500, `The simulator broke: ${String(error)}`));
      })
      .finally(() => running.delete(work));
    running.add(work);
  });
  server.keepAliveTimeout = 60_000;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject).listen(options.port, options.host, resolve);
  await promise;
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${options.host}:${port}/v1`,
    port,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
      await Promise.allSettled(running);
      await receipts.close();
    },
  };
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  receipts: Receipts,
  latencyMs: number,
): Promise<void> {
  response.socket?.setNoDelay(true);
  const path = (request.url ?? '').split('?')[0];
  switch (`${request.method} ${path}`) {
    case 'GET /v1/models':
      return sendJson(response, 200, modelList());
    case 'POST /v1/responses':
      return answer(responses, request, response, receipts, latencyMs);
    case 'POST /v1/chat/completions':
      return answer(chatCompletions, request, response, receipts, latencyMs);
    default:
      return sendJson(response, 404, errorBody(404, `There is no ${request.method} ${path}`));
  }
}

async function answer(
  dialect: Dialect,
  request: IncomingMessage,
  response: ServerResponse,
  receipts: Receipts,
  latencyMs: number,
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  let prompt: Prompt;
  try {
    prompt = dialect.readPrompt(await readBody(request));
  } catch (error) {
    if (!(error instanceof BadRequest)) throw error;
    return sendJson(response, 400, errorBody(400, error.message));
  }
  const header = request.headers['x-sim-fault'];
  const directives = readDirectives(prompt.model, header?.toString(), lastUserText(prompt));
  if (directives.hang) return;
  await pause(latencyMs + directives.firstByteDelayMs, gone.signal);
  if (gone.signal.aborted) return;
  if (directives.errorStatus !== undefined) {
    const status = Math.min(599, Math.max(400, directives.errorStatus));
    return sendJson(response, status, errorBody(status, `Simulated error ${status}`));
  }
  if (directives.malformed) return void response.writeHead(200).end('<html>not an answer</html>');
  const served = {
    id: dialect.newId(),
    createdAtSeconds: Math.floor(Date.now() / 1_000),
    prompt,
    generation: generate(prompt, directives),
    withUsage: !directives.withoutUsage,
  };
  const now = () => new Date();
  const delivery = { dialect, served, directives, response, gone: gone.signal, receipts, now };
  await (prompt.streamed ? deliverStream(delivery) : deliverBody(delivery));
}

async function readBody(request: IncomingMessage): Promise<JsonObject> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bodyBytesMax) throw new BadRequest('the body is too large');
    chunks.push(chunk);
  }
  const body = parseJson(Buffer.concat(chunks).toString());
  if (!isObject(body)) throw new BadRequest('the body must be a JSON object');
  return body;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BadRequest('the body is not JSON');
  }
}

function modelList(): object {
  const data = modelNames.map((id) => ({
    id,
    object: 'model',
    created: 1_700_000_000,
    owned_by: 'simulator',
  }));
  return { object: 'list', data };
}
