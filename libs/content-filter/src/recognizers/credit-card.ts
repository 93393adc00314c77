import { patternRecognizer } from '../pattern-recognizer.ts';
import { hasBefore } from '../words-before.ts';

/** First digits and lengths of the networks. */
const networks: readonly { readonly begins: RegExp; readonly lengths: readonly number[] }[] = [
  { begins: /^4/u, lengths: [13, 16, 19] },
  { begins: /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/u, lengths: [16] },
  { begins: /^3[47]/u, lengths: [15] },
  { begins: /^(?:6011|64[4-9]|65|622)/u, lengths: [16, 17, 18, 19] },
  { begins: /^3(?:0[0-5]|095|[689])/u, lengths: [14, 16, 17, 18, 19] },
  { begins: /^35(?:2[89]|[3-8])/u, lengths: [16, 17, 18, 19] },
  { begins: /^(?:2131|1800)/u, lengths: [15] },
  { begins: /^62/u, lengths: [16, 17, 18, 19] },
  { begins: /^(?:5018|5020|5038|5[6-9]|6304|67)/u, lengths: [12, 13, 14, 15, 16, 17, 18, 19] },
];
const groupings = /^(?:\d+|\d{4}([ -])\d{4}\1\d{4}\1\d{1,7}|\d{4}([ -])\d{6}\2\d{4,5})$/u;
const longGrouping = /^\d{4}([ -])\d{4}\1\d{4}\1\d{4}\1\d{1,3}$/u;
const otherNumber = new RegExp(
  [
    String.raw`(?:\b(?:order|invoice|tracking|ticket|parcel|shipment|imei|isbn|serial|sku|reference|ref|`,
    String.raw`transaction|build|timestamp|epoch|session|request|trace|uuid|guid)\b|#)[^.\n]{0,16}$`,
  ].join(''),
  'iu',
);

function isOfNetwork(digits: string): boolean {
  return networks.some(
    ({ begins, lengths }) => lengths.includes(digits.length) && begins.test(digits),
  );
}

/** The check digit of card numbers (ISO/IEC 7812-1). */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = digits.charCodeAt(digits.length - 1 - index) - 48;
    const doubled = digit * 2;
    sum += index % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** Finds card numbers of the known networks whose check digit is right, in one piece or in groups. */
export const creditCard = patternRecognizer([
  {
    name: 'credit_card',
    needs: /\d[ -]?\d[ -]?\d[ -]?\d/u,
    pattern: /(?<![\p{L}\d]|\d[-.])\d(?:[ -]?\d){11,18}(?![\p{L}\d]|[-.]\d)/gu,
    score(match, text, start) {
      const digits = match.replaceAll(/[ -]/gu, '');
      if (!isOfNetwork(digits) || !passesLuhn(digits) || /^(\d)\1*$/u.test(digits)) return 0;
      if (!groupings.test(match) && !longGrouping.test(match)) return 0;
      if (digits.length === match.length && hasBefore(text, start, otherNumber, 32)) return 0;
      return digits.length === match.length ? 0.9 : 0.95;
    },
  },
]);
