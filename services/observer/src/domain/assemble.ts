import { parseUsageId, type UsageFact } from '@sluice/usage-facts';
import type {
  FinishedGeneration,
  GenerationToolCall,
  GenerationTurn,
  Tokens,
} from './generation.ts';
import type { FailedTurn, Part } from './part.ts';

/** Returns true if no part of the generation is missing. */
export function isComplete(parts: readonly Part[]): boolean {
  const isAlone = parts.some(
    (part) =>
      (part.kind === 'fact' &&
        !part.fact.hasEnd &&
        parseUsageId(part.fact.usageId).kind === 'turn') ||
      (part.kind === 'failure' && !part.failure.hasEnd && turnOf(part.failure) === 1),
  );
  if (isAlone) return true;
  const end = parts.find((part) => part.kind === 'end');
  if (!end) return false;
  const { turns: known } = stepsOf(parts);
  const seen = new Set([...known.map(({ turn }) => turn), ...failuresOf(parts).map(turnOf)]);
  for (let turn = 1; turn <= end.end.turns; turn++) if (!seen.has(turn)) return false;
  return true;
}

function eventsOf(
  parts: readonly Part[],
): Pick<FinishedGeneration, 'guardrailEvents' | 'guardrailEventsOmitted'> {
  const end = parts.find((part) => part.kind === 'end')?.end;
  return {
    guardrailEvents: end?.guardrailEvents ?? [],
    guardrailEventsOmitted: end?.guardrailEventsOmitted ?? 0,
  };
}

/** Makes a generation of its parts. Returns undefined if there is neither a fact nor a failure. */
export function assemble(parts: readonly Part[]): FinishedGeneration | undefined {
  const facts = factsOf(parts);
  const failure = failuresOf(parts).toSorted((a, b) => turnOf(b) - turnOf(a))[0];
  const { turns, calls } = stepsOf(parts);
  const last = turns.at(-1)?.fact ?? facts.at(-1);
  const events = eventsOf(parts);
  if (!last) return failure && ofFailure(failure, events);
  const ended = failure && turnOf(failure) > (turns.at(-1)?.turn ?? 0) ? failure : undefined;
  const first = turns[0]?.fact ?? last;
  const completedAtMs = Math.max(
    ...facts.map(({ completedAt }) => Date.parse(completedAt)),
    ended ? Date.parse(ended.completedAt) : 0,
  );
  return {
    ...originOf(last),
    model: ended?.model || last.model,
    provider: last.provider,
    upstreamId: last.upstreamId,
    outcome: ended?.outcome ?? last.outcome,
    finishReason: last.finishReason,
    nativeFinishReason: last.nativeFinishReason,
    errorCode: ended?.errorCode ?? '',
    serviceTier: last.serviceTier,
    isByok: last.isByok,
    streamed: last.streamed,
    startedAtMs: Math.min(...facts.map(({ admittedAt }) => Date.parse(admittedAt))),
    completedAtMs,
    latencyMs: numberOf(first.latencyMs),
    tokens: sumOf(facts.filter(({ toolType }) => toolType === '').map(tokensOf)),
    costNanoUsd: facts.reduce((sum, fact) => sum + fact.costNanoUsd, 0n),
    feeNanoUsd: facts.reduce((sum, fact) => sum + fact.feeNanoUsd, 0n),
    guardrailInvoked: facts.some((fact) => fact.guardrailInvoked),
    ...events,
    moderationLatencyMs: numberOf(first.moderationLatencyMs),
    responseCacheSourceId: last.responseCacheSourceId,
    turns: [
      ...turns.map(({ turn, fact }) => turnRecord(turn, fact)),
      ...(ended ? [failedRecord(ended)] : []),
    ],
    toolCalls: calls.map(({ number, fact }) => toolRecord(number, fact)),
  };
}

interface Steps {
  readonly turns: readonly { readonly turn: number; readonly fact: UsageFact }[];
  readonly calls: readonly { readonly number: number; readonly fact: UsageFact }[];
}

/** Returns the facts of turns and of tool calls, in their order. The last attempt of a turn stands for it. */
function stepsOf(parts: readonly Part[]): Steps {
  const turns = new Map<number, { attempt: number; fact: UsageFact }>();
  const calls = new Map<number, UsageFact>();
  for (const fact of factsOf(parts)) {
    const step = parseUsageId(fact.usageId);
    if (step.kind === 'tool') calls.set(step.number, fact);
    if (step.kind !== 'turn') continue;
    const known = turns.get(step.turn);
    if (!known || known.attempt < step.attempt) turns.set(step.turn, { ...step, fact });
  }
  return {
    turns: [...turns].map(([turn, { fact }]) => ({ turn, fact })).toSorted(byOf('turn')),
    calls: [...calls].map(([number, fact]) => ({ number, fact })).toSorted(byOf('number')),
  };
}

const byOf =
  <Name extends string>(name: Name) =>
  (a: Readonly<Record<Name, number>>, b: Readonly<Record<Name, number>>) =>
    a[name] - b[name];

const factsOf = (parts: readonly Part[]) =>
  parts.flatMap((part) => (part.kind === 'fact' ? [part.fact] : []));
const failuresOf = (parts: readonly Part[]) =>
  parts.flatMap((part) => (part.kind === 'failure' ? [part.failure] : []));
const turnOf = ({ turn }: FailedTurn) => turn;

/** The fields that say where a generation comes from, which all its facts share. */
function originOf(fact: UsageFact) {
  return {
    generationId: fact.generationId,
    requestId: fact.requestId,
    accountId: fact.accountId,
    workspaceId: fact.workspaceId,
    keyHash: fact.keyHash,
    keyName: '',
    userId: fact.userId,
    externalUser: fact.externalUser,
    sessionId: fact.sessionId,
    trace: traceOf(fact.trace),
    traceparent: fact.traceparent,
    apiType: fact.apiType === 'tool' ? '' : fact.apiType,
    region: fact.dataRegion || 'global',
    httpReferer: fact.httpReferer,
    userAgent: fact.userAgent,
    appTitle: fact.appTitle,
  };
}

function ofFailure(failure: FailedTurn, events: ReturnType<typeof eventsOf>): FinishedGeneration {
  const {
    turn: _turn,
    hasEnd: _hasEnd,
    attempts,
    trace,
    admittedAt,
    completedAt,
    ...facts
  } = failure;
  return {
    ...facts,
    keyName: '',
    trace: traceOf(trace),
    region: 'global',
    isByok: false,
    provider: attempts.at(-1)?.provider ?? '',
    upstreamId: '',
    finishReason: '',
    nativeFinishReason: '',
    serviceTier: '',
    startedAtMs: Date.parse(admittedAt),
    completedAtMs: Date.parse(completedAt),
    latencyMs: undefined,
    tokens: noTokens,
    costNanoUsd: 0n,
    feeNanoUsd: 0n,
    guardrailInvoked: facts.guardrailInvoked || events.guardrailEvents.length > 0,
    ...events,
    responseCacheSourceId: '',
    turns: [failedRecord(failure)],
    toolCalls: [],
  };
}

function turnRecord(turn: number, fact: UsageFact): GenerationTurn {
  return {
    turn,
    model: fact.model,
    provider: fact.provider,
    upstreamId: fact.upstreamId,
    outcome: fact.outcome,
    finishReason: fact.finishReason,
    startedAtMs: Date.parse(fact.admittedAt),
    completedAtMs: Date.parse(fact.completedAt),
    latencyMs: numberOf(fact.latencyMs),
    tokens: tokensOf(fact),
    costNanoUsd: fact.costNanoUsd,
    attempts: fact.attempts.map(({ provider, errorCode, latencyMs }) => ({
      provider,
      errorCode,
      latencyMs: Number(latencyMs),
    })),
  };
}

function failedRecord(failure: FailedTurn): GenerationTurn {
  const { turn, model, outcome, attempts } = failure;
  return {
    turn,
    model,
    provider: attempts.at(-1)?.provider ?? '',
    upstreamId: '',
    outcome,
    finishReason: '',
    startedAtMs: Date.parse(failure.admittedAt),
    completedAtMs: Date.parse(failure.completedAt),
    latencyMs: undefined,
    tokens: noTokens,
    costNanoUsd: 0n,
    attempts,
  };
}

function toolRecord(number: number, fact: UsageFact): GenerationToolCall {
  return {
    number,
    toolType: fact.toolType,
    engine: fact.provider,
    outcome: fact.outcome,
    startedAtMs: Date.parse(fact.admittedAt),
    completedAtMs: Date.parse(fact.completedAt),
    costNanoUsd: fact.costNanoUsd,
  };
}

const noTokens: Tokens = { input: 0, cached: 0, output: 0, reasoning: 0 };

function tokensOf(fact: UsageFact): Tokens {
  return {
    input: Number(fact.inputTokens),
    cached: Number(fact.cachedTokens),
    output: Number(fact.outputTokens),
    reasoning: Number(fact.reasoningTokens),
  };
}

function sumOf(all: readonly Tokens[]): Tokens {
  return all.reduce(
    (sum, { input, cached, output, reasoning }) => ({
      input: sum.input + input,
      cached: sum.cached + cached,
      output: sum.output + output,
      reasoning: sum.reasoning + reasoning,
    }),
    noTokens,
  );
}

function numberOf(value: bigint | undefined): number | undefined {
  return value === undefined ? undefined : Number(value);
}

/** Parses the trace of a fact. Anything but an object is none. */
function traceOf(text: string): Readonly<Record<string, unknown>> {
  if (text === '') return {};
  try {
    const read: unknown = JSON.parse(text);
    const isObject = typeof read === 'object' && read !== null && !Array.isArray(read);
    return isObject ? (read as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
