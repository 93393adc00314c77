import type { AnswerWriters } from '../dialects/dialect.ts';
import type { Policy } from '../policy/policy.ts';
import type { CanonicalCall } from '../request/call.ts';
import type { Plan } from '../selection/plan.ts';
import type { GuardrailDetection } from '../stages/stage.ts';
import type { Conversation } from '../sticky/conversation.ts';
import type { McpBeginning } from '../tools/mcp/beginning.ts';
import type { ShownTools } from '../tools/shown-tool.ts';
import type { Caching } from './cache/caching.ts';
import type { InnerPlace } from './inner/asking.ts';
import type { ResponseStages } from './planning/open-response-stages.ts';
import type { StageCalls } from './stage-calls.ts';

/** A request that may be answered: with what is known of its caller, and its endpoints are chosen. */
export interface Planned extends ResponseStages {
  readonly policy: Policy;
  readonly work: StageCalls;
  readonly request: CanonicalCall;
  readonly writers: AnswerWriters;
  readonly plan: Plan;
  /** Sluice's own count of the input. */
  readonly inputTokens: number;
  readonly conversation: Conversation | undefined;
  /** The server tools of the request. If undefined, there are none. */
  readonly serverTools: ShownTools | undefined;
  /** The part of the answer before the first turn. If undefined, there is none. */
  readonly beginning: McpBeginning | undefined;
  /** Content that guardrails found in the request. */
  readonly detections: readonly GuardrailDetection[];
  /** Milliseconds that the moderation of the input took; undefined: it was not moderated. */
  readonly moderationLatencyMs: number | undefined;
  readonly caching?: Caching | undefined;
  /** Absent: a client asks. */
  readonly inner?: InnerPlace;
}
