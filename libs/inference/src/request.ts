import type { CacheMarker, ContentPart, ImageContent } from './content.ts';
import type { EmbeddingOptions } from './embedding.ts';
import type { ModelOptions } from './options.ts';
import type { RankingOptions } from './ranking.ts';

/** The canonical language between the client's dialect and the upstream's: what every dialect can say. */
export interface InferenceRequest {
  readonly items: readonly InputItem[];
  readonly tools: readonly Tool[];
  /** Functions whose calls the service runs: the model gets an error for broken arguments. Absent: there are none. */
  readonly servedFunctions?: readonly string[];
  readonly toolChoice: ToolChoice;
  readonly parallelToolCalls: boolean | undefined;
  /** The cap that is sent upstream, after clamping. */
  readonly maxOutputTokens: number | undefined;
  readonly temperature: number | undefined;
  readonly topP: number | undefined;
  readonly options?: ModelOptions;
  /** Stored at the upstream: what is here is added to it. */
  readonly prompt?: StoredPrompt;
  /** The client wants vectors. Absent: it wants an answer. */
  readonly embedding?: EmbeddingOptions;
  /** The client wants documents ranked. Absent: it wants an answer. */
  readonly ranking?: RankingOptions;
  readonly stream: boolean;
}

/** A template that the upstream keeps, and what is to stand in it. */
export interface StoredPrompt {
  readonly id: string;
  readonly version: string | undefined;
  readonly variables: Readonly<Record<string, string | ContentPart>>;
}

export type InputItem =
  | {
      readonly type: 'message';
      readonly role: 'system' | 'developer' | 'user' | 'assistant';
      readonly content: readonly ContentPart[];
      /** The phase of an assistant's message, if its model has phases. */
      readonly phase?: 'commentary' | 'final_answer';
    }
  | {
      readonly type: 'function-call';
      readonly callId: string;
      readonly name: string;
      /** JSON text, as the model wrote it. */
      readonly arguments: string;
      readonly namespace?: string;
      readonly cache?: CacheMarker;
      /** The worker of a server tool that made the call. Absent: the model itself made it. */
      readonly subagent?: WorkerMark;
    }
  | {
      readonly type: 'function-call-output';
      readonly callId: string;
      readonly output: string | readonly ContentPart[];
      /** The tool failed, and the output says why. */
      readonly isError?: true;
      readonly cache?: CacheMarker;
    }
  | {
      readonly type: 'custom-tool-call';
      readonly callId: string;
      readonly name: string;
      /** The text of the model, in the form that the tool takes. */
      readonly input: string;
      readonly namespace?: string;
    }
  | {
      readonly type: 'custom-tool-call-output';
      readonly callId: string;
      readonly output: string | readonly ContentPart[];
    }
  | ReasoningItem
  | NativeItem;

/** The worker that made a call which the client runs. */
export interface WorkerMark {
  /** The id of the call that began the worker. */
  readonly id: string;
  /** The whole conversation of the worker, at the first call of a round. */
  readonly items?: readonly InputItem[];
}

/** Thoughts of an earlier turn, to be given back to the model that had them. */
export interface ReasoningItem {
  readonly type: 'reasoning';
  readonly id: string;
  readonly summary: readonly string[];
  readonly content: readonly string[];
  /** Readable to the upstream alone that wrote it. */
  readonly encrypted: string | undefined;
  readonly signature: string | undefined;
  /** Which dialect wrote `encrypted` and `signature`: to another one they mean nothing. */
  readonly format: string | undefined;
}

/** An item of one dialect: forwarded to it unchanged; other dialects get its text. */
export interface NativeItem {
  readonly type: 'native';
  readonly item: Readonly<Record<string, unknown>>;
  /** Empty: it means nothing to other dialects. */
  readonly text: string;
  /** A picture that the model made. Other dialects get it in a message of the model, in place of `text`. */
  readonly picture?: ImageContent;
  /** The function that stands for the tool of a call in this request. Absent: there is none. */
  readonly toolName?: string;
}

/** The tools of a call, as one list. No two of them have the same address. */
export type Tool = FunctionTool | CustomTool | NativeTool;

/** The name of a tool, within its namespace if it has one. */
export interface ToolAddress {
  readonly namespace?: string;
  readonly name: string;
}

/** A group of tools. */
export interface ToolNamespace {
  readonly name: string;
  readonly description: string | undefined;
}

export interface FunctionTool {
  readonly type: 'function';
  readonly namespace?: ToolNamespace;
  readonly name: string;
  readonly description: string | undefined;
  /** A JSON schema. */
  readonly parameters: Readonly<Record<string, unknown>> | undefined;
  readonly strict: boolean | undefined;
  /** The model goes on without waiting for its answer, where it can. */
  readonly isAsync?: boolean;
  /** The schema of its answers, where the upstream has an option for it. */
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  /** The callers that may call it, where the upstream has more than the model itself. */
  readonly allowedCallers?: readonly ('direct' | 'programmatic')[];
  /** Inputs that show the model how to call it, where the upstream has an option for them. */
  readonly inputExamples?: readonly Readonly<Record<string, unknown>>[];
  /** The input is sent as the model writes it, before it is checked, where the upstream has an option for it. */
  readonly streamsEagerly?: boolean;
  /** The prompt is worth being cached up to this tool. */
  readonly cache?: CacheMarker;
  /** The model sees it once a search of tools has found it. Without such a search it has no effect. */
  readonly isDeferred?: true;
}

/** A tool whose input is free text or follows a grammar. */
export interface CustomTool {
  readonly type: 'custom';
  readonly namespace?: ToolNamespace;
  readonly name: string;
  readonly description: string | undefined;
  readonly format: CustomFormat | undefined;
  readonly isAsync?: boolean;
  readonly isDeferred?: true;
}

export type CustomFormat =
  | { readonly type: 'text' }
  | {
      readonly type: 'grammar';
      readonly syntax: 'lark' | 'regex';
      readonly definition: string;
    };

/** Run by the upstream itself, or defined by it alone: forwarded as it came to endpoints that have it. */
export interface NativeTool {
  readonly type: 'native';
  readonly tool: Readonly<Record<string, unknown>>;
  /** The prompt is worth being cached up to this tool. */
  readonly cache?: CacheMarker;
}

export type ToolChoice =
  | { readonly type: 'auto' | 'none' | 'required' }
  | ({ readonly type: 'function' | 'custom' } & ToolAddress)
  /** A native tool, as the client named it. */
  | { readonly type: 'native'; readonly tool: Readonly<Record<string, unknown>> }
  /** Only these may be called; native ones as the client named them. */
  | {
      readonly type: 'allowed';
      readonly mode: 'auto' | 'required';
      readonly tools: readonly ToolAddress[];
      readonly natives?: readonly Readonly<Record<string, unknown>>[];
    };

/** Returns the address of a tool, or of a call in the history. Native tools have none. */
export function addressOf({
  namespace,
  name,
}: {
  readonly namespace?: string | ToolNamespace;
  readonly name: string;
}): ToolAddress {
  const group = typeof namespace === 'object' ? namespace.name : namespace;
  return group === undefined ? { name } : { namespace: group, name };
}

/** Returns a text that is the same for the same address only. */
export function addressKey(tool: Parameters<typeof addressOf>[0]): string {
  const { namespace, name } = addressOf(tool);
  return namespace === undefined ? name : `${namespace}\n${name}`;
}
