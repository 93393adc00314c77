import { parseExactJson } from '@sluice/inference';
import { isSalient, leftOut, withMarks } from './left-out.ts';

const headItems = 4;
const tailItems = 2;
/** A shorter list stays whole. */
const wholeItems = 8;
const salientItems = 8;
const tableRowsMin = 3;
const depthMax = 32;

/** Returns a shorter form of a text. undefined: there is none. */
type ShrinkText = (text: string) => string | undefined;

/**
 * Returns JSON without its layout, and with its long lists shortened: the first and last items stay, and those that
 * report a failure. A list of objects with the same members becomes a table that names them once.
 */
export function shrinkJson(text: string, shrinkText: ShrinkText): string | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  let value: unknown;
  try {
    value = parseExactJson(text);
  } catch {
    return undefined;
  }
  return JSON.stringify(shrink(value, shrinkText, 0));
}

function shrink(value: unknown, shrinkText: ShrinkText, depth: number): unknown {
  if (typeof value === 'string') return shrinkText(value) ?? value;
  if (typeof value !== 'object' || value === null || depth >= depthMax) return value;
  if (Array.isArray(value)) return shrinkList(value, shrinkText, depth);
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(
    ([name, member]) => [name, shrink(member, shrinkText, depth + 1)] as const,
  );
  return Object.fromEntries(members);
}

function shrinkList(list: readonly unknown[], shrinkText: ShrinkText, depth: number): unknown {
  const kept = keptOf(list);
  const columns = columnsOf(list);
  const items = list.map((item, place) => {
    if (!kept.has(place)) return undefined;
    const shrunk = shrink(item, shrinkText, depth + 1);
    return columns ? Object.values(shrunk as object) : shrunk;
  });
  const shown = withMarks<unknown>(items, kept, (count) => leftOut(count, 'item'));
  return columns ? { columns, rows: shown } : shown;
}

/** Returns the places of the items that stay. */
function keptOf(list: readonly unknown[]): ReadonlySet<number> {
  const kept = new Set<number>();
  let salient = 0;
  for (const [place, item] of list.entries()) {
    const isEnd = place < headItems || place >= list.length - tailItems;
    if (list.length <= wholeItems || isEnd) kept.add(place);
    else if (salient < salientItems && isSalient(JSON.stringify(item))) {
      kept.add(place);
      salient += 1;
    }
  }
  return kept;
}

/** Returns the names of the members that all objects of a list have. undefined: it is no list of such objects. */
function columnsOf(list: readonly unknown[]): readonly string[] | undefined {
  const [first] = list;
  if (list.length < tableRowsMin || !isObject(first)) return undefined;
  const columns = Object.keys(first);
  const names = JSON.stringify(columns);
  const isTable = list.every(
    (item) => isObject(item) && JSON.stringify(Object.keys(item)) === names,
  );
  return isTable && columns.length > 0 ? columns : undefined;
}

/** A number that is too long for JavaScript is an object without a prototype, which JSON.stringify writes as it was. */
function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.getPrototypeOf(value) !== null;
}
