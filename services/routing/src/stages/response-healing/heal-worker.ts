import { healJson, type WantedJson } from './heal-json.ts';

export interface HealInput extends WantedJson {
  readonly text: string;
}

/** Runs in a thread: the patterns of a schema are the client's, and a damaged text may take long. */
export function work({ text, ...wanted }: HealInput): string | undefined {
  return healJson(text, wanted);
}
