import { checkedFetch } from '@sluice/testing/response-stream';
import type { Bootstrap } from '@sluice/local';
import { untilServed } from '../shared/until-served.ts';
import type { Operation } from './description.ts';
import { checkerOf, type Schema } from './schema.ts';

/** One request of an operation. */
export interface Attempt {
  readonly what: string;
  /** Path parameters by name; written into the path as they are. */
  readonly path: Readonly<Record<string, string>>;
  /** With the question mark; empty: none. */
  readonly query?: string;
  /** An object is sent as JSON, a text or bytes as they are. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** True: what the description says about the request is broken, and it must be refused. */
  readonly isBroken?: boolean;
}

export interface Tried {
  readonly status: number;
  readonly json: unknown;
}

export interface Walker {
  /** Sends it and notes what the description does not allow. */
  attempt(operation: Operation, attempt: Attempt): Promise<Tried>;
  /** Everything that was noted. */
  readonly problems: readonly string[];
  readonly attempts: number;
}

const attemptTimeoutMs = 120_000;

/**
 * Sends requests to a running server, each with a key of the kind it needs, and compares each answer
 * with what was described.
 */
export function walker(
  bootstrap: Pick<Bootstrap, 'base_url' | 'api_key' | 'management_key'>,
  error: Schema,
): Walker {
  const problems: string[] = [];
  let attempts = 0;
  const origin = new URL(bootstrap.base_url).origin;
  const keys: Readonly<Record<string, string>> = {
    apiKey: bootstrap.api_key,
    managementKey: bootstrap.management_key,
  };
  return {
    problems,
    get attempts() {
      return attempts;
    },
    async attempt(operation, { what, path, query = '', body, headers, isBroken = false }) {
      attempts++;
      const note = (problem: string) =>
        problems.push(`${operation.title}: ${what}: ${problem}`.slice(0, 600));
      const url = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => path[name] ?? '');
      const send = () =>
        checkedFetch(`${origin}${url}${query}`, {
          method: operation.method,
          headers: {
            ...authorization(keys[operation.keys[0] ?? '']),
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            ...headers,
          },
          ...(body === undefined ? {} : { body: bytesOf(body) }),
          signal: AbortSignal.timeout(attemptTimeoutMs),
        });
      const response = await untilServed(send);
      const { status } = response;
      const json = await jsonOf(response);
      const schema = operation.answers.get(status);
      if (status >= 500 && status !== 501) note(`${status} ${JSON.stringify(json)}`);
      else if (!operation.answers.has(status)) note(`${status} is not described`);
      else if (isBroken && status < 400) note(`${status}, not refused`);
      else if (schema && json !== undefined) {
        const wrong = checkerOf(schema).problems(json);
        if (wrong !== '') note(`${status} is answered as something else: ${wrong}`);
      }
      if (status >= 400 && !isErrorOf(json, status, error) && !isOfAnthropic(operation, json))
        note(`${status} without its envelope`);
      return { status, json };
    },
  };
}

function authorization(key: string | undefined): Readonly<Record<string, string>> {
  return key === undefined ? {} : { authorization: `Bearer ${key}` };
}

function bytesOf(body: unknown): string | Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return body;
  return body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body);
}

async function jsonOf(response: Response): Promise<unknown> {
  const text = await response.text();
  return response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : undefined;
}

/** Returns true for an error in Anthropic's form. The schema of the answer is checked as for any other. */
function isOfAnthropic({ path }: Operation, json: unknown): boolean {
  const isFormat = path.startsWith('/v1/messages');
  return isFormat && (json as { readonly type?: unknown }).type === 'error';
}

function isErrorOf(json: unknown, status: number, error: Schema): boolean {
  if (!checkerOf(error).accepts(json)) return false;
  return (json as { readonly error: { readonly code: number } }).error.code === status;
}
