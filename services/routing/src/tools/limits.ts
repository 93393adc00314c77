/** Limits of server tools. A tool may have a shorter time, and fewer calls. */
export interface ToolLimits {
  /** Milliseconds that one call may take. */
  readonly callMs: number;
  /** Milliseconds that a response with server tools may take, from its first turn to the beginning of its last. */
  readonly loopMs: number;
  /** Calls of one answer that run at the same time. */
  readonly parallelCallsMax: number;
  /** Characters of a result that the model reads. */
  readonly resultCharactersMax: number;
}

export const defaultToolLimits: ToolLimits = {
  callMs: 60_000,
  loopMs: 1_800_000,
  parallelCallsMax: 8,
  resultCharactersMax: 262_144,
};
