import { patternRecognizer } from '../pattern-recognizer.ts';
import { hasBefore } from '../words-before.ts';

const socialSecurity =
  /(?:\bssn?\b|social[\s-]?security|\bsoc\.?\s?sec|\bsocial\b|\btin\b|tax(?:payer)? id)[^.\n]{0,30}$/iu;
const otherNumber = new RegExp(
  [
    String.raw`(?:\b(?:order|invoice|tracking|ticket|case|isbn|part|serial|sku|model|account|routing|phone|`,
    String.raw`tel|fax)\b|#)[^.\n]{0,14}$`,
  ].join(''),
  'iu',
);

/** Numbers that the Social Security Administration never gives. */
function isIssuable(digits: string): boolean {
  const area = digits.slice(0, 3);
  if (area === '000' || area === '666' || area >= '900') return false;
  return digits.slice(3, 5) !== '00' && digits.slice(5) !== '0000';
}

/** Finds social security numbers of the USA: grouped 3-2-4 anywhere, and nine digits behind words that name one. */
export const ssn = patternRecognizer([
  {
    name: 'ssn',
    needs: /\d\d\d\d/u,
    pattern: /(?<![\p{L}\d]|\d[-‐‑–. ])\d{3}([-‐‑–. ])\d{2}\1\d{4}(?![\p{L}\d]|[-‐‑–]\d|\.\d)/gu,
    score(match, text, start) {
      if (!isIssuable(match.replaceAll(/\D/gu, ''))) return 0;
      if (hasBefore(text, start, socialSecurity, 60)) return 0.95;
      if (hasBefore(text, start, otherNumber, 30)) return 0;
      const isDashed = !/[. ]/u.test(match);
      return isDashed ? 0.85 : 0;
    },
  },
  {
    name: 'ssn_in_words',
    needs: /\d{9}/u,
    pattern: /(?<![\p{L}\d.-])\d{9}(?![\p{L}\d]|[-.]\d)/gu,
    score: (match, text, start) =>
      isIssuable(match) && hasBefore(text, start, socialSecurity, 60) ? 0.9 : 0,
  },
]);
