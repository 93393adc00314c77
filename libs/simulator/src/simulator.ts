import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { agentScript } from './agent.ts';
import { judgeScript } from './judge.ts';
import { Answers } from './answers.ts';
import { chatCompletions } from './chat-completions.ts';
import { credentialFault, credentialOf, credentialSha256, namedBy } from './credential.ts';
import { deliverBody, deliverNothing, deliverStream, pause, sendJson } from './delivery.ts';
import { errorBody, type Dialect } from './dialect.ts';
import { readDirectives } from './directives.ts';
import { countTokens, countContents } from './count-tokens.ts';
import { embedContents } from './embed-contents.ts';
import { embeddings } from './embeddings.ts';
import { generateContent } from './generate-content.ts';
import { pathFields } from './generate-content-prompt.ts';
import { generate } from './generation.ts';
import { rerank } from './rerank.ts';
import { messages } from './messages.ts';
import { BadRequest, isObject, lastUserText, type JsonObject, type Prompt } from './prompt.ts';
import { openReceipts, type Receipts } from './receipts.ts';
import { responses } from './responses.ts';
import type { Script } from './script.ts';
import { tooLong } from './too-long.ts';
import { searchesFileOf, searchReceipts, type SearchReceipts } from './web/search-receipts.ts';
import { serveWeb } from './web/serve-web.ts';

export interface SimulatorOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Appended to; created with its folder when absent. */
  readonly receiptsFile: string;
  /** Time before the first byte of each answer; none when absent. */
  readonly latencyMs?: number;
  /** Plays the model; absent: it repeats what was said. */
  readonly script?: Script;
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
  const searches = searchReceipts(searchesFileOf(options.receiptsFile));
  const books = { receipts, searches, answers: new Answers(), script: options.script };
  const running = new Set<Promise<void>>();
  const server = createServer((request, response) => {
    const work = handle(request, response, books, options.latencyMs ?? 0)
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
      await searches.close();
    },
  };
}

interface Books {
  readonly receipts: Receipts;
  readonly searches: SearchReceipts;
  readonly answers: Answers;
  readonly script: Script | undefined;
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  books: Books,
  latencyMs: number,
): Promise<void> {
  response.socket?.setNoDelay(true);
  const path = (request.url ?? '').split('?')[0] ?? '';
  const web = { receipts: books.searches, readBody };
  if (!path.startsWith('/v1/') && (await serveWeb(request, response, web))) return;
  const asked = request.method === 'GET' ? storedPattern.exec(path) : null;
  if (asked) return tellStored(response, books.answers, asked[1] ?? '');
  const generated = request.method === 'POST' ? generatePattern.exec(path) : null;
  if (generated) {
    const [, model = '', method = ''] = generated;
    const said = {
      [pathFields.model]: decodeURIComponent(model),
      [pathFields.stream]: method.startsWith('stream'),
      [pathFields.batch]: method.startsWith('batch'),
    };
    return answer(dialectOf(method), request, response, books, latencyMs, said);
  }
  switch (`${request.method} ${path}`) {
    case 'GET /v1/models':
      return sendJson(response, 200, modelList());
    case 'POST /v1/responses':
      return answer(responses, request, response, books, latencyMs);
    case 'POST /v1/chat/completions':
      return answer(chatCompletions, request, response, books, latencyMs);
    case 'POST /v1/embeddings':
      return answer(embeddings, request, response, books, latencyMs);
    case 'POST /v1/rerank':
      return answer(rerank, request, response, books, latencyMs);
    case 'POST /v1/messages/count_tokens':
      return answer(countTokens, request, response, books, latencyMs);
    case 'POST /v1/messages':
      return answer(messages, request, response, books, latencyMs);
    default:
      return sendJson(response, 404, errorBody(404, `There is no ${request.method} ${path}`));
  }
}

const generatePattern =
  /^\/v1\/models\/([^/]{1,512}):(generateContent|streamGenerateContent|embedContent|batchEmbedContents|countTokens)$/;
function dialectOf(method: string): Dialect {
  if (method === 'countTokens') return countContents;
  return /embed/i.test(method) ? embedContents : generateContent;
}

const storedPattern = /^\/v1\/(?:responses|chat\/completions)\/([\w-]{1,128})$/;

function tellStored(response: ServerResponse, answers: Answers, id: string): void {
  const body = answers.find(id);
  if (body) sendJson(response, 200, body);
  else sendJson(response, 404, errorBody(404, `There is no ${id}`));
}

async function answer(
  dialect: Dialect,
  request: IncomingMessage,
  response: ServerResponse,
  books: Books,
  latencyMs: number,
  /** The facts of the path. */
  said: JsonObject = {},
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const errorOf = dialect.errorBody ?? errorBody;
  let prompt: Prompt;
  try {
    prompt = dialect.readPrompt({ ...(await readBody(request)), ...said });
  } catch (error) {
    if (!(error instanceof BadRequest)) throw error;
    return sendJson(response, 400, errorOf(400, error.message));
  }
  const credential = credentialOf(request.headers);
  const refused = credentialFault(credential);
  // The simulator repeats the key in the error, as the worst providers do.
  if (refused !== undefined)
    return sendJson(response, refused, errorOf(refused, `The key ${credential} is refused`));
  const header = request.headers['x-sim-fault'];
  const scripted = (books.script ?? agentScript)(prompt) ?? judgeScript(prompt);
  const ordered = [header?.toString() ?? '', ...(scripted?.directives ?? [])].join();
  const orders = scripted?.isOfData ? '' : lastUserText(prompt);
  const directives = readDirectives(prompt.model, ordered, orders);
  if (directives.hang) return;
  await pause(latencyMs + directives.firstByteDelayMs, gone.signal);
  if (gone.signal.aborted) return;
  if (directives.errorStatus !== undefined) {
    const status = Math.min(599, Math.max(400, directives.errorStatus));
    return sendJson(response, status, errorOf(status, `Simulated error ${status}`));
  }
  if (directives.isTooLong) {
    const { inputTokens } = generate(prompt, directives);
    return sendJson(response, 400, errorOf(400, tooLong(dialect.name, inputTokens)));
  }
  if (directives.malformed) return void response.writeHead(200).end('<html>not an answer</html>');
  const served = {
    id: namedBy(credential) ?? dialect.newId(),
    createdAtSeconds: Math.floor(Date.now() / 1_000),
    prompt,
    generation: generate(prompt, directives, scripted?.parts),
    usageFault: directives.usageFault,
  };
  const now = () => new Date();
  const { receipts, answers } = books;
  if (dialect.isCount) return sendJson(response, 200, dialect.body(served));
  if (prompt.isStored) answers.begin(dialect, served);
  const clientRequestId = request.headers['x-client-request-id']?.toString() ?? '';
  const delivery = {
    dialect,
    served,
    directives,
    response,
    receipts,
    answers,
    clientRequestId,
    credentialSha256: credentialSha256(credential),
    now,
    gone: gone.signal,
  };
  if (directives.isMute) return await deliverNothing(delivery);
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
