import { cloudflareAi } from './cloudflare-ai.ts';
import type {
  Dial,
  EngineOutcome,
  FileAdapter,
  FileEngine,
  FileEngineName,
} from './file-engine.ts';
import { mistralOcr } from './mistral-ocr.ts';

export interface FileEngineOptions {
  readonly name: FileEngineName;
  readonly key: { reveal(): string };
  /** Replaces the address of the engine. Required for one whose address names an account. */
  readonly baseUrl?: string | undefined;
  /** The bound of one file. 120 s if absent. */
  readonly deadlineMs?: number;
  readonly dial?: Dial;
}

const adapters: Readonly<Record<FileEngineName, FileAdapter>> = {
  'mistral-ocr': mistralOcr,
  'cloudflare-ai': cloudflareAi,
};

const deadlineMsDefault = 120_000;
const answerBytesMax = 64 * 1_048_576;

/** Creates an engine from its adapter. Throws if its address is missing or the key cannot be a header. */
export function createFileEngine(options: FileEngineOptions): FileEngine {
  const { name, key, deadlineMs = deadlineMsDefault, dial = fetch } = options;
  const adapter = adapters[name];
  const baseUrl = options.baseUrl ?? adapter.baseUrl;
  if (baseUrl === undefined) throw new Error(`the address of ${name} is missing`);
  const url = `${baseUrl.replace(/\/+$/u, '')}${adapter.path}`;
  const secret = key.reveal();
  // An error of `fetch` would show a key that cannot be in a header.
  if (!/^[\x21-\x7e]+$/u.test(secret)) throw new Error(`the key of ${name} is not printable ASCII`);
  return {
    name,
    async read(file, { signal, requestId }) {
      const { bytes, contentType } = await adapter.body(file);
      const late = AbortSignal.timeout(deadlineMs);
      let reply: Response;
      let text: string | undefined;
      try {
        reply = await dial(url, {
          method: 'POST',
          headers: {
            accept: 'application/json',
            authorization: `Bearer ${secret}`,
            'content-type': contentType,
            ...(requestId !== undefined && { 'x-client-request-id': requestId }),
          },
          body: bytes,
          redirect: 'manual',
          signal: AbortSignal.any([signal, late]),
        });
        if (reply.status !== 200) {
          await reply.body?.cancel().catch(() => undefined);
          return failed(`${name} ${saysOf(reply.status)} (HTTP ${String(reply.status)})`, false);
        }
        text = await readText(reply);
      } catch {
        return failed(
          `${name} ${late.aborted ? 'did not answer in time' : 'cannot be reached'}`,
          true,
        );
      }
      const read = text === undefined ? undefined : adapter.read(parse(text));
      return read ? { isRead: true, ...read } : failed(`${name} returned an invalid answer`, true);
    },
  };
}

function saysOf(status: number): string {
  if (status === 401 || status === 403) return 'rejected the request or its key';
  if (status === 402 || status === 429) return 'has a limit that is reached';
  return status >= 400 && status < 500 ? 'rejected the file' : 'failed';
}

function failed(message: string, mayBeBilled: boolean): EngineOutcome {
  return { isRead: false, message, mayBeBilled };
}

/** Returns undefined for an answer that is too large. */
async function readText(reply: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of reply.body ?? []) {
    bytes += chunk.byteLength;
    // Leaving the loop ends the answer.
    if (bytes > answerBytesMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
