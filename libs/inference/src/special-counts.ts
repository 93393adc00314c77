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
] as const satisfies readonly (keyof SpecialCounts)[];

/** The special counts of a usage that are not 0, on their way through JSON: by name, in digits. */
export function specialCountTexts(counts: SpecialCounts): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const count = counts[name] ?? 0;
      return count > 0 ? [[name, String(count)]] : [];
    }),
  );
}
