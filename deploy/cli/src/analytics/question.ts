import { shown, WrongUsage } from '../wrong-usage.ts';

/** Flags that are shorter than the fields of the question. */
export interface ShortFlags {
  readonly by?: string;
  readonly every?: string;
  readonly from?: string;
  readonly to?: string;
  readonly filter?: readonly string[];
}

/** Returns the fields of the question that the flags give. Throws WrongUsage, which names the flag. */
export function questionOf(
  { by, every, from, to, filter = [] }: ShortFlags,
  now: Date,
): Readonly<Record<string, unknown>> {
  return {
    ...(by !== undefined && { dimensions: by.split(',').filter((name) => name !== '') }),
    ...(every !== undefined && { granularity: every }),
    ...((from !== undefined || to !== undefined) && { time_range: rangeOf(from, to, now) }),
    ...(filter.length > 0 && { filters: filtersOf(filter) }),
  };
}

/** The API's range when it is asked for none. */
const rangeMsDefault = 7 * 24 * 3_600_000;

function rangeOf(from: string | undefined, to: string | undefined, now: Date) {
  const end = to === undefined ? now.toISOString() : instantOf('--to', to);
  const start =
    from === undefined
      ? new Date(Date.parse(end) - rangeMsDefault).toISOString()
      : instantOf('--from', from);
  if (Date.parse(start) >= Date.parse(end))
    throw new WrongUsage(`--from ${shown(start)} is not before --to ${shown(end)}.`);
  return { start, end };
}

const dayPattern = /^\d{4}-\d{2}-\d{2}$/;
const instantPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?Z$/;

function instantOf(flag: string, text: string): string {
  const instant = dayPattern.test(text)
    ? `${text}T00:00:00Z`
    : text.replace(/T(\d\d:\d\d)Z$/, 'T$1:00Z');
  const date = new Date(instantPattern.test(instant) ? instant : Number.NaN);
  // A 30 February would silently be another day.
  if (!Number.isNaN(date.getTime()) && date.toISOString().slice(0, 19) === instant.slice(0, 19))
    return instant;
  throw new WrongUsage(
    `${flag} ${shown(text)} is neither a day like 2026-11-20 nor an instant like 2026-11-20T10:00:00Z.`,
  );
}

const filterPattern = /^([\w-]+?)(!?=)(.+)$/s;

/** Values of one field are alternatives. A value that is excluded is a filter each. */
function filtersOf(texts: readonly string[]): readonly object[] {
  const wanted = new Map<string, string[]>();
  const excluded: object[] = [];
  for (const text of texts) {
    const [, field, sign, value] = filterPattern.exec(text) ?? [];
    if (field === undefined || value === undefined)
      throw new WrongUsage(`--filter ${shown(text)} is neither field=value nor field!=value.`);
    if (sign === '=') wanted.set(field, [...(wanted.get(field) ?? []), value]);
    else excluded.push({ field, operator: 'neq', value });
  }
  const passing = [...wanted].map(([field, values]) =>
    values.length === 1
      ? { field, operator: 'eq', value: values[0] }
      : { field, operator: 'in', value: values },
  );
  return [...passing, ...excluded];
}
