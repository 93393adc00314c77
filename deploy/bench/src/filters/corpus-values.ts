import type { Random } from '@sluice/testing/random';
import { secret, secretLine } from './corpus-secrets.ts';
import type { Country } from './data.ts';
import { drawn, filled, oneOf } from './random-text.ts';

/** Content within a text. */
export interface Value {
  readonly text: string;
  /** The part of the text that is the content, if it is not all. */
  readonly part?: string;
}

type Maker = (random: Random, place: Country, variant: string) => string | Value;

/** Content of each kind. A variant stands behind a colon in a carrier, as in `{ADDRESS:line}`. */
export const makers = {
  EMAIL: email,
  PHONE: phone,
  SSN: socialSecurityNumber,
  CREDIT_CARD: (random: Random) => card(random),
  IP_ADDRESS: ipAddress,
  PERSON_NAME: personName,
  ADDRESS: address,
  SECRET: (random: Random, _: Country, variant: string) =>
    secretValue(variant === 'line' ? secretLine(random) : secret(random)),
} as const satisfies Readonly<Record<string, Maker>>;

function ascii(name: string): string {
  const bare = name
    .replaceAll('ß', 'ss')
    .replaceAll('ı', 'i')
    .replaceAll(/[łŁ]/gu, 'l')
    .normalize('NFD');
  return bare.replaceAll(/[^A-Za-z]/gu, '').toLowerCase();
}

function email(random: Random, place: Country): string {
  const given = ascii(oneOf(random, place.given));
  const family = ascii(oneOf(random, place.family));
  const local = oneOf(random, [
    `${given}.${family}`,
    `${given}${random.below(100)}`,
    `${given.charAt(0)}${family}`,
    `${given}+news`,
    `${given}_${family}`,
    `${family}-${given}.x`,
    `${given.charAt(0).toUpperCase()}${given.slice(1)}.${family.toUpperCase()}`,
    'no-reply',
    `${given}.${family}+inv-${random.between(1, 99)}`,
  ]);
  const code = place.code === 'GB' ? 'co.uk' : place.code.toLowerCase();
  const host = oneOf(random, [
    'example.com',
    'Example.ORG',
    `mail.${family}.co.uk`,
    `${family}-gmbh.${code}`,
    `${family}.technology`,
    `mx1.eu-west.${family}.io`,
    `${family}${random.below(10)}.${code}`,
    `xn--${family}-kva.${code}`,
  ]);
  return `${local}@${host}`;
}

/** Marks the password alone in a connection string. */
function secretValue(text: string): Value {
  const password = /:\/\/[a-z_-]{1,20}:([A-Za-z0-9]{1,40})@/u.exec(text)?.[1];
  return password === undefined ? { text } : { text, part: password };
}

function phone(random: Random, place: Country, variant: string): string {
  if (variant === 'compact') {
    const number = filled(random, oneOf(random, place.international));
    return `+${number.replace('(0)', '').replaceAll(/\D|^00/gu, '')}`;
  }
  const isNational = variant !== 'intl' && random.next() < 0.6;
  const formats = isNational ? place.national : place.international;
  return filled(random, oneOf(random, formats));
}

function padded(value: number, width: number): string {
  return String(value).padStart(width, '0');
}

function socialSecurityNumber(random: Random, _: Country, variant: string): string {
  let area = random.between(1, 898);
  if (area >= 666) area++;
  const separator = variant === 'plain' ? '' : variant === 'blank' ? ' ' : '-';
  return [
    padded(area, 3),
    padded(random.between(1, 99), 2),
    padded(random.between(1, 9_999), 4),
  ].join(separator);
}

const cardKinds: readonly (readonly [prefix: string, groups: readonly number[]])[] = [
  ['4', [4, 4, 4, 4]],
  ['5@', [4, 4, 4, 4]],
  ['2221', [4, 4, 4, 4]],
  ['2720', [4, 4, 4, 4]],
  ['34', [4, 6, 5]],
  ['37', [4, 6, 5]],
  ['6011', [4, 4, 4, 4]],
  ['65', [4, 4, 4, 4]],
  ['3528', [4, 4, 4, 4]],
  ['36', [4, 6, 4]],
];

function card(random: Random): string {
  const [prefix, groups] = oneOf(random, cardKinds);
  const length = groups.reduce((sum, size) => sum + size, 0);
  let digits = prefix.replace('@', String(random.between(1, 5)));
  digits += drawn(random, '0123456789', length - digits.length - 1);
  digits += luhnDigit(digits);
  let at = 0;
  const separator = oneOf(random, ['', '', ' ', '-']);
  return groups.map((size) => digits.slice(at, (at += size))).join(separator);
}

/** The digit that makes a number pass the Luhn check when it stands behind it. */
export function luhnDigit(digits: string): number {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const isDoubled = (digits.length - index) % 2 === 1;
    const value = Number(digits[index]) * (isDoubled ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return (10 - (sum % 10)) % 10;
}

function ipAddress(random: Random, _: Country, variant: string): string {
  if (variant === 'v4' || (variant === '' && random.next() < 0.6)) return ipFour(random);
  const group = () => random.between(1, 0xffff).toString(16);
  return oneOf(random, [
    () => `2001:db8::${group()}`,
    () => `fe80::${group()}:${group()}:${group()}:${group()}`,
    () => `2a02:${group()}:${group()}::${group()}`,
    () => `2600:${Array.from({ length: 7 }, () => padded16(group())).join(':')}`,
    () => `2A02:${Array.from({ length: 7 }, () => group().toUpperCase()).join(':')}`,
    () => `::ffff:${ipFour(random)}`,
  ])();
}

function padded16(group: string): string {
  return group.padStart(4, '0');
}

function ipFour(random: Random): string {
  const byte = () => String(random.below(256));
  return oneOf(random, [
    () => `10.${byte()}.${byte()}.${byte()}`,
    () => `192.168.${byte()}.${byte()}`,
    () => `172.${random.between(16, 31)}.${byte()}.${byte()}`,
    () => `${random.between(11, 126)}.${byte()}.${byte()}.${byte()}`,
    () => `${random.between(128, 223)}.${byte()}.${byte()}.${byte()}`,
  ])();
}

function personName(random: Random, place: Country, variant: string): string {
  const given = oneOf(random, place.given);
  const family = oneOf(random, place.family);
  if (variant === 'last-first') return `${family}, ${given}`;
  if (variant === 'upper') return `${given} ${family}`.toUpperCase();
  if (variant === 'lower') return `${given} ${family}`.toLowerCase();
  const chance = random.next();
  if (chance < 0.1) return `${given} ${drawn(random, 'ABCDEGHJKLMNPRST', 1)}. ${family}`;
  if (chance < 0.18) return `${given} ${oneOf(random, place.given)} ${family}`;
  return `${given} ${family}`;
}

function address(random: Random, place: Country, variant: string): string {
  const isBlock = variant === 'block' || (variant === '' && random.next() < 0.35);
  const [city = '', region = '', postalCode = ''] = oneOf(random, place.cities).split('/');
  const parts: Readonly<Record<string, string>> = {
    n: String(random.between(1, 240)),
    u: String(random.between(1, 40)),
    s: oneOf(random, place.streets),
    c: city,
    r: region,
    p: filled(random, postalCode),
  };
  const format = oneOf(random, isBlock ? place.blocks : place.lines);
  return format.replaceAll(/\{([nuscrp])\}/gu, (_, part: string) => parts[part] ?? '');
}
