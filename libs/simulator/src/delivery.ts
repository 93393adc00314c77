import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Answers } from './answers.ts';
import type { Dialect, Served } from './dialect.ts';
import type { Directives } from './directives.ts';
import { chunksOf, countOutput, type OutputPart } from './generation.ts';
import { noise, oddFailure } from './odd-failures.ts';
import { searchUnitsOf } from './rerank.ts';
import type { Receipt, Receipts } from './receipts.ts';

export interface Delivery {
  readonly dialect: Dialect;
  readonly served: Served;
  readonly directives: Directives;
  readonly response: ServerResponse;
  /** Aborted when the client is gone. */
  readonly gone: AbortSignal;
  readonly receipts: Receipts;
  readonly answers: Answers;
  readonly clientRequestId: string;
  readonly credentialSha256: string;
  readonly now: () => Date;
}

const pieceBytes = 16 * 1024;

type Interruption = 'cut' | 'stall' | 'fail';

/** Sends the answer as events; whatever happens, a receipt says what was sent. */
export async function deliverStream(delivery: Delivery): Promise<void> {
  const { dialect, served, directives, response, gone } = delivery;
  const sent = new Sent(served.generation.parts);
  let receipted = false;
  let lastWord = ': alive\n\n';
  const words = wordCount(served.generation.parts);
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  response.flushHeaders();
  for (const frame of dialect.frames(served)) {
    if (frame.type !== 'open' && !receipted) {
      const interruption = interruptionAt(directives, sent.chunks);
      if (interruption !== undefined) return interrupt(delivery, sent, interruption);
    }
    if (frame.type === 'chunk') {
      await pause(directives.chunkDelayMs, gone);
      if (gone.aborted) break;
      sent.add(frame.part, frame.text);
      lastWord = frame.bytes;
    }
    if (frame.type !== 'chunk' && directives.isEndless && sent.chunks === words) {
      await repeat(delivery, lastWord);
      break;
    }
    if (frame.type === 'terminal' && !receipted) {
      await writeReceipt(delivery, sent, outcomeOf(served));
      receipted = true;
    }
    const bytes = directives.isNoisy ? noise + frame.bytes : frame.bytes;
    if (!response.write(bytes)) await drained(response, gone);
    if (gone.aborted) break;
  }
  if (gone.aborted && !receipted) await writeReceipt(delivery, sent, 'disconnected');
  response.end();
}

/** Sends the answer as one body, as late as its chunks would have been ready. */
export async function deliverBody(delivery: Delivery): Promise<void> {
  const { dialect, served, directives, response, gone } = delivery;
  const sent = new Sent(served.generation.parts);
  for (const [number, part] of served.generation.parts.entries())
    for (const text of chunksOf(part.text)) {
      const interruption = interruptionAt(directives, sent.chunks);
      if (interruption !== undefined) return interrupt(delivery, sent, interruption);
      await pause(directives.chunkDelayMs, gone);
      if (gone.aborted) return writeReceipt(delivery, sent, 'disconnected');
      sent.add(number, text);
    }
  const interruption = interruptionAt(directives, sent.chunks);
  if (interruption !== undefined) return interrupt(delivery, sent, interruption);
  if (directives.isEndless) return await deliverEndlessBody(delivery, sent);
  await writeReceipt(delivery, sent, outcomeOf(served));
  sendJson(response, 200, dialect.body(served));
}

/** Makes the answer, which never arrives. */
export async function deliverNothing(delivery: Delivery): Promise<void> {
  const { served, gone } = delivery;
  const sent = new Sent(served.generation.parts);
  for (const [number, part] of served.generation.parts.entries()) sent.add(number, part.text);
  await writeReceipt(delivery, sent, outcomeOf(served));
  if (!gone.aborted) await once(gone, 'abort');
}

/** The body up to the end of its text, and the text again and again. */
async function deliverEndlessBody(delivery: Delivery, sent: Sent): Promise<void> {
  const { dialect, served, response } = delivery;
  const body = JSON.stringify(dialect.body(served));
  const text = JSON.stringify(served.generation.parts.at(-1)?.text ?? '').slice(1, -1);
  const end = text === '' ? -1 : body.lastIndexOf(text);
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write(end < 0 ? body.slice(0, -1) : body.slice(0, end + text.length));
  await repeat(delivery, end < 0 ? ' ' : text);
  await writeReceipt(delivery, sent, 'disconnected');
}

function wordCount(parts: readonly OutputPart[]): number {
  return parts.reduce((sum, { text }) => sum + chunksOf(text).length, 0);
}

/** Writes the same in pieces of some size until the client is gone, as fast as it takes them. */
async function repeat({ directives, response, gone }: Delivery, text: string): Promise<void> {
  const piece = text.repeat(Math.ceil(pieceBytes / Math.max(1, text.length)));
  while (!gone.aborted) {
    await pause(directives.chunkDelayMs, gone);
    if (!response.write(piece)) await drained(response, gone);
  }
}

export function sendJson(response: ServerResponse, status: number, body: object): void {
  const bytes = Buffer.from(JSON.stringify(body));
  const retryAfter = status === 429 || status === 503 ? { 'retry-after': '1' } : {};
  response
    .writeHead(status, {
      'content-type': 'application/json',
      'content-length': bytes.length,
      ...retryAfter,
    })
    .end(bytes);
}

async function interrupt(
  delivery: Delivery,
  sent: Sent,
  interruption: Interruption,
): Promise<void> {
  const { dialect, served, directives, response, gone } = delivery;
  const { failForm } = directives;
  const { streamed } = served.prompt;
  switch (interruption) {
    case 'stall':
      if (!gone.aborted) await once(gone, 'abort');
      return writeReceipt(delivery, sent, 'disconnected');
    case 'cut': {
      await writeReceipt(delivery, sent, 'cut');
      if (!streamed) response.writeHead(200, { 'content-length': 1_000 }).write('{"id": "');
      response.socket?.end();
      return;
    }
    case 'fail': {
      const failure = dialect.failure(served);
      await writeReceipt(delivery, sent, 'failed');
      if (streamed) response.end(failForm ? oddFailure(failForm) : failure.frames);
      else sendJson(response, failure.status, failure.body);
      return;
    }
  }
}

function interruptionAt(directives: Directives, chunks: number): Interruption | undefined {
  if (directives.cutAfterChunks === chunks) return 'cut';
  if (directives.stallAfterChunks === chunks) return 'stall';
  return directives.failAfterChunks === chunks ? 'fail' : undefined;
}

function outcomeOf({ generation }: Served): Receipt['outcome'] {
  const { finish } = generation;
  return finish === 'length' || finish === 'content-filter' ? 'incomplete' : 'completed';
}

async function writeReceipt(
  { dialect, served, receipts, answers, clientRequestId, credentialSha256, now }: Delivery,
  sent: Sent,
  outcome: Receipt['outcome'],
): Promise<void> {
  const { output, reasoning } = countOutput(sent.parts);
  const searches = sent.parts.filter(({ search }) => search).length;
  await receipts.write({
    id: served.id,
    at: now().toISOString(),
    model: served.prompt.model,
    dialect: dialect.name,
    ...inputOf(served),
    cached_tokens: served.generation.cachedTokens,
    output_tokens: output,
    reasoning_tokens: reasoning,
    ...(searches > 0 && { web_searches: searches }),
    outcome,
    streamed: served.prompt.streamed,
    client_request_id: clientRequestId,
    credential_sha256: credentialSha256,
  });
  answers.end(served.id, outcome, sent.parts);
}

function inputOf({ prompt, generation }: Served): Pick<Receipt, 'input_tokens' | 'search_units'> {
  const { ranking } = prompt;
  return ranking?.isCohere
    ? { input_tokens: 0, search_units: searchUnitsOf(ranking) }
    : { input_tokens: generation.inputTokens };
}

/** The output that has left so far, part by part. */
class Sent {
  readonly parts: (Omit<OutputPart, 'text'> & { text: string })[];
  chunks = 0;

  constructor(parts: readonly OutputPart[]) {
    this.parts = parts.map((part) => ({ ...part, text: '' }));
  }

  add(number: number, text: string): void {
    const part = this.parts[number];
    if (part) part.text += text;
    this.chunks += 1;
  }
}

/** Returns early when the client is gone. */
export async function pause(delayMs: number, gone: AbortSignal): Promise<void> {
  if (delayMs > 0) await delay(delayMs, undefined, { signal: gone }).catch(() => {});
}

async function drained(response: ServerResponse, gone: AbortSignal): Promise<void> {
  await once(response, 'drain', { signal: gone }).catch(() => {});
}
