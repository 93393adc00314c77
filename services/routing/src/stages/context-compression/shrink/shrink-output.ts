import { shrinkDiff } from './shrink-diff.ts';
import { shrinkJson } from './shrink-json.ts';
import { shrinkLog } from './shrink-log.ts';
import { shrinkSearch } from './shrink-search.ts';

const charactersMin = 600;
const charactersMax = 1_000_000;
/** A text that would keep more than this share of its length stays as it is. */
const shareMax = 0.9;

/**
 * Returns a shorter form of the output of a tool, by the structure that it has: JSON, a diff, results of a search in
 * files, or a log. undefined: it has none of these, or would hardly be shorter. Marks in square brackets say how much
 * was left out. Pure.
 */
export function shrinkOutput(text: string): string | undefined {
  if (text.length < charactersMin || text.length > charactersMax) return undefined;
  const shrunk = shrinkJson(text, shrinkText) ?? shrinkText(text);
  const isShorter = shrunk !== undefined && shrunk.length <= shareMax * text.length;
  return isShorter && Buffer.byteLength(shrunk) < Buffer.byteLength(text) ? shrunk : undefined;
}

function shrinkText(text: string): string | undefined {
  if (text.length < charactersMin) return undefined;
  return shrinkDiff(text) ?? shrinkSearch(text) ?? shrinkLog(text);
}
