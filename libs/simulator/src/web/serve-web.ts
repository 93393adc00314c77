import type { IncomingMessage, ServerResponse } from 'node:http';
import { once } from 'node:events';
import { credentialFault, credentialOf, credentialSha256 } from '../credential.ts';
import { pause, sendJson } from '../delivery.ts';
import { readDirectives } from '../directives.ts';
import { BadRequest, type JsonObject } from '../prompt.ts';
import { corpus, findPage, hostEnd, type Page, rankPages } from './corpus.ts';
import type { AskedSearch, SimulatedEngine } from './engine.ts';
import { exa, firecrawl, parallel, perplexity, tavily } from './keyed-engines.ts';
import { brave, searxng } from './open-engines.ts';
import { ocrPath, serveOcr } from './ocr.ts';
import { pageEngines } from './page-engines.ts';
import type { SearchReceipts } from './search-receipts.ts';

const engines: readonly SimulatedEngine[] = [
  searxng,
  exa,
  parallel,
  firecrawl,
  perplexity,
  tavily,
  brave,
  ...pageEngines,
];

export interface WebOptions {
  readonly receipts: SearchReceipts;
  readonly readBody: (request: IncomingMessage) => Promise<JsonObject>;
}

/**
 * Answers requests to the simulated web: its search engines, and its pages, by the host of the request or below
 * `/web/<host>/`. Returns false for other requests.
 */
export async function serveWeb(
  request: IncomingMessage,
  response: ServerResponse,
  options: WebOptions,
): Promise<boolean> {
  const url = new URL(request.url ?? '', 'http://simulator');
  const engine = engines.find(
    ({ method, path }) => method === request.method && path === url.pathname,
  );
  if (engine) {
    await search(engine, url, request, response, options);
    return true;
  }
  if (request.method === 'POST' && url.pathname === ocrPath) {
    await serveOcr(request, response, options);
    return true;
  }
  const host = (request.headers.host ?? '').replace(/:\d+$/u, '').toLowerCase();
  const [, named, rest] = /^\/web\/([a-z0-9.-]{1,253})(\/.*)?$/u.exec(url.pathname) ?? [];
  if (named === undefined && !host.endsWith(hostEnd)) return false;
  await sendPage(named ?? host, named === undefined ? url.pathname : (rest ?? '/'), response);
  return true;
}

async function search(
  engine: SimulatedEngine,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
  { receipts, readBody }: WebOptions,
): Promise<void> {
  const id = engine.name + String(process.hrtime.bigint());
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const credential =
    request.headers['x-subscription-token']?.toString() ?? credentialOf(request.headers);
  const refused = credential === '' && engine.isOpen !== true ? 401 : credentialFault(credential);
  // The simulator repeats the key in the error, as the worst engines do.
  if (refused !== undefined)
    return sendJson(response, refused, engine.error(id, refused, `The key ${credential}`));
  let asked: AskedSearch;
  try {
    const body = engine.method === 'POST' ? await readBody(request) : {};
    asked = engine.read(url.searchParams, body);
  } catch (error) {
    if (!(error instanceof BadRequest)) throw error;
    const status = engine.name === 'brave' || engine.name === 'parallel' ? 422 : 400;
    return sendJson(response, status, engine.error(id, status, error.message));
  }
  const directives = readDirectives(
    '',
    request.headers['x-sim-fault']?.toString() ?? '',
    asked.query,
  );
  if (directives.hang) return;
  await pause(directives.firstByteDelayMs, gone.signal);
  const { errorStatus: status } = directives;
  if (gone.signal.aborted) return;
  if (status !== undefined)
    return sendJson(response, status, engine.error(id, status, `Simulated error ${status}`));
  if (directives.malformed) return void response.writeHead(200).end('<html>not an answer</html>');
  if (directives.isEndless) return sendWithoutEnd(response, gone.signal);
  const query = asked.query.replaceAll(/\[sim:[a-z0-9-]+\]/gu, ' ');
  const pages = directives.empty ? [] : (engine.find?.(asked) ?? rankPages(query, asked));
  const found = pages.slice(asked.offset ?? 0, (asked.offset ?? 0) + asked.limit);
  const body = engine.answer(id, asked, found);
  await receipts.write({
    id,
    at: new Date().toISOString(),
    engine: engine.name,
    query: asked.query,
    mode: asked.mode ?? '',
    results: found.length,
    client_request_id: request.headers['x-client-request-id']?.toString() ?? '',
    credential_sha256: credentialSha256(credential),
  });
  sendJson(response, 200, body);
}

async function sendWithoutEnd(response: ServerResponse, gone: AbortSignal): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"results":["');
  const chunk = 'x'.repeat(65_536);
  while (!gone.aborted)
    if (!response.write(chunk))
      await once(response, 'drain', { signal: gone }).catch(() => undefined);
}

async function sendPage(host: string, path: string, response: ServerResponse): Promise<void> {
  const page = findPage(host, path);
  const isIndex = path === '/' && host.endsWith(hostEnd);
  const html = page ? htmlOf(page) : isIndex ? indexOf(host) : undefined;
  response.writeHead(html === undefined ? 404 : 200, {
    'content-type': 'text/html; charset=utf-8',
  });
  response.end(html ?? '<!doctype html><title>Not found</title><p>There is no such page.</p>');
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function htmlOf({ host, title, text, published }: Page): string {
  const sentences = text.split(/(?<=\.) /u).map((sentence) => `<p>${escapeHtml(sentence)}</p>`);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>
<meta property="article:published_time" content="${published}"></head>
<body><nav><a href="/">${host}</a></nav>
<article><h1>${escapeHtml(title)}</h1>
${sentences.join('\n')}
</article></body></html>
`;
}

function indexOf(host: string): string {
  const links = corpus
    .filter((page) => page.host === host)
    .map(({ path, title }) => `<li><a href="${path}">${escapeHtml(title)}</a></li>`);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${host}</title></head>
<body><ul>
${links.join('\n')}
</ul></body></html>
`;
}
