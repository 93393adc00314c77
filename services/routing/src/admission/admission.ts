import type { Principal } from '@sluice/inference-port';
import type { Policy } from '../policy/policy.ts';
import type { FieldWords } from '../request/field-words.ts';
import type { PlannedAttempt } from '../selection/plan.ts';
import type { HeldWorst } from './hold-worst.ts';
import type { InputMeasure } from './input-bound.ts';

/** A request that wants to be admitted. */
export interface Asked {
  readonly principal: Principal;
  readonly policy: Policy;
  readonly attempts: readonly PlannedAttempt[];
  readonly input: InputMeasure;
  /** The client's own limit. */
  readonly outputTokensMax: number | undefined;
  /** The client's words. Absent: those of `POST /responses`. */
  readonly words?: FieldWords | undefined;
  /** The smallest limit that has room for the thinking budget which the request names; 0: it names none. */
  readonly thinkingTokensMin?: number;
}

/** A request that may run: the worst it can cost is held. */
export interface Admission {
  readonly held: HeldWorst;
  /** The attempts that the hold pays for: at least one. */
  readonly attempts: readonly PlannedAttempt[];
  /** Output tokens that the hold pays for, which is the limit sent upstream. Infinity: all of each model. */
  readonly outputTokensMax: number;
}
