import type { SpecialCounts } from './usage.ts';

const names = [
  'cacheWriteTokens',
  'cacheWriteHourTokens',
  'imageInputTokens',
  'audioInputTokens',
  'cachedAudioTokens',
  'imageOutputTokens',
  'audioOutputTokens',
  'images',
  'searchUnits',
  'webSearches',
] as const satisfies readonly (keyof SpecialCounts)[];

/** The special counts of a usage that are not 0, on their way through JSON: by name, in digits. */
export function specialCountTexts(counts: SpecialCounts): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const name of names) {
    const count = counts[name] ?? 0;
    if (count > 0) texts[name] = String(count);
  }
  return texts;
}

/** Returns the special counts among texts by name. Other names, and texts that are no counts, are left out. */
export function specialCountsOf(texts: Readonly<Record<string, string>>): SpecialCounts {
  return Object.fromEntries(
    names.flatMap((name) => {
      const text = texts[name] ?? '';
      return /^\d{1,16}$/.test(text) ? [[name, Number(text)]] : [];
    }),
  );
}
