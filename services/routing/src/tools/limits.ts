import type { ServerTool } from './tool.ts';

/** Limits of the calls of one tool. */
export interface CallLimits {
  /** Calls of one response. The others get an error as their result. */
  readonly callsMax: number;
  /** Milliseconds that one call may take. */
  readonly callMs: number;
  /** Characters of a result that the model reads. */
  readonly resultCharactersMax: number;
}

/** Limits of server tools. */
export interface ToolLimits extends CallLimits {
  /** Limits of single tools, by their types or other kinds, in place of those of all tools. */
  readonly ofTools: Readonly<Record<string, Partial<CallLimits>>>;
  /** Milliseconds that a response with server tools may take, from its first turn to the beginning of its last. */
  readonly loopMs: number;
  /** Calls of one answer that run at the same time. */
  readonly parallelCallsMax: number;
}

export const defaultToolLimits: ToolLimits = {
  callsMax: Infinity,
  callMs: 60_000,
  resultCharactersMax: 262_144,
  ofTools: {},
  loopMs: 1_800_000,
  parallelCallsMax: 8,
};

/** Returns the limits of a tool. The time and the calls that a tool has itself can be less, and never more. */
export function limitsOf(
  { type, aliases = [], timeoutMs, callsMax = Infinity }: ServerTool,
  limits: ToolLimits,
): CallLimits {
  const kinds = [type, ...aliases];
  const own: Partial<CallLimits> = Object.assign({}, ...kinds.map((kind) => limits.ofTools[kind]));
  const usualMs = own.callMs ?? limits.callMs;
  return {
    callsMax: Math.min(own.callsMax ?? limits.callsMax, callsMax),
    callMs: timeoutMs === undefined ? usualMs : Math.min(own.callMs ?? Infinity, timeoutMs),
    resultCharactersMax: own.resultCharactersMax ?? limits.resultCharactersMax,
  };
}
