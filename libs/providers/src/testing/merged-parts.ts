import type { StreamPart } from '@sluice/inference';

/**
 * The same parts with all deltas of a part told at once, where it begins: what is left is what was
 * said, whatever the pieces it came in.
 */
export function mergedParts(parts: readonly StreamPart[]): readonly StreamPart[] {
  const texts = new Map<number, string>();
  for (const part of parts) {
    if ('delta' in part) texts.set(part.part, (texts.get(part.part) ?? '') + part.delta);
  }
  return parts.flatMap((part): readonly StreamPart[] => {
    if ('delta' in part) return [];
    const text = 'part' in part && part.type.endsWith('-start') && texts.get(part.part);
    return text ? [part, deltaOf(part, text)] : [part];
  });
}

function deltaOf(start: StreamPart, delta: string): StreamPart {
  return { ...start, type: start.type.replace('-start', '-delta'), delta } as StreamPart;
}
