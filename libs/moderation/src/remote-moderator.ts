import type { Moderator, Verdict } from './moderator.ts';
import { type Piece, piecesOf } from './pieces.ts';
import { readAnswer } from './read-answer.ts';
import { moderationUnavailable } from './unavailable.ts';
import { VerdictsByText } from './verdicts-by-text.ts';

export interface RemoteModeratorOptions {
  /** Without credentials: the texts are posted to `<url>/moderations`. */
  readonly url: string;
  /** Sent as a bearer token; undefined: none is. */
  readonly key: { reveal(): string } | undefined;
  /** Sent with each request; undefined: the endpoint chooses. */
  readonly model: string | undefined;
  /** For all texts of a check. */
  readonly deadlineMs?: number;
}

const deadlineMsDefault = 5_000;
const charactersMax = 16_000;
const overlap = 200;
const textsPerRequestMax = 32;
const charactersPerRequestMax = 64_000;
const answerBytesMax = 1_048_576;

/**
 * Creates a moderator behind an OpenAI-compatible `POST /moderations`. An error of it names neither a text nor the key
 * nor the words of the endpoint.
 */
export function remoteModerator(options: RemoteModeratorOptions): Moderator {
  const { deadlineMs = deadlineMsDefault } = options;
  const url = `${options.url.replace(/\/+$/u, '')}/moderations`;
  const headers = headersOf(options.key);
  return {
    async check(texts, { signal }) {
      const verdicts = new VerdictsByText(texts);
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(), deadlineMs);
      const question = { url, headers, model: options.model };
      try {
        for (const batch of batchesOf(piecesOf(texts, { charactersMax, overlap }))) {
          const ends = AbortSignal.any([signal, late.signal]);
          const judged = await ask({ ...question, batch, signal: ends });
          batch.forEach(({ index }, at) => {
            const verdict = judged[at];
            if (verdict) verdicts.add(index, verdict);
          });
        }
      } catch (error) {
        if (late.signal.aborted) throw moderationUnavailable('the moderation endpoint is late');
        throw error;
      } finally {
        clearTimeout(timer);
      }
      return verdicts.all();
    },
  };
}

/** An error of `fetch` would show a key that cannot be in a header. */
function headersOf(key: RemoteModeratorOptions['key']): Readonly<Record<string, string>> {
  const headers = { accept: 'application/json', 'content-type': 'application/json' };
  if (key === undefined) return headers;
  const value = key.reveal();
  if (!/^[\x21-\x7e]+$/u.test(value))
    throw new Error('the key for moderation is not printable ASCII');
  return { ...headers, authorization: `Bearer ${value}` };
}

function* batchesOf(pieces: Iterable<Piece>): Generator<readonly Piece[]> {
  let batch: Piece[] = [];
  let characters = 0;
  for (const piece of pieces) {
    // An endpoint may refuse an empty text.
    if (piece.text.trim() === '') continue;
    const isFull =
      batch.length === textsPerRequestMax ||
      characters + piece.text.length > charactersPerRequestMax;
    if (isFull) {
      yield batch;
      batch = [];
      characters = 0;
    }
    batch.push(piece);
    characters += piece.text.length;
  }
  if (batch.length > 0) yield batch;
}

interface Question {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly model: string | undefined;
  readonly batch: readonly Piece[];
  readonly signal: AbortSignal;
}

async function ask({ url, headers, model, batch, signal }: Question): Promise<readonly Verdict[]> {
  const input = batch.map(({ text }) => text.toWellFormed());
  const body = JSON.stringify({ ...(model !== undefined && { model }), input });
  // The key is for this host alone.
  const reply = await fetch(url, {
    method: 'POST',
    headers,
    body,
    redirect: 'error',
    signal,
  }).catch(() => {
    throw moderationUnavailable('the moderation endpoint cannot be reached');
  });
  if (reply.status !== 200) {
    await reply.body?.cancel().catch(() => undefined);
    throw moderationUnavailable(`the moderation endpoint answers ${String(reply.status)}`);
  }
  const verdicts = readAnswer(await textOf(reply), input.length);
  if (!verdicts) throw moderationUnavailable('the moderation endpoint answers no verdicts');
  return verdicts;
}

async function textOf(reply: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of reply.body ?? []) {
      bytes += chunk.byteLength;
      // Leaving the loop ends the answer.
      if (bytes > answerBytesMax) break;
      chunks.push(chunk);
    }
  } catch {
    throw moderationUnavailable('the answer of the moderation endpoint breaks off');
  }
  if (bytes > answerBytesMax)
    throw moderationUnavailable('the answer of the moderation endpoint is too long');
  return Buffer.concat(chunks).toString('utf8');
}
