import type { Rejection } from '@sluice/errors';
import type { CanonicalCall } from '../request/call.ts';
import type { AskModel } from '../tools/ask-model.ts';
import type { ToolCharge } from '../tools/tool.ts';

/** The paid work of stages, in the name and at the cost of the caller. Each piece has its hold and its usage fact. */
export interface StageWork {
  /**
   * Runs one piece of work. Returns a Rejection if no budget of the caller holds the worst case: nothing ran. Never
   * throws.
   */
  run<Result>(
    asked: AskedWork,
    run: (context: WorkContext) => Promise<DoneWork<Result>>,
  ): Promise<WorkEnd<Result> | Rejection>;
}

export interface AskedWork {
  /** The name in the books, such as `plugin:file-parser`, or the server tool that does the same. */
  readonly type: `plugin:${string}` | `service:${string}`;
  /** The engine that answers. Empty: Sluice itself. */
  readonly engine: string;
  /** The most that the engine can charge. 0n: nothing is held. Models that are asked have their own holds. */
  readonly worstNanoUsd: bigint;
  readonly timeoutMs: number;
  /** The request that the work is for. */
  readonly call: CanonicalCall;
}

export interface WorkContext {
  /** The name of the work in the books, which engines are sent. */
  readonly usageId: string;
  /** Aborted at the end of the time, and when the client leaves. */
  readonly signal: AbortSignal;
  readonly ask: AskModel;
}

export interface DoneWork<Result> {
  readonly result: Result;
  readonly isFailed: boolean;
  readonly charge: ToolCharge;
}

export interface WorkEnd<Result> {
  /** Is undefined if the work broke, did not end in time, or was asked for within a question of its own. */
  readonly result: Result | undefined;
  /** The cost to the account, with that of the models that were asked. */
  readonly costNanoUsd: bigint;
}
