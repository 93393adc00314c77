import type { JsonObject } from '@sluice/client-schemas';
import type {
  ContentPart,
  FunctionTool,
  InferenceRequest,
  InputItem,
  ReadPage,
  ResultBlock,
  Tool,
  ToolItem,
  ToolProgress,
} from '@sluice/inference';
import type { Rejection } from '@sluice/errors';
import type { ToolCounts } from '@sluice/catalog';
import type { Principal } from '@sluice/inference-port';
import type { Secret } from '@sluice/boot';
import type { Credential } from '../credentials/credential.ts';
import type { TSchema } from 'typebox';
import type { AskModel } from './ask-model.ts';
import type { NativeCounterpart } from './native.ts';
import type { SuspendedWorker } from './subagent/workers.ts';

/**
 * A tool that the service runs for the model. The schema of its settings stands in `@sluice/client-schemas`, which
 * validates them and describes them in OpenAPI.
 */
export interface ServerTool {
  readonly type: `service:${string}`;
  /** Other kinds in `tools` of a request that ask for this tool. They are answered in kind. */
  readonly aliases?: readonly string[];
  /** The tool of an endpoint that stands in for this one. Absent: none does. */
  readonly native?: NativeCounterpart;
  /** Milliseconds that one call may take. If absent, the limit of the service applies. */
  readonly timeoutMs?: number;
  /** Calls of one response at most. If absent, only the limits of the loop apply. */
  readonly callsMax?: number;
  /** Returns true if a tool of this kind is none of the service with these settings. */
  isOfClient?(settings: JsonObject, kind: string): boolean;
  /** Returns true if the client runs the calls: the model's call is returned like that of a function. */
  isRunByClient?(settings: JsonObject): boolean;
  /** Refuses a request for the settings of the tool, before a model is called. Absent: the schema says all. */
  check?(
    settings: JsonObject,
    caller: { readonly principal: Principal; readonly kind: string },
  ): Promise<Rejection | undefined>;
  /** Returns the tool as the model sees it. */
  asFunction(settings: JsonObject): ToolFunction;
  /** Returns the most that a call may cost, in nano-USD. Absent or 0n: it is free, and nothing is held. */
  worstCost?(settings: JsonObject, args: JsonObject): bigint;
  /** Returns the type of the item for a kind in `tools`, to answer in kind. Absent: the type of the tool. */
  itemType?(kind: string, args: JsonObject): string;
  /** Returns the name of the engine that is paid for a call. Absent: Sluice itself answers. */
  engine?(settings: JsonObject): string;
  /**
   * Returns the engines that may run a call, in the order in which they are tried: with the account's own keys, or with
   * the platform's. Absent: `engine` at `worstCost`.
   */
  offers?(settings: JsonObject, own: readonly Credential[]): readonly ToolOffer[];
  /** Returns the fields of the item when the call begins. Absent: its type and status alone. */
  opening?(args: JsonObject, context: OpeningContext): JsonObject;
  /**
   * Runs one call, whose arguments the schema of the function accepts. A failure is a result: what is thrown becomes an
   * error result without its message. Ends soon after the signal is aborted.
   */
  run(args: JsonObject, context: ToolContext): Promise<ToolResult>;
  /** Returns the result of a call that was stopped. Absent: an error that says so. */
  stopped?(): ToolResult;
  /**
   * Returns the call of an item that a client sends again. undefined: the item does not say enough, and the model reads
   * it as a text.
   */
  replay(
    item: JsonObject,
    shown: Pick<ToolContext, 'settings' | 'deferred'>,
  ): ReplayedCall | undefined;
}

/** An engine that may run a call of a tool. */
export interface ToolOffer {
  /** Empty: Sluice itself. */
  readonly engine: string;
  readonly worstNanoUsd: bigint;
  /** The account's own key of the engine. Absent: the platform's. */
  readonly credential?: Credential | undefined;
}

/** The engine that runs a call. */
export interface UsedEngine {
  readonly name: string;
  /** The account's own key. Absent: the platform's. */
  readonly ownKey?: Secret | undefined;
  /** Another engine was tried before, and the client was told of the call. */
  readonly isAnother: boolean;
}

/** A tool as the model sees it. */
export interface ToolFunction extends Pick<FunctionTool, 'description'> {
  /** Absent: the type of the tool. The name gets a number if the request has another of it. */
  readonly name?: string;
  /** The schema of the arguments. */
  readonly parameters: TSchema;
  /** Arguments are checked against this. Absent: against `parameters`. */
  readonly checks?: TSchema;
}

/** The context of a call before it runs. */
export type OpeningContext = Omit<ToolContext, 'usageId' | 'ask' | 'engine'>;

export interface ToolContext<Settings = JsonObject> {
  readonly settings: Settings;
  /** The kind in `tools` of the request: the type of the tool or one of its aliases. */
  readonly kind: string;
  /** The place among the tools of this type in the request, from 0. */
  readonly instance: number;
  /** The number of tools of this type in the request. */
  readonly instances: number;
  /** The name by which the model calls this instance. */
  readonly name: string;
  /** The model that called. */
  readonly model: string;
  /** The model's id of this call. */
  readonly callId: string;
  /** Aborted at the deadline, when the client leaves, and when the service stops. */
  readonly signal: AbortSignal;
  /** The end of the time for this call, on the clock of `performance.now()`. */
  readonly deadlineMs: number;
  readonly principal: Principal;
  readonly requestId: string;
  readonly generationId: string;
  /** The session of the client. Empty: none. */
  readonly sessionId: string;
  /** The name of this call in the books, which engines are sent. */
  readonly usageId: string;
  readonly engine: UsedEngine;
  /** The request of the turn that called: the conversation before the answer. */
  readonly request: InferenceRequest;
  /** The answer of that turn, this call among it. */
  readonly answer: readonly InputItem[];
  /** Calls of this instance before this one in the response. */
  readonly uses: number;
  /** Tools that the model does not see before it has found them. */
  readonly deferred: readonly Tool[];
  /** The functions of the client. */
  readonly functions: readonly FunctionTool[];
  /** The worker that the call goes on with. Absent: the call begins. */
  readonly worker?: SuspendedWorker | undefined;
  /** Kept for the whole response, and shared by all instances of the tool. */
  readonly memory: Map<string, unknown>;
  /** Asks a model, in the name and at the cost of the caller. The client pays for it with the call. */
  readonly ask: AskModel;
  /** Sends the client an event about the call. */
  progress(progress: ToolProgress): void;
}

export interface ToolResult {
  /** The model reads this. A long text is cut. */
  readonly output: string | readonly ContentPart[];
  readonly isError?: boolean;
  /** The engine refused the call because of its key or its limits, and asks for nothing. Another one may run it. */
  readonly isEngineAtFault?: boolean;
  /** The fields of the output item. Its status is `completed`, or `incomplete` after an error, if absent. */
  readonly item: JsonObject & { readonly status?: ToolItem['status'] };
  /** The call and its result in `POST /messages`. Absent: `service_<name>` and the text of the output. */
  readonly block?: ResultBlock;
  /** Items that follow the item of the call, each whole. */
  readonly followedBy?: readonly ToolItem[];
  /** Ends the response after this turn. The client sends the next request. */
  readonly ends?: boolean;
  /** The call is not done: the response ends, and the client runs functions before a later one goes on. */
  readonly suspension?: Suspension;
  /** Tools that the model may call from the next turn on. */
  readonly reveals?: readonly Tool[];
  /** Pages that a later answer may cite. */
  readonly sources?: readonly ReadPage[];
  /** The charge of the engine. Absent: the call costs nothing. */
  readonly charge?: ToolCharge;
}

/** The calls that a worker waits for. */
export interface Suspension {
  readonly calls: readonly PendingCall[];
  /** The conversation of the worker in the words of the contract. */
  readonly items: readonly JsonObject[];
}

export type PendingCall = Pick<
  Extract<InputItem, { type: 'function-call' }>,
  'callId' | 'name' | 'namespace' | 'arguments'
>;

/** The charge of an engine for one call of a tool. */
export interface ToolCharge {
  /** `unknown`: the call was sent, and no answer says whether the engine charges for it. */
  readonly costNanoUsd: bigint | 'unknown';
  /** The name of the answer at its engine, which receipts carry. Absent: it has none. */
  readonly upstreamId?: string | undefined;
  /** The counts that the price depends on. */
  readonly counts?: ToolCounts | undefined;
}

export type ReplayedCall = {
  /** JSON of an object. */
  readonly arguments: string;
  /** Tools that the model may call because of it. */
  readonly reveals?: readonly Tool[];
} & (
  | { readonly output: string | readonly ContentPart[] }
  | {
      readonly output?: undefined;
      /** The client answers the call by an item with this `call_id`. */
      readonly callId: string;
    }
);

/** Returns the result of a call that failed. The model reads the message. */
export function errorResult(message: string, item: ToolResult['item'] = {}): ToolResult {
  return { output: JSON.stringify({ error: message }), isError: true, item };
}
