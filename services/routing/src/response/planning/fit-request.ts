import type { AnswerWriters } from '../../dialects/dialect.ts';
import type { CanonicalCall } from '../../request/call.ts';
import { responsesWords } from '../../request/field-words.ts';
import { limitWarning } from '../../selection/lowered-limit.ts';
import { thoughtsWarning } from '../../selection/mandatory-thoughts.ts';
import { unheardWarning } from '../../selection/parameters.ts';
import type { Plan } from '../../selection/plan.ts';
import type { StageReport } from '../../stages/stage.ts';
import type { WithCredentials } from './insert-credentials.ts';
import type { ReadCall } from './read-call.ts';
import type { Inspected } from './inspect-input.ts';

/** A request as the endpoints of its plan can serve it. */
export interface Fitted {
  readonly request: CanonicalCall;
  readonly writers: AnswerWriters;
  /** The plan with the reports so far. */
  readonly fitted: Plan;
}

/** Leaves out of the request what none of its endpoints takes, and notes that for the client. */
export function fitRequest({
  parsed,
  inspected,
  inputReports,
  withCredentials: plan,
}: ReadCall & Inspected & WithCredentials): Fitted {
  const request = servedCall(inspected, plan);
  const { leftOut } = request;
  const stages = [...inputReports, ...(plan.stages ?? []), ...leftOutReports(leftOut)];
  return {
    request,
    writers: parsed.writers(inspected.inference, leftOut),
    fitted: stages.length === 0 ? plan : { ...plan, stages },
  };
}

/** Returns a call as its endpoints can serve it, with a warning about what they drop. */
function servedCall(
  call: CanonicalCall,
  { served, attempts }: Pick<Plan, 'served' | 'attempts'>,
): CanonicalCall {
  const { words = responsesWords } = call;
  const inference = served?.request ?? call.inference;
  const warned = [
    unheardWarning(call.inference, attempts),
    thoughtsWarning(call, attempts),
    limitWarning(call.inference, inference, words.outputLimit),
  ].reduce(added, call);
  if (!served) return warned;
  return { ...warned, inference, leftOut: [...call.leftOut, ...served.leftOut] };
}

function added(call: CanonicalCall, next: string | undefined): CanonicalCall {
  if (next === undefined) return call;
  return { ...call, warning: call.warning === undefined ? next : `${call.warning}; ${next}` };
}

/** Returns the entry in `service_metadata.pipeline` about hosted tools that were left out. */
function leftOutReports(kinds: readonly string[]): readonly StageReport[] {
  if (kinds.length === 0) return [];
  const summary = `left out, because nothing runs them: ${kinds.join(', ')}`;
  return [{ type: 'server_tools', name: 'server-tools', summary, data: { left_out: kinds } }];
}
