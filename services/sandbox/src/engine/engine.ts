/** The hosts that commands may reach. */
export type NetworkPolicy =
  | { readonly type: 'disabled' }
  | { readonly type: 'allowlist'; readonly allowedDomains: readonly string[] };

export interface BoxOptions {
  /** Unique among the boxes of this process; letters, digits, `-` and `_`. */
  readonly id: string;
  readonly network: NetworkPolicy;
}

export interface Command {
  readonly argv: readonly [string, ...string[]];
  readonly input?: Uint8Array;
  readonly timeoutMs: number;
  /** The first bytes of each output that are kept. */
  readonly outputBytesMax: number;
  /** Ends the command. */
  readonly signal?: AbortSignal | undefined;
}

export interface Ran {
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  /** More was written than is kept. */
  readonly isCut: boolean;
  /** `killed`: it was ended by its limit of memory or of output, or by its caller. */
  readonly outcome:
    | { readonly type: 'exited'; readonly exitCode: number }
    | { readonly type: 'timed_out' }
    | { readonly type: 'killed'; readonly reason: string };
  readonly durationMs: number;
}

/** One isolated place with a home of its own. It runs a command at a time. */
export interface Box {
  run(command: Command): Promise<Ran>;
  /** Ends its commands and erases its home. */
  close(): Promise<void>;
  /** Resolves with a sentence when it has ended by itself; its home is lost. */
  readonly lost: Promise<string>;
}

/** Isolates commands from this machine and from each other. */
export interface Engine {
  readonly name: string;
  /** The measures that hold commands, for the operator: one sentence. */
  readonly description: string;
  open(options: BoxOptions): Promise<Box>;
  /** Ends all boxes. */
  stop(): Promise<void>;
}

/** An engine, or the reason why it does not work here: a sentence for the operator. */
export type FoundEngine = Engine | { readonly missing: string };

/** The home directory in each box. */
export const homeDirectory = '/home/user';
