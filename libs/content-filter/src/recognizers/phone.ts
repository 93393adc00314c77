import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import type { Recognizer } from '../recognizer.ts';
import type { Finding } from '../span.ts';
import { hasBefore } from '../words-before.ts';

/** Countries whose national notation is tried, the largest first. */
const countries: readonly CountryCode[] = [
  ...(['US', 'GB', 'DE', 'FR', 'ES', 'IT', 'NL', 'PL', 'SE', 'PT', 'BR', 'MX', 'IN'] as const),
  ...(['JP', 'TR', 'NG', 'ZA', 'AU', 'CA', 'KE', 'CH', 'AT', 'BE', 'DK', 'NO', 'FI'] as const),
  ...(['IE', 'NZ', 'KR', 'SG', 'IL', 'AR', 'CL', 'CO', 'CZ', 'GR', 'HU', 'RO', 'CN'] as const),
];
/** Parsing costs microseconds: in a text with more candidates all that have the shape of a number count. */
const parsedMax = 500;

const candidate = new RegExp(
  [
    String.raw`(?<![\p{L}\p{N}_#$€£.@&+-]|\d[ /(:=])(?:\+|\(\+|`,
    String.raw`00)?\(?\d(?:[\s().\u2010-\u2013/-]{0,3}\d){5,15}(?:\s{0,2}(?:,\s?)?(?:ext\.?|x|`,
    String.raw`extension)\s{0,2}\.?\d{1,6})?(?![\p{L}\p{N}_@]|[.,:/-]\d|-X)`,
  ].join(''),
  'giu',
);
const phoneWord = new RegExp(
  [
    String.raw`(?:\b(?:phones?|tel[eé]?(?:f[oó]n[oea]?|efone|éfono)?|telephone|téléphone|telefonnummer|`,
    String.raw`call(?:ed|ing|s|back)?|cell(?:ulare?|phone)?|mobiles?|mob|handy|m[oó]vil|celular|`,
    String.raw`telem[oó]vel|fax|whatsapp|signal|viber|sms|text(?:ed|ing)?|ring|dial|reach(?: me| us| him|`,
    String.raw` her| them)?(?: at| on)?|contact|hotline|helpline|landline|portable|rufnummer|mobiel|`,
    String.raw`komórka|kom|numara|gsm|simu|denwa|ph|`,
    String.raw`(?:my|his|her|their|our|your) number is|rappelle[zr]?|ligar|llam\p{L}{1,4}|`,
    String.raw`ruf\p{L}{0,3}|anruf\p{L}{0,3})\b|[📞☎📱])[^\d\n]{0,24}$`,
  ].join(''),
  'iu',
);
const otherWord = new RegExp(
  [
    String.raw`(?:\b(?:orders?|invoice|tracking|ticket|parcel|shipment|isbn|issn|ean|upc|sku|serial|part|`,
    String.raw`case|reference|ref|transaction|build|timestamp|account|acct|iban|routing|vat|version|port|`,
    String.raw`pid|id|uuid|line|page|room|zip|postcode|policy|passport|licen[cs]e|error|code|coordinates?|`,
    String.raw`lat|lon|lng|score|total|amount|commit|rfc)\b\.?|n[°º]|#|§)[\s:#.=-]{0,3}(?:(?:number|num|no|`,
    String.raw`nr|is|was|of)\b[\s.:#]{0,3}){0,2}$`,
  ].join(''),
  'iu',
);
const dateLike = new RegExp(
  [
    String.raw`^(?:(?:19|20)\d\d[-/.]\d\d?[-/.]\d\d?|(?:0?[1-9]|[12]\d|3[01])[-/.]`,
    String.raw`(?:0?[1-9]|[12]\d|3[01])[-/.](?:(?:19|20)\d\d|\d\d(?!\d)))(?:[\sT]|$)`,
  ].join(''),
  'u',
);
const isbnLike = /^97[89][-\s]?\d/u;
const decimal = /^\d{1,4}\.\d{5,}$/u;
const versionLike = /^\d{1,3}(?:\.\d{1,5}){3}$/u;
const shortIsbn = /^\d-\d{2,7}-\d{1,7}-\d$/u;
const postcode = /^\d{5}-\d{3,4}$/u;
const yearRange = /^(?:19|20)\d\d\s?[-\u2010-\u2013/]\s?(?:19|20)\d\d$/u;
const northAmerican = /^(?:1[\s.-]{0,2})?(?:\(\d{3}\)\s{0,2}|\d{3}[\s.-])\d{3}[\s.-]\d{4}$/u;
const local = /^\d{3}-\d{4}$/u;
const ssnLike = /^\d{3}[-. ]\d{2}[-. ]\d{4}$/u;
const extension = /\s{0,2}(?:,\s?)?(?:ext\.?|x|extension)\s{0,2}\.?\d{1,6}$/iu;

/** Finds telephone numbers: international ones, national ones in groups, and bare digits behind words that say so. */
export const phone: Recognizer = {
  find(text) {
    const findings: Finding[] = [];
    let parsed = 0;
    for (const match of text.matchAll(candidate)) {
      const start = match.index;
      const found = trimmed(match[0]);
      const digits = found.replace(extension, '').replaceAll(/\D/gu, '');
      if (digits.length < 7 || digits.length > 15 || !isPossible(found)) continue;
      const isNamed = hasBefore(text, start, phoneWord, 48);
      if (!isNamed && hasBefore(text, start, otherWord, 40)) continue;
      const isParsed = ++parsed <= parsedMax;
      const score = scoreOf(found, { isNamed, isParsed });
      if (score > 0) findings.push({ start, end: start + found.length, score, rule: 'phone' });
    }
    return findings;
  },
};

/** Without an opening bracket that is never closed. */
function trimmed(found: string): string {
  const opens = found.lastIndexOf('(');
  return opens > found.lastIndexOf(')') ? found.slice(0, opens).trimEnd() : found;
}

function isPossible(found: string): boolean {
  return ![dateLike, isbnLike, yearRange, decimal, versionLike, shortIsbn, postcode].some((one) =>
    one.test(found),
  );
}

interface Judging {
  /** Words in front of it say that it is a telephone number. */
  readonly isNamed: boolean;
  readonly isParsed: boolean;
}

function scoreOf(found: string, { isNamed, isParsed }: Judging): number {
  if (/^\(?(?:\+|00)/u.test(found)) return isParsed ? internationalScore(found, isNamed) : 0.6;
  const plain = found.replace(extension, '');
  if (ssnLike.test(plain)) return isNamed ? 0.6 : 0;
  if (northAmerican.test(plain)) return 0.75;
  if (isNamed) return local.test(plain) || plain.length >= 7 ? 0.75 : 0;
  const groups = plain.match(/\d+/gu)?.length ?? 0;
  const isGrouped = groups >= 2 && (plain.startsWith('0') || plain.startsWith('(') || groups >= 3);
  if (!isGrouped || (plain.includes('/') && groups > 3)) return 0;
  return !isParsed || isOfSomeCountry(plain) ? 0.65 : 0;
}

function internationalScore(found: string, isNamed: boolean): number {
  const written = found
    .replace(/^\(?00/u, '+')
    .replace(extension, '')
    .replaceAll('(0)', '');
  const number = parsePhoneNumberFromString(written);
  if (number?.isValid()) return 0.9;
  if (isNamed || number?.isPossible()) return 0.7;
  return /^\(?\+/u.test(found) ? 0.6 : 0;
}

function isOfSomeCountry(found: string): boolean {
  return countries.some(
    (country) => parsePhoneNumberFromString(found, country)?.isValid() ?? false,
  );
}
