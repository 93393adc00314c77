import { numericIdOf } from '@sluice/api-key';
import { isSampled } from '@sluice/destinations';
import { Fault, type Rejection } from '@sluice/errors';
import { type ContentError, type Contents, contentsOf } from '@sluice/generation-contents';
import type { AnswerPart, InferenceRequest, InputItem, LastPart } from '@sluice/inference';
import type { InferenceCall } from '@sluice/inference-port';
import { demandsOf } from '../policy/demands-of.ts';
import { AnswerItems } from '../request/answer-items.ts';
import type { CanonicalCall } from '../request/call.ts';
import type { ContentLogging, Policy } from '../policy/policy.ts';
import type { TurnStage } from '../stages/stage.ts';
import type { TriedAttempt } from '../turn/tried-attempt.ts';

/** The facts of a planned response that decide whether its contents may be kept. */
export interface ContentDemands {
  readonly policy: Policy;
  readonly request: CanonicalCall;
}

/** The facts of a planned response that decide about it. */
interface Planned extends ContentDemands {
  readonly serverTools: object | undefined;
  readonly beginning: object | undefined;
  readonly turnStages: readonly Pick<TurnStage, 'judge'>[];
  readonly outputs: readonly object[];
  readonly detections: readonly object[];
  /** Absent: a client asks. */
  readonly inner?: object;
  readonly work: { readonly usage: object | undefined };
}

/** The part of a response that leaves beside its usage facts: for destinations, and to be stored. */
export interface Observation {
  /** The end is reported to the observer, for destinations. */
  readonly reportsEnd: boolean;
  /** Destinations get the contents with the end. */
  readonly isForDestinations: boolean;
  /** The contents are stored for the workspace. */
  readonly isLogged: boolean;
  /** Absent: nothing wants contents, or the request may not be kept. */
  readonly answer: AnswerItems | undefined;
  /** Adds parts of the answer. */
  note(parts: readonly AnswerPart[]): void;
}

type Asked = Pick<InferenceCall, 'client' | 'principal'>;

/** Returns undefined for a response whose usage facts say all that is wanted: it costs nothing then. */
export function observationOf(
  call: Asked,
  planned: Planned,
  generationId: string,
): Observation | undefined {
  const { observation, contentLogging } = planned.policy;
  if (!observation && !contentLogging) return undefined;
  const keeps = !planned.inner && mayBeKept(call, planned);
  const isForDestinations = keeps && observation === 'contents';
  const isLogged =
    keeps &&
    contentLogging !== undefined &&
    isChosen(contentLogging, call, { planned, generationId });
  const reportsEnd =
    isForDestinations ||
    (observation !== undefined && (hasMoreFacts(planned) || mayHaveDetections(planned)));
  if (!reportsEnd && !isLogged) return undefined;
  const answer = isForDestinations || isLogged ? new AnswerItems() : undefined;
  return {
    reportsEnd,
    isForDestinations,
    isLogged,
    answer,
    note(parts) {
      for (const part of parts) answer?.add(part);
    },
  };
}

/** A session is stored whole or not at all, and so is a trace without a session. */
function isChosen(
  { keyIds, samplingRate }: ContentLogging,
  { principal, client }: Asked,
  { planned: { request }, generationId }: { planned: Planned; generationId: string },
): boolean {
  if (keyIds && !keyIds.has(numericIdOf(principal.keyHash))) return false;
  const sampled =
    (request.sessionId ?? client?.sessionId) || (traceIdOf(request.trace) ?? generationId);
  return isSampled(`contents/${principal.workspaceId}`, sampled, samplingRate);
}

/** Reads the id of a trace, which was checked to be JSON of an object. Empty: there is no trace. */
function traceIdOf(trace: string): string | undefined {
  if (trace === '') return undefined;
  const { trace_id: id } = JSON.parse(trace) as Readonly<Record<string, unknown>>;
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** Returns false if the request withholds its contents. Zero data retention wins over any wish for them. */
export function mayBeKept(
  { client }: Pick<InferenceCall, 'client'>,
  { policy, request: { preferences } }: ContentDemands,
): boolean {
  if (client?.withholdsContents || preferences.demandsZeroRetention) return false;
  return !Object.values(demandsOf(policy).zeroRetention).some(Boolean);
}

/** The usage fact of one turn may not be the only one. */
function hasMoreFacts({
  serverTools,
  beginning,
  request,
  turnStages,
  inner,
  work,
}: Planned): boolean {
  return (
    serverTools !== undefined ||
    beginning !== undefined ||
    request.sources !== undefined ||
    inner !== undefined ||
    work.usage !== undefined ||
    turnStages.some((stage) => stage.judge !== undefined)
  );
}

/** Usage facts do not say what guardrails found. */
function mayHaveDetections({ detections, outputs }: Planned): boolean {
  return detections.length > 0 || outputs.length > 0;
}

/** Returns the contents of a response as they are now. */
export function contentsNow(
  answer: AnswerItems,
  { items, tools }: Pick<InferenceRequest, 'items' | 'tools'>,
  finishReason: string,
): Contents {
  const said: readonly InputItem[] = answer.itemsWithCut();
  return contentsOf({ items, tools, answer: said, finishReason });
}

const messageCharactersMax = 4_096;
const attemptsMax = 100;

/** The end of a response: a Fault that it threw, too. */
export type ResponseOutcome = LastPart | Rejection | Fault | undefined;

/** Returns the end of a response that threw. An error that is no Fault says nothing to clients. */
export function thrownOutcome(error: unknown): Fault {
  return error instanceof Fault ? error : new Fault('internal');
}

/** Returns the failure that ended a response. Undefined: it did not fail. */
export function contentErrorOf(
  end: ResponseOutcome,
  tried: readonly TriedAttempt[],
): ContentError | undefined {
  if (!end || ('type' in end && end.type === 'finish')) return undefined;
  const code = 'rejected' in end ? end.rejected : end.code;
  // The last attempt is the failure itself, unless it gave output.
  const previous = tried.slice(0, -1).filter(({ errorCode }) => errorCode !== '');
  return {
    code,
    message: end.message.slice(0, messageCharactersMax).toWellFormed(),
    provider: tried.at(-1)?.provider ?? '',
    previous: previous.slice(-attemptsMax).map(({ errorCode, provider, status }) => ({
      code: errorCode,
      provider,
      ...(status !== undefined && { status }),
    })),
  };
}
