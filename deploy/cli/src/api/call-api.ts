import { Value } from 'typebox/value';
import { Type } from 'typebox';
import type { Call } from './request.ts';
import type { Api } from './find-api.ts';

/** The API said no, or something else than the API answered; the message is a sentence. */
export class ApiRefused extends Error {
  override readonly name = 'ApiRefused';
  /** The HTTP status; undefined: there was no such answer. */
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

const timeoutMs = 30_000;

const envelope = Type.Object({
  error: Type.Object({
    message: Type.String(),
    metadata: Type.Optional(
      Type.Union([
        Type.Null(),
        Type.Object({
          issues: Type.Optional(
            Type.Array(Type.Object({ path: Type.String(), message: Type.String() })),
          ),
        }),
      ]),
    ),
  }),
});

/** The parsed body of a 2xx answer; undefined where it has none. Throws ApiRefused. */
export async function callApi(
  { baseUrl, managementKey, apiKey }: Api,
  { method, path, query, body, key }: Pick<Call, 'method' | 'path' | 'query' | 'body' | 'key'>,
): Promise<unknown> {
  const url = new URL(`${baseUrl}${path}`);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const presented = key === 'api' ? apiKey : managementKey;
  if (presented === undefined) throw new ApiRefused('SLUICE_API_KEY is not set.');
  const json = body === undefined ? {} : { 'content-type': 'application/json' };
  const answer = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${presented.reveal()}`, ...json },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((error: unknown) => {
    throw new ApiRefused(`${url.origin} cannot be reached now: ${reasonOf(error)}.`);
  });
  const text = await answer.text();
  const parsed = parse(text);
  if (!answer.ok) throw new ApiRefused(refusalOf(answer.status, parsed), answer.status);
  if (text !== '' && parsed === undefined)
    throw new ApiRefused(`${url.origin} is no Sluice: its answer is no JSON.`);
  return parsed;
}

interface ContentRequest extends RequestInit {
  readonly timeoutMs: number;
  /** Absent: the key that calls models. */
  readonly key?: 'management';
}

/** Sends a body that is no JSON, or gets one. Throws ApiRefused. */
export async function requestApi(
  { baseUrl, managementKey, apiKey }: Api,
  path: string,
  { timeoutMs: milliseconds, key, ...sent }: ContentRequest,
): Promise<Response> {
  const presented = key === 'management' ? managementKey : apiKey;
  if (presented === undefined) throw new ApiRefused('SLUICE_API_KEY is not set.');
  const url = new URL(`${baseUrl}${path}`);
  const answer = await fetch(url, {
    ...sent,
    headers: { authorization: `Bearer ${presented.reveal()}` },
    signal: AbortSignal.timeout(milliseconds),
  }).catch((error: unknown) => {
    throw new ApiRefused(`${url.origin} cannot be reached now: ${reasonOf(error)}.`);
  });
  if (answer.ok) return answer;
  throw new ApiRefused(refusalOf(answer.status, parse(await answer.text())), answer.status);
}

function refusalOf(status: number, body: unknown): string {
  if (!Value.Check(envelope, body)) return `This is refused with status ${status}.`;
  const { message, metadata } = body.error;
  const issues = (metadata?.issues ?? []).map((each) => `${each.path} ${each.message}`);
  const why = issues.length > 0 ? issues.join('; ') : message.replace(/\.$/, '');
  return `This is refused (${status}): ${why}.`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Returns the reason that fetch hides behind "fetch failed". */
function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  if (!(cause instanceof Error)) return message;
  const { code } = cause as { readonly code?: unknown };
  return cause.message === '' && typeof code === 'string' ? code : cause.message;
}
