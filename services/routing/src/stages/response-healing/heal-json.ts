import { jsonrepair } from 'jsonrepair';
import { parseJson } from '../../request/parse-json.ts';
import { schemaCheck } from './schema-check.ts';

/** The form that a text should have. */
export interface WantedJson {
  /** Absent: any object. */
  readonly schema?: Readonly<Record<string, unknown>> | undefined;
}

/** The places of a text at which JSON may begin and that are tried. */
const beginningsMax = 4;
/** A longer text stays as it is. */
const charactersMax = 2_000_000;
/** No repair begins after so many milliseconds. */
const repairsMs = 250;
const fence = '```';
const languagePattern = /^[ \t]*[\w+.-]{0,32}[ \t]*\r?\n/;

/**
 * Returns the JSON that a text holds or was meant to be, if it fits. undefined: the text stays as it is. Never touches
 * a text that is JSON already (contract inference.md 20).
 */
export function healJson(text: string, { schema }: WantedJson): string | undefined {
  if (text.length > charactersMax || parseJson(text) !== undefined) return undefined;
  const latestMs = performance.now() + repairsMs;
  const isWanted = schema ? schemaCheck(schema) : isObject;
  const fits = (found: string) => {
    const value = parseJson(found);
    return value !== undefined && isWanted(value);
  };
  // To parse a long text that is no JSON takes as long as to parse one that is.
  const tried = new Set([text]);
  for (const all of candidates(text)) {
    const cuts = [...new Set(all)];
    for (const cut of cuts) {
      if (tried.has(cut)) continue;
      tried.add(cut);
      if (fits(cut)) return cut;
    }
    for (const cut of cuts) {
      if (performance.now() > latestMs) return undefined;
      const repaired = repair(cut);
      if (repaired !== undefined && fits(repaired)) return repaired;
    }
  }
  return undefined;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function repair(text: string): string | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return jsonrepair(text);
  } catch {
    return undefined;
  }
}

/** Returns the parts of a text that may be JSON by the place where they begin, the likeliest first. */
function candidates(text: string): readonly (readonly string[])[] {
  const block = fenced(text);
  if (block === undefined) return beginnings(text);
  return [[block.trim()], ...beginnings(block), ...beginnings(text)];
}

/** Returns the content of the first code block, to the end of the text if it has no end. */
function fenced(text: string): string | undefined {
  const begin = text.indexOf(fence);
  if (begin < 0) return undefined;
  const rest = text.slice(begin + fence.length);
  const content = rest.slice(languagePattern.exec(rest)?.[0].length ?? 0);
  const end = content.lastIndexOf(fence);
  return end < 0 ? content : content.slice(0, end);
}

/** Returns the parts that begin with a bracket: to its balanced end, to the end of the text, to the last bracket. */
function beginnings(text: string): readonly (readonly string[])[] {
  const found: (readonly string[])[] = [];
  const last = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']')) + 1;
  let at = 0;
  for (let tries = 0; tries < beginningsMax; tries++) {
    const begin = beginning(text, at);
    if (begin < 0) break;
    const end = balancedEnd(text, begin);
    found.push([
      ...(end === undefined ? [] : [text.slice(begin, end)]),
      text.slice(begin).trimEnd(),
      ...(last > begin ? [text.slice(begin, last)] : []),
    ]);
    // A part of a damaged object is not the answer.
    if (end === undefined && text[begin] === '{') break;
    at = end ?? begin + 1;
  }
  return found;
}

function beginning(text: string, from: number): number {
  const places = [text.indexOf('{', from), text.indexOf('[', from)].filter((place) => place >= 0);
  return places.length === 0 ? -1 : Math.min(...places);
}

/** Returns the place after the bracket that closes the one at `begin`. undefined: none does. */
function balancedEnd(text: string, begin: number): number | undefined {
  let depth = 0;
  let isText = false;
  for (let at = begin; at < text.length; at++) {
    const character = text[at];
    if (isText) {
      if (character === '\\') at += 1;
      else if (character === '"') isText = false;
    } else if (character === '"') isText = true;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}
