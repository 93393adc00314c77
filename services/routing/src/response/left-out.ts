import type { InferenceReply } from '@sluice/inference';
import type { CanonicalCall } from '../request/call.ts';
import { responsesWords } from '../request/field-words.ts';
import { limitWarning } from '../selection/lowered-limit.ts';
import { thoughtsWarning } from '../selection/mandatory-thoughts.ts';
import { unheardWarning } from '../selection/parameters.ts';
import type { Plan } from '../selection/plan.ts';
import type { StageReport } from '../stages/stage.ts';

const namedMax = 10;

/** Returns a call as its endpoints can serve it, with a warning about what they drop. */
export function servedCall(
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
export function leftOutReports(kinds: readonly string[]): readonly StageReport[] {
  if (kinds.length === 0) return [];
  const summary = `left out, because nothing runs them: ${kinds.join(', ')}`;
  return [{ type: 'server_tools', name: 'server-tools', summary, data: { left_out: kinds } }];
}

/** Names the fields of the body that had no effect, and the tools that were left out. */
export function warned(
  reply: InferenceReply,
  { warning, leftOut }: Pick<CanonicalCall, 'warning' | 'leftOut'>,
): InferenceReply {
  const tools = leftOut.slice(0, namedMax).map((kind) => `tool ${kind} left out`);
  const warnings = [warning ?? '', tools.join(', ')].filter((text) => text !== '');
  if (warnings.length === 0) return reply;
  return { ...reply, headers: { ...reply.headers, 'x-service-warnings': warnings.join('; ') } };
}
