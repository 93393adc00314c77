import type { Random } from '@sluice/testing/random';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Kinds of credentials: a prefix, the characters behind it and their number. */
const kinds: readonly (readonly [prefix: string, alphabet: string, length: number])[] = [
  ['AKIA', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 16],
  ['ghp_', letters, 36],
  ['sk_live_', letters, 24],
  ['AIza', letters, 35],
  ['glpat-', letters, 20],
  ['npm_', letters, 36],
  ['sk-ant-api03-', letters, 95],
  ['sk-proj-', letters, 64],
  ['hf_', letters.slice(0, 52), 34],
  ['dop_v1_', '0123456789abcdef', 64],
  ['shpat_', '0123456789abcdef', 32],
  ['gsk_', letters, 52],
  ['dckr_pat_', letters, 27],
  ['sbp_', '0123456789abcdef', 40],
  ['SG.', letters, 22],
  ['xoxb-', '0123456789', 12],
];

/** Makes a credential by chance. It opens nothing. */
export function makeSecret(random: Random): string {
  const draw = (alphabet: string, length: number) =>
    Array.from({ length }, () => alphabet.charAt(random.below(alphabet.length))).join('');
  const kind = kinds[random.below(kinds.length)];
  if (!kind) return '';
  const [prefix, alphabet, length] = kind;
  const body = prefix + draw(alphabet, length);
  if (prefix === 'SG.') return `${body}.${draw(letters, 43)}`;
  return prefix === 'xoxb-' ? `${body}-${draw('0123456789', 12)}-${draw(letters, 24)}` : body;
}
