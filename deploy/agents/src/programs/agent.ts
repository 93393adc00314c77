/** A coding agent of others, at the version that is tried. */
export interface Agent {
  readonly name: AgentName;
  /** The npm package of the agent. The version is exact. */
  readonly package: string;
  readonly version: string;
  readonly licence: string;
  /** The route that it speaks to. */
  readonly door: 'responses' | 'chat/completions' | 'messages';
  /** The file that is run, below `node_modules`. */
  readonly program: string;
  /** True for a script that Node runs. */
  readonly isScript: boolean;
  /** True if it asks the API for the search of the web, by `tools` of its own accord. */
  readonly searches?: true;
  /** Hosts that it asks although nothing is switched on, and why that is borne: it gets no answer. */
  readonly refused?: Readonly<Record<string, string>>;
  /** Returns the files of its home, by path. */
  settings(seat: Seat): Readonly<Record<string, string>>;
  /** Returns what is added to its environment. */
  environment(seat: Seat): Readonly<Record<string, string>>;
  /** Returns the arguments of one job without a person. */
  job(seat: Seat, prompt: string): readonly string[];
}

export type AgentName = 'codex' | 'claude' | 'opencode' | 'qwen' | 'cline';

/** One run of an agent is given this. */
export interface Seat {
  /** Without a path: `http://127.0.0.1:1234`. */
  readonly rootUrl: string;
  readonly key: string;
  readonly model: string;
  readonly home: string;
  readonly work: string;
}

/** The limits of the simulator's models, as an agent must know them. */
export const limits = { context: 128_000, output: 16_000 } as const;

export const platform = `${process.platform}-${process.arch}`;

/** Returns the base URL with the version. */
export function versioned({ rootUrl }: Seat): string {
  return `${rootUrl}/v1`;
}
