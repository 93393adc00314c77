import type { Finding } from '../../span.ts';

const marker = /-----(BEGIN|END) (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----/gu;
const body = /[\sA-Za-z0-9+/=\\:,-]{0,8192}/uy;
const charactersMax = 20_000;
const bodyMin = 40;

/** Finds blocks of private keys, also without their end. */
export function findPrivateKeys(text: string): readonly Finding[] {
  if (!text.includes('PRIVATE KEY')) return [];
  const markers = [...text.matchAll(marker)];
  return markers.flatMap((opening, index): Finding[] => {
    if (opening[1] !== 'BEGIN') return [];
    const start = opening.index;
    const bodyStart = start + opening[0].length;
    const next = markers[index + 1];
    if (next?.[1] === 'END' && next.index - start < charactersMax) {
      const end = next.index + next[0].length;
      if (next.index - bodyStart < bodyMin) return [];
      return [{ start, end, score: 0.97, rule: 'private_key' }];
    }
    body.lastIndex = bodyStart;
    const rest = body.exec(text)?.[0].trimEnd() ?? '';
    const end = Math.min(bodyStart + rest.length, next?.index ?? Infinity);
    if (end - bodyStart < bodyMin) return [];
    return [{ start, end, score: 0.9, rule: 'private_key' }];
  });
}
