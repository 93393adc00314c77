import { Fault } from '@sluice/errors';
import type { InferenceRequest, StreamPart } from '@sluice/inference';
import { type Endpoint, type Upstream, UpstreamFault } from '@sluice/providers';
import { isForbiddenAddress } from '@sluice/egress';
import type { CheckFailure } from './checks.ts';

/** The outcome of one call to an upstream. */
export interface Tried {
  /** Absent: the call succeeded. */
  readonly failure?: CheckFailure;
  readonly hasUsage: boolean;
  /** The answer came as events. */
  readonly isEventStream: boolean;
  /** The model that the upstream says has answered; undefined: it says none. */
  readonly actualModel: string | undefined;
}

interface Trying {
  readonly isOfVectors: boolean;
  readonly isStreamed: boolean;
  readonly requestId: string;
  readonly patience: Patience;
}

/** Milliseconds that an upstream may take. */
export interface Patience {
  readonly totalMs: number;
  readonly headersTimeoutMs: number;
  readonly firstOutputTimeoutMs: number;
  readonly idleTimeoutMs: number;
}
export const usualPatience: Patience = {
  totalMs: 15_000,
  headersTimeoutMs: 10_000,
  firstOutputTimeoutMs: 12_000,
  idleTimeoutMs: 5_000,
};
const answerBytesMax = 256 * 1024;
/** Enough for a model that thinks before it says a word. */
const outputTokensMax = 128;
const toldCharactersMax = 500;

/** Calls an upstream with a short request, within bounds of time and bytes. Never throws for its failure. */
export async function tryCall(
  upstream: Pick<Upstream, 'call'>,
  endpoint: Endpoint,
  { isOfVectors, isStreamed, requestId, patience: { totalMs, ...limits } }: Trying,
): Promise<Tried> {
  const seen = { hasOutput: false, hasUsage: false, isEventStream: false };
  let actualModel: string | undefined;
  let refusal: string | undefined;
  let broken: Extract<StreamPart, { type: 'error' }> | undefined;
  const request = isOfVectors ? vectorRequest : textRequest(isStreamed);
  const probe = {
    named: (model: string) => void (actualModel = model.slice(0, toldCharactersMax)),
    streamed: () => void (seen.isEventStream = true),
    refused: (message: string) => void (refusal = message),
  };
  const signal = AbortSignal.timeout(totalMs);
  let isAnswered = false;
  const progress = { ...noProgress, answered: () => void (isAnswered = true) };
  try {
    const options = { ...limits, signal, requestId, answerBytesMax, probe, progress };
    for await (const parts of upstream.call(endpoint, request, options))
      for (const part of parts) {
        seen.hasOutput ||= outputs.has(part.type);
        if (part.type === 'finish') seen.hasUsage = part.usage !== undefined;
        if (part.type === 'error') broken = part;
      }
  } catch (error) {
    const failure = failureOf(error, { isLate: signal.aborted, isAnswered });
    return { ...seen, actualModel, failure: withWords(failure, refusal, endpoint) };
  }
  const failure = broken
    ? { reason: 'invalid_response', upstreamMessage: told(broken.message) }
    : seen.hasOutput
      ? undefined
      : { reason: 'invalid_response' };
  return { ...seen, actualModel, ...(failure && { failure }) };
}

const noProgress = { sent() {}, refused() {}, answered() {}, broke() {} };

const outputs: ReadonlySet<StreamPart['type']> = new Set([
  'text-delta',
  'refusal-delta',
  'reasoning-delta',
  'reasoning-summary-delta',
  'reasoning-end',
  'embeddings',
] as const);

function textRequest(stream: boolean): InferenceRequest {
  const content = [{ type: 'text', text: 'Say hello.' }] as const;
  return {
    items: [{ type: 'message', role: 'user', content }],
    tools: [],
    toolChoice: { type: 'auto' },
    parallelToolCalls: undefined,
    maxOutputTokens: outputTokensMax,
    temperature: undefined,
    topP: undefined,
    stream,
  };
}

const vectorRequest: InferenceRequest = {
  ...textRequest(false),
  maxOutputTokens: undefined,
  embedding: { dimensions: undefined, inputType: undefined },
};

/** Replaces our words for a refusal by those of the upstream, unless they repeat the key. */
function withWords(
  failure: CheckFailure,
  refusal: string | undefined,
  { apiKey }: Endpoint,
): CheckFailure {
  if (refusal === undefined || failure.upstreamStatus === undefined) return failure;
  const key = apiKey?.reveal() ?? '';
  const isTelling = key !== '' && refusal.includes(key);
  return isTelling ? failure : { ...failure, upstreamMessage: told(refusal) };
}

/** Returns why a call failed. The messages of faults are without secrets. */
function failureOf(
  error: unknown,
  { isLate, isAnswered }: { readonly isLate: boolean; readonly isAnswered: boolean },
): CheckFailure {
  if (isForbiddenAddress(error)) return { reason: 'invalid_base_url' };
  if (isLate)
    return { reason: 'upstream_error', upstreamMessage: 'The upstream did not answer in time' };
  if (!(error instanceof Fault)) throw error;
  const upstreamMessage = told(error.message);
  if (error instanceof UpstreamFault) {
    const { upstreamStatus } = error;
    const isStatus = upstreamStatus >= 400 && upstreamStatus <= 599;
    return { reason: 'upstream_error', upstreamMessage, ...(isStatus && { upstreamStatus }) };
  }
  return { reason: isAnswered ? 'invalid_response' : 'upstream_error', upstreamMessage };
}

function told(message: string): string {
  return message.slice(0, toldCharactersMax);
}

/** The rest of a name that only says which version it is: `-2024-11-20`, `@001`, `-v1.1`, `-latest`. */
const versionPattern = /^(?:[-@_:](?:v?\d[\d.-]*|latest|preview))*$/;

/** Returns true if a model calls itself by one of these names: with or without its author and its version. */
export function isNamedAs(actual: string, wanted: readonly string[]): boolean {
  const said = lastSegment(actual);
  return wanted.map(lastSegment).some((name) => {
    const [short, long] = said.length < name.length ? [said, name] : [name, said];
    return short !== '' && long.startsWith(short) && versionPattern.test(long.slice(short.length));
  });
}

function lastSegment(name: string): string {
  return (name.split('/').at(-1) ?? '').toLowerCase();
}
