/** The content of an answer, in the same words whether a recording or a client of Sluice has it. */
export interface Telling {
  /** The text, or the refusal in its place. */
  readonly text: string;
  readonly thoughts: string;
  readonly calls: readonly Call[];
  /** True if the answer reports usage. Otherwise Sluice estimates it. */
  readonly isCounted: boolean;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export interface Call {
  readonly name: string;
  readonly arguments: string;
}

/** Returns the arguments in one form, because spaces in JSON say nothing. */
export function plainArguments(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text === '' ? '{}' : text));
  } catch {
    return text;
  }
}
