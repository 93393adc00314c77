import type {
  FunctionTool,
  InferenceRequest,
  InputItem,
  NativeTool,
  ToolChoice,
} from '@sluice/inference';

/** The names that an API accepts of functions. */
export type NamePattern = RegExp;

export const usualNames: NamePattern = /^[A-Za-z0-9_-]{1,64}$/;

/** A function without a namespace. */
export type PlainTool = Omit<FunctionTool, 'namespace'> & { readonly namespace?: never };

export type PlainItem =
  | Exclude<InputItem, { type: 'function-call' | 'custom-tool-call' | 'custom-tool-call-output' }>
  | (Extract<InputItem, { type: 'function-call' }> & { readonly namespace?: never });

export type PlainChoice =
  | Exclude<ToolChoice, { type: 'function' | 'custom' | 'allowed' }>
  | { readonly type: 'function'; readonly name: string }
  | (Omit<Extract<ToolChoice, { type: 'allowed' }>, 'tools'> & {
      readonly tools: readonly { readonly name: string }[];
    });

/** A request whose tools are functions with one name each. Every upstream has these. */
export interface PlainRequest extends InferenceRequest {
  readonly items: readonly PlainItem[];
  readonly tools: readonly (PlainTool | NativeTool)[];
  readonly toolChoice: PlainChoice;
}

/** Returns the functions of a request. Native tools are omitted. */
export function functionsOf({ tools }: Pick<PlainRequest, 'tools'>): readonly PlainTool[] {
  return tools.filter((tool) => tool.type === 'function');
}

/** Returns the functions that may be called, for an API without `allowed_tools`. */
export function offeredFunctions(request: PlainRequest): readonly PlainTool[] {
  const { toolChoice: choice } = request;
  const functions = functionsOf(request);
  if (choice.type !== 'allowed') return functions;
  const names = new Set(choice.tools.map(({ name }) => name));
  return functions.filter(({ name }) => names.has(name));
}
