import type { JsonObject } from '@sluice/client-schemas';
import type { ResultBlock } from '@sluice/inference';
import type { Dialect, NativeToolKind } from '@sluice/providers';

/** The tool of an endpoint that stands in for one of the service, where the endpoint has it. */
export interface NativeCounterpart {
  /** Returns the name of the tool in the catalog for a kind in `tools` of the request. */
  nativeKind(kind: string): NativeToolKind;
  /** The type of the items that it makes. Absent: they are not read. */
  readonly itemType?: string;
  /**
   * Returns the tool in the words of each dialect that can ask for it with these settings. Elsewhere, or with other
   * settings, the service runs its own tool.
   */
  formsOf(settings: JsonObject, kind: string): NativeForms;
  /**
   * Returns true if the settings demand the tool of the endpoint for what only some endpoints can do: the request is
   * refused if no endpoint that has the tool can.
   */
  isDemanded?(settings: JsonObject): boolean;
  /** Returns the most calls that the settings allow in a response. Infinity: any number. */
  callsMaxOf(settings: JsonObject): number;
  /** Reads one of its items. Absent: the client gets the items as they are. */
  read?(item: JsonObject): NativeResult;
}

/** The tool as endpoints of a dialect are sent it. */
export type NativeForms = Readonly<Partial<Record<Dialect, JsonObject>>>;

/** A call that an endpoint ran, as if the service had run it. */
export interface NativeResult {
  /** JSON of an object. */
  readonly arguments: string;
  /** The result as far as the item has it. */
  readonly output: string;
  readonly isError: boolean;
  /** The fields of the output item beside its type. */
  readonly item: JsonObject & { readonly status: 'completed' | 'incomplete' | 'failed' };
  /** Absent: the block of the upstream is used, if there is one. */
  readonly block?: ResultBlock;
}

/** The tools of a request that an endpoint may run itself, by the names of the functions in whose place they stand. */
export type NativeTools = ReadonlyMap<string, NativeToolUse>;

export interface NativeToolUse {
  readonly kind: NativeToolKind;
  readonly forms: NativeForms;
  /** Calls that may still be made. Infinity: any number. */
  readonly callsLeft: number;
}

/** Returns the tools after calls of an endpoint, named by their functions. undefined: none may be called now. */
export function afterCalls(
  natives: NativeTools | undefined,
  calls: readonly string[],
): NativeTools | undefined {
  if (!natives || calls.length === 0) return natives;
  const left = [...natives].flatMap(([name, use]) => {
    const callsLeft = use.callsLeft - calls.filter((called) => called === name).length;
    return callsLeft > 0 ? [[name, { ...use, callsLeft }] as const] : [];
  });
  return left.length > 0 ? new Map(left) : undefined;
}

/** Returns the counterpart of a tool whose short kinds are tools of OpenAI's API, sent as the client wrote them. */
export function passedOn(...kinds: readonly NativeToolKind[]): NativeCounterpart {
  const find = (kind: string) => kinds.find((one) => one === kind);
  return {
    nativeKind: (kind) => find(kind) ?? 'shell',
    formsOf(settings, kind) {
      return find(kind) ? { 'openai-responses': { type: kind, ...settings } } : {};
    },
    callsMaxOf: () => Infinity,
  };
}
