import type { StreamPart } from '@sluice/inference';

/**
 * Merges all deltas of a part into one at its start, so that equal answers compare as equal, whatever their
 * chunks were.
 */
export function mergedParts(parts: readonly StreamPart[]): readonly StreamPart[] {
  const texts = new Map<number, string>();
  for (const part of parts) {
    if ('delta' in part) texts.set(part.part, (texts.get(part.part) ?? '') + part.delta);
  }
  return parts.flatMap((part): readonly StreamPart[] => {
    if ('delta' in part) return [];
    const delta = 'part' in part && part.type.endsWith('-start') && texts.get(part.part);
    if (!delta) return [part];
    const type = part.type.replace('-start', '-delta');
    return [part, { type, part: part.part, delta } as StreamPart];
  });
}
