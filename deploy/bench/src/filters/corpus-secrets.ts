import { crc32 } from 'node:zlib';
import type { Random } from '@sluice/testing/random';
import { drawn, oneOf } from './random-text.ts';

const digits = '0123456789';
const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const lower = 'abcdefghijklmnopqrstuvwxyz';
const base62 = digits + upper + lower;
const base64url = `${base62}-_`;
const base64 = `${base62}+/`;

type Maker = (random: Random) => string;

const prefixed =
  (prefix: string, alphabet: string, length: number, suffix = ''): Maker =>
  (random) =>
    prefix + drawn(random, alphabet, length) + suffix;

/** GitHub and npm end a token with the check sum of its thirty characters. */
const checked =
  (prefix: string): Maker =>
  (random) => {
    const body = drawn(random, base62, 30);
    return prefix + body + inBase62(crc32(body)).padStart(6, '0');
  };

function inBase62(value: number): string {
  let rest = value;
  let text = '';
  do {
    text = base62.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  } while (rest > 0);
  return text;
}

function webToken(random: Random): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const iat = random.between(1_600_000_000, 1_800_000_000);
  const claims = { sub: drawn(random, digits, 8), iat };
  return [part({ alg: 'HS256', typ: 'JWT' }), part(claims), drawn(random, base64url, 43)].join('.');
}

function connection(random: Random): string {
  const scheme = oneOf(random, ['postgres', 'postgresql', 'mysql', 'mongodb+srv', 'redis', 'amqp']);
  const user = oneOf(random, ['app', 'svc_billing', 'reporting', 'deploy', 'orders-rw']);
  const host = oneOf(random, ['db.internal', 'db-1.prod.example.net', '10.4.2.17', 'localhost']);
  const path = oneOf(random, ['', ':6543/orders', '/main']);
  return `${scheme}://${user}:${drawn(random, base62, random.between(10, 24))}@${host}${path}`;
}

function privateKey(random: Random): string {
  const kind = oneOf(random, ['', 'RSA ', 'EC ', 'OPENSSH ']);
  const lines = Array.from({ length: random.between(4, 9) }, () => drawn(random, base64, 64));
  lines.push(`${drawn(random, base64, 38)}==`);
  const edge = (word: string) => `-----${word} ${kind}PRIVATE KEY-----`;
  return [edge('BEGIN'), ...lines, edge('END')].join('\n');
}

const makers: readonly Maker[] = [
  prefixed('AKIA', `${upper}234567`, 16),
  prefixed('ASIA', `${upper}234567`, 16),
  checked('ghp_'),
  checked('gho_'),
  (random) => `github_pat_${drawn(random, base62, 22)}_${drawn(random, base62, 59)}`,
  prefixed('sk_live_', base62, 24),
  prefixed('rk_live_', base62, 99),
  (random) =>
    `xoxb-${drawn(random, digits, 12)}-${drawn(random, digits, 13)}-${drawn(random, base62, 24)}`,
  prefixed('AIza', base64url, 35),
  prefixed('glpat-', base64url, 20),
  (random) => `SG.${drawn(random, base64url, 22)}.${drawn(random, base64url, 43)}`,
  checked('npm_'),
  prefixed('sk-ant-api03-', base64url, 93, 'AA'),
  prefixed('hf_', upper + lower, 34),
  (random) => `sk-proj-${drawn(random, base62, 20)}T3BlbkFJ${drawn(random, base62, 20)}`,
  prefixed('dop_v1_', `${digits}abcdef`, 64),
  prefixed('shpat_', `${digits}abcdef`, 32),
  prefixed('gsk_', base62, 52),
  webToken,
  connection,
];

/** Makes a credential of one line by chance. It opens nothing. */
export function secretLine(random: Random): string {
  return oneOf(random, makers)(random);
}

/** Makes a credential by chance, now and then a block of lines. It opens nothing. */
export function secret(random: Random): string {
  return random.next() < 0.08 ? privateKey(random) : secretLine(random);
}
