import type { Random } from '@sluice/testing/random';
import { luhnDigit } from './corpus-values.ts';
import { wordsOf } from './data.ts';
import { drawn, oneOf } from './random-text.ts';

const months = [
  'January, February, March, April, May, June',
  'July, August, September, October, November, December',
].flatMap((line) => line.split(', '));
const hex = '0123456789abcdef';
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const two = (value: number) => String(value).padStart(2, '0');

function digits(random: Random, length: number): string {
  return String(random.between(1, 9)) + drawn(random, '0123456789', length - 1);
}

/** Sixteen digits as of a card that are none. */
function luhnless(random: Random): string {
  const body = oneOf(random, ['4', '51', '6011', '90']) + digits(random, 15);
  const head = body.slice(0, 15);
  return head + String((luhnDigit(head) + random.between(1, 9)) % 10);
}

/** The shape of a social security number, in a range that is never given. */
function badSsn(random: Random): string {
  const serial = digits(random, 4);
  return oneOf(random, [
    `000-${two(random.between(1, 99))}-${serial}`,
    `666-${two(random.between(1, 99))}-${serial}`,
    `9${digits(random, 2)}-${two(random.between(1, 49))}-${serial}`,
    `${random.between(100, 599)}-00-${serial}`,
    `${random.between(100, 599)}-${two(random.between(1, 99))}-0000`,
  ]);
}

function date(random: Random): string {
  const year = random.between(1990, 2029);
  const month = random.between(1, 12);
  const day = random.between(1, 28);
  return oneOf(random, [
    `${year}-${two(month)}-${two(day)}`,
    `${two(day)}.${two(month)}.${year}`,
    `${two(month)}/${two(day)}/${year}`,
    `${day} ${months[month - 1]} ${year}`,
  ]);
}

function isbn(random: Random): string {
  const body = `978316${digits(random, 6)}`;
  let sum = 0;
  for (const [index, digit] of Array.from(body).entries())
    sum += Number(digit) * (index % 2 === 0 ? 1 : 3);
  const check = (10 - (sum % 10)) % 10;
  const dashed = `978-3-16-${body.slice(6)}-${check}`;
  return random.next() < 0.5 ? dashed : body + String(check);
}

function uuid(random: Random): string {
  const part = (length: number) => drawn(random, hex, length);
  return [part(8), part(4), `4${part(3)}`, `a${part(3)}`, part(12)].join('-');
}

function price(random: Random): string {
  const amount = `${random.between(1, 999)}.${two(random.below(100))}`;
  return oneOf(random, [`$${amount}`, `${amount} EUR`, `£${amount}`, `USD ${amount}`]);
}

const fillers: Readonly<Record<string, (random: Random) => string>> = {
  luhnless,
  'luhnless-groups': (random) => luhnless(random).replaceAll(/(\d{4})(?=\d)/gu, '$1-'),
  'bad-ssn': badSsn,
  date,
  time: (random) => `${two(random.below(24))}:${two(random.below(60))}`,
  month: (random) => oneOf(random, months),
  year: (random) => String(random.between(1950, 2029)),
  isbn,
  uuid,
  price,
  mask: (random) => oneOf(random, ['x', 'X', '*']).repeat(random.between(4, 36)),
};

function filler(random: Random, name: string): string | undefined {
  const words = wordsOf(name);
  return words.length > 0 ? oneOf(random, words) : fillers[name]?.(random);
}

/** Replaces `{date}`, `{d4}` (digits), `{x40}` (hexadecimal) and `{b86}` (letters) by chance. */
export function withFillers(random: Random, text: string): string {
  return text.replaceAll(
    /\{(?:([dxb])(\d{1,2})|([a-z-]{3,20}))\}/gu,
    (whole: string, alphabet: string | undefined, length: string, name: string) => {
      if (alphabet === undefined) return filler(random, name) ?? whole;
      if (alphabet === 'd') return digits(random, Number(length));
      return drawn(random, alphabet === 'x' ? hex : letters, Number(length));
    },
  );
}
