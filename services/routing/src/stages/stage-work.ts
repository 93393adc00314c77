import type { Secret } from '@sluice/boot';
import type { Rejection } from '@sluice/errors';
import type { Credential } from '../credentials/credential.ts';
import type { CanonicalCall } from '../request/call.ts';
import type { AskModel } from '../tools/ask-model.ts';
import type { ToolCharge } from '../tools/tool.ts';

/** The paid work of stages, in the name and at the cost of the caller. Each piece has its hold and its usage fact. */
export interface StageWork {
  /** Returns the credentials of the account that the caller may use for a request, in their order. */
  ownCredentials(call: CanonicalCall): Promise<readonly Credential[]>;
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
  /** The account's own key of the engine, which no credits pay for. Absent: the platform's. */
  readonly credential?: Credential | undefined;
}

export interface WorkContext {
  /** The name of the work in the books, which engines are sent. */
  readonly usageId: string;
  /** Aborted at the end of the time, and when the client leaves. */
  readonly signal: AbortSignal;
  readonly ask: AskModel;
  /** The account's own key, if the work was asked for with its credential. */
  readonly ownKey?: Secret | undefined;
}

export interface DoneWork<Result> {
  readonly result: Result;
  readonly isFailed: boolean;
  readonly charge: ToolCharge;
}

export interface WorkEnd<Result> {
  /**
   * Is undefined if the work broke, did not end in time, or was asked for within a question of its own, and if the own
   * key cannot be opened.
   */
  readonly result: Result | undefined;
  /** The cost to the account, with that of the models that were asked. */
  readonly costNanoUsd: bigint;
}
