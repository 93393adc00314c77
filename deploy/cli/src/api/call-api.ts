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

const answerMsMax = 30_000;

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

type Question = Pick<Call, 'method' | 'path' | 'key'> & Partial<Pick<Call, 'query' | 'body'>>;

/** The parsed body of a 2xx answer; undefined where it has none. Throws ApiRefused. */
export async function callApi(
  api: Api,
  { method, path, query, body, key }: Question,
): Promise<unknown> {
  const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const answer = await requestApi(api, path, {
    method,
    timeoutMs: answerMsMax,
    ...(query && { query }),
    ...(key && { key }),
    ...(body && json),
  });
  const text = await answer.text();
  const parsed = parse(text);
  if (text !== '' && parsed === undefined)
    throw new ApiRefused(`${new URL(api.baseUrl).origin} is no Sluice: its answer is no JSON.`);
  return parsed;
}

interface ContentRequest extends Pick<RequestInit, 'method' | 'body'>, Pick<Call, 'key'> {
  readonly query?: Call['query'];
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/** Sends a body of any kind, or gets one. Throws ApiRefused. */
export async function requestApi(
  { baseUrl, managementKey, apiKey }: Api,
  path: string,
  { query = {}, headers, key, timeoutMs, ...sent }: ContentRequest,
): Promise<Response> {
  const presented = key === 'api' ? apiKey : managementKey;
  if (presented === undefined) throw new ApiRefused('SLUICE_API_KEY is not set.');
  const url = new URL(`${baseUrl}${path}`);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const answer = await fetch(url, {
    ...sent,
    headers: { authorization: `Bearer ${presented.reveal()}`, ...headers },
    signal: AbortSignal.timeout(timeoutMs),
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
