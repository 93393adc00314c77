/** The canonical language between the client's dialect and the upstream's: what every dialect can say. */
export interface InferenceRequest {
  readonly items: readonly InputItem[];
  readonly tools: readonly FunctionTool[];
  readonly toolChoice: ToolChoice;
  readonly parallelToolCalls: boolean | undefined;
  /** The cap that is sent upstream, after clamping. */
  readonly maxOutputTokens: number | undefined;
  readonly temperature: number | undefined;
  readonly topP: number | undefined;
  readonly stream: boolean;
}

export type InputItem =
  | {
      readonly type: 'message';
      readonly role: 'system' | 'developer' | 'user' | 'assistant';
      readonly content: readonly TextContent[];
    }
  | {
      readonly type: 'function-call';
      readonly callId: string;
      readonly name: string;
      /** JSON text, as the model wrote it. */
      readonly arguments: string;
    }
  | { readonly type: 'function-call-output'; readonly callId: string; readonly output: string };

export interface TextContent {
  readonly type: 'text';
  readonly text: string;
}

export interface FunctionTool {
  readonly name: string;
  readonly description: string | undefined;
  /** A JSON schema. */
  readonly parameters: Readonly<Record<string, unknown>> | undefined;
  readonly strict: boolean | undefined;
}

export type ToolChoice =
  | { readonly type: 'auto' | 'none' | 'required' }
  | { readonly type: 'function'; readonly name: string };
