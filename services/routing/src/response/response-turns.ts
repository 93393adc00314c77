import type { Rejection } from '@sluice/errors';
import type { InputItem, Tool, ToolChoice } from '@sluice/inference';
import type { AlignmentResult } from '../request/alignment.ts';
import type { LoopLimits } from '../request/loop-limits.ts';
import type { ReadPage } from '@sluice/inference';
import type { UsageReport } from '../request/usage-report.ts';
import type { TurnStage } from '../stages/stage.ts';
import type { McpBeginning } from '../tools/mcp/beginning.ts';
import type { ShownTools } from '../tools/shown-tool.ts';
import type { Caching } from './cache/caching.ts';
import type { Asked, Asking } from './inner/asking.ts';
import type { TurnEnd } from '../turn/settle.ts';
import type { Turn } from '../turn/turn.ts';

/** The differences of the next turn, beside its items. */
export interface NextTurn {
  /** Absent: the choice of the turn before. */
  readonly toolChoice?: ToolChoice | undefined;
  /** Tools that the model may call from now on. */
  readonly revealed?: readonly Tool[];
  /** The names of functions in whose place the endpoint ran a tool, once for each call. */
  readonly nativeCalls?: readonly string[];
}

/** The turns of one response. */
export interface ResponseTurns {
  /** The first turn, or the one that `next` returned last. */
  readonly turn: Turn;
  readonly turnStages: readonly TurnStage[];
  /** The server tools of the request. If undefined, there are none. */
  readonly serverTools: ShownTools | undefined;
  /** The part of the answer before the first turn. If undefined, there is none. */
  readonly beginning: McpBeginning | undefined;
  /** Pages that the answer may cite. Absent: there are none yet. */
  readonly sources: readonly ReadPage[] | undefined;
  readonly loop: LoopLimits;
  /** The use of the response cache. If undefined, the client does not ask for it. */
  readonly caching: Caching | undefined;
  /**
   * Begins the next turn. The endpoint that served is tried first, and the input grows by `items` as the turn stages
   * leave them. Returns a Rejection if a stage refuses them.
   */
  next(
    end: Pick<TurnEnd, 'served' | 'nextPart'>,
    items: readonly InputItem[],
    changes?: NextTurn,
  ): Promise<Turn | Rejection>;
  /** Returns the number of the next paid call of the response, from 1. */
  nextCall(): number;
  /** Answers a question of a tool. Resolves when its usage is on disk. */
  ask(asking: Asking): Promise<Asked>;
  /** Adds items to the input of the first turn. Returns a Rejection if a stage refuses them. */
  begin(items: readonly InputItem[]): Promise<Turn | Rejection>;
  /** Begins the same turn again. Nothing of its answer has left. */
  again(end: Pick<TurnEnd, 'nextPart'>): Turn;
  /** Adds the usage of answers that no turn returns: their response failed. */
  lose(usage: UsageReport): void;
  /** The judgments of the answers so far. If undefined, the request has no rules. */
  readonly alignment: AlignmentResult | undefined;
}
