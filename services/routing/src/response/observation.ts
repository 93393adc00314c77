import { type Contents, contentsOf } from '@sluice/generation-contents';
import type { AnswerPart, InferenceRequest, InputItem } from '@sluice/inference';
import type { InferenceCall } from '@sluice/inference-port';
import { demandsOf } from '../policy/demands-of.ts';
import { AnswerItems } from '../request/answer-items.ts';
import type { CanonicalCall } from '../request/call.ts';
import type { Policy } from '../policy/policy.ts';
import type { TurnStage } from '../stages/stage.ts';

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
  /** Absent: a client asks. */
  readonly inner?: object;
  readonly work: { readonly usage: object | undefined };
}

/** The part of a response that destinations of the workspace get beside its usage facts. */
export interface Observation {
  /** Absent: nothing wants contents, or the request may not be kept. */
  readonly answer: AnswerItems | undefined;
  /** Adds parts of the answer. */
  note(parts: readonly AnswerPart[]): void;
}

/** Returns undefined for a response whose usage facts say all that destinations want: it costs nothing then. */
export function observationOf(
  call: Pick<InferenceCall, 'client'>,
  planned: Planned,
): Observation | undefined {
  const { observation } = planned.policy;
  if (!observation) return undefined;
  const keeps = observation === 'contents' && !planned.inner && mayBeKept(call, planned);
  if (keeps) return observationWith(new AnswerItems());
  return hasMoreFacts(planned) ? observationWith(undefined) : undefined;
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

function observationWith(answer: AnswerItems | undefined): Observation {
  return {
    answer,
    note(parts) {
      for (const part of parts) answer?.add(part);
    },
  };
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
