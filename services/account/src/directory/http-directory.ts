import type { DirectorySource, Pulled } from './directory-source.ts';
import { parseDirectory } from './parse-directory.ts';

export interface HttpDirectoryOptions {
  /** `https://host/path`: the organization is asked for under `<url>/<account id>`. */
  readonly url: string;
  /** Sent as a bearer token; undefined: none is. */
  readonly token: string | undefined;
  /** For the whole answer. */
  readonly timeoutMs?: number;
}

const answerBytesMax = 16 * 1024 * 1024;
const answerTimeoutMs = 20_000;

/** A directory behind HTTP that answers with the JSON of one organization. */
export function httpDirectory(options: HttpDirectoryOptions): DirectorySource {
  const { url, token, timeoutMs = answerTimeoutMs } = options;
  return {
    async pull(accountId, signal) {
      const limit = AbortSignal.timeout(timeoutMs);
      try {
        const response = await fetch(`${url.replace(/\/+$/, '')}/${accountId}`, {
          headers: {
            accept: 'application/json',
            ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          },
          // The token is for this host alone.
          redirect: 'error',
          signal: AbortSignal.any([signal, limit]),
        });
        return await answerOf(response);
      } catch {
        const reason = limit.aborted
          ? 'The directory did not answer in time'
          : 'The directory cannot be reached';
        return { kind: 'failed', reason };
      }
    },
  };
}

async function answerOf(response: Response): Promise<Pulled> {
  if (response.status === 404) {
    await response.body?.cancel();
    return { kind: 'failed', reason: 'The directory does not know this organization' };
  }
  if (response.status !== 200) {
    await response.body?.cancel();
    return { kind: 'failed', reason: `The directory answered with status ${response.status}` };
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    // Leaving the loop ends the answer.
    if (bytes > answerBytesMax)
      return { kind: 'failed', reason: `The directory is larger than ${answerBytesMax} bytes` };
    chunks.push(chunk);
  }
  return parseDirectory(Buffer.concat(chunks).toString('utf8'));
}
