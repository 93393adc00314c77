import type { Recognizer } from '../recognizer.ts';
import type { Finding, Span } from '../span.ts';

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

const digitsMin = 12;
const digitsMax = 19;
const digitRun = /\d+/gu;
/** Sizes of the groups of a card; the last one has a range. */
const shapes: readonly (readonly [sizes: readonly number[], last: readonly [number, number]])[] = [
  [
    [4, 4, 4],
    [1, 7],
  ],
  [
    [4, 4, 4, 4],
    [1, 3],
  ],
  [
    [4, 6],
    [4, 5],
  ],
];
/** Between the groups of a card: one sign, with a space on each side at most, or spaces. */
const separator = /^(?:\s{1,3}|\s?[-./_,:]\s?)$/u;
const signs = ' -./_,:';
/** Signs between groups of any size. */
const plainSigns = ' -.';
/** A word may be glued to a card; a name with digits is another thing. */
const gluedWord = /(?:^|[^\p{L}\p{N}])\p{L}{1,24}$/u;
const gluedMax = 25;

/**
 * Finds card numbers of the known networks whose check digit is right, in one piece or in groups. No word in front of
 * one says that it is another number: few numbers have the check digit of a card by chance.
 */
export const creditCard: Recognizer = {
  find(text) {
    const findings: Finding[] = [];
    let run: Span[] = [];
    let sign = '';
    for (const { 0: digits, index } of text.matchAll(digitRun)) {
      const group = { start: index, end: index + digits.length };
      if (digits.length >= digitsMin && isPlainCard(text, group))
        findings.push({ ...group, score: 0.9, rule: 'credit_card' });
      const last = run.at(-1);
      const between = last ? signBetween(text, last.end, index) : '';
      if (last && (between === '' || (run.length > 1 && between !== sign))) {
        addGrouped(findings, { text, run, sign });
        // The last group of a number may be the first one of the next.
        run = between === '' ? [] : [last];
      }
      sign = between;
      run.push(group);
    }
    addGrouped(findings, { text, run, sign });
    return findings;
  },
};

function isPlainCard(text: string, { start, end }: Span): boolean {
  if (end - start > digitsMax || isFraction(text, start, end)) return false;
  return isCard(text.slice(start, end)) && isFree(text, start);
}

function isFraction(text: string, start: number, end: number): boolean {
  const isDigit = (at: number) => /\d/u.test(text.charAt(at));
  return (text[start - 1] === '.' && isDigit(start - 2)) || (text[end] === '.' && isDigit(end + 1));
}

function isFree(text: string, start: number): boolean {
  if (!/\p{L}/u.test(text.charAt(start - 1))) return true;
  return gluedWord.test(text.slice(Math.max(0, start - gluedMax), start));
}

function isCard(digits: string): boolean {
  return isOfNetwork(digits) && passesLuhn(digits) && !/^(\d)\1*$/u.test(digits);
}

/** Returns the sign between two groups of digits, or '' if they belong to two numbers. */
function signBetween(text: string, end: number, start: number): string {
  if (start - end > 3) return '';
  const between = text.slice(end, start);
  if (between.length === 1 && signs.includes(between)) return between;
  if (!separator.test(between)) return '';
  return between.trim() || (between.includes('\n') ? '\n' : ' ');
}

interface Run {
  readonly text: string;
  readonly run: readonly Span[];
  /** Stands between all groups. */
  readonly sign: string;
}

function addGrouped(findings: Finding[], { text, run, sign }: Run): void {
  if (run.length < 3) return;
  const isAccount = isAccountNumber(text, run);
  const add = (from: number, to: number) => {
    const [start = 0, end = 0] = [run[from]?.start, run[to]?.end];
    const digits = text.slice(start, end).replaceAll(/\D/gu, '');
    if (!isAccount && isFree(text, start) && isCard(digits))
      findings.push({ start, end, score: 0.95, rule: 'credit_card' });
  };
  for (let from = 0; from < run.length; from += 1) {
    // All shapes begin with four digits.
    if (sizeOf(run[from]) !== 4) continue;
    for (const [sizes, [least, most]] of shapes) {
      const to = from + sizes.length;
      const last = sizeOf(run[to]);
      if (last < least || last > most) continue;
      const hasShape = sizes.every((size, at) => sizeOf(run[from + at]) === size);
      if (hasShape && !isPartOfTable(run, from, to)) add(from, to);
    }
  }
  if (plainSigns.includes(sign) && isEven(run)) add(0, run.length - 1);
}

/** An international account number, as `DE44 5001 …`, has groups of four as well. */
function isAccountNumber(text: string, [first]: readonly Span[]): boolean {
  if (!first || sizeOf(first) !== 2) return false;
  return /(?:^|[^\p{L}\p{N}])[A-Z]{2}$/u.test(
    text.slice(Math.max(0, first.start - 3), first.start),
  );
}

function sizeOf(group: Span | undefined): number {
  return group ? group.end - group.start : 0;
}

/** Says whether groups of four go on beside a card: a table, or a longer number. */
function isPartOfTable(run: readonly Span[], from: number, to: number): boolean {
  const beside = [run[from - 2], run[from - 1], run[to + 1], run[to + 2]].map(sizeOf);
  return beside.includes(4) && beside.filter((size) => size > 0).length > 1;
}

/** Says whether all of a number stands in groups of one size, the last one at most as long. */
function isEven(run: readonly Span[]): boolean {
  const size = sizeOf(run[0]);
  const digits = run.reduce((sum, group) => sum + sizeOf(group), 0);
  if (size === 4 || digits < digitsMin + 1 || digits > digitsMax) return false;
  return run.every(
    (group, at) => sizeOf(group) === size || (at === run.length - 1 && sizeOf(group) < size),
  );
}
