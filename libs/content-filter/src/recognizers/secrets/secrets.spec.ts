import { describe, expect, it } from 'vitest';
import { fill, ruleExamples } from './testing/examples.ts';
import { secretRules, secrets } from './secrets.ts';

const join = (...parts: readonly string[]) => parts.join('');

function found(text: string): readonly string[] {
  return secrets.find(text).map(({ rule, start, end }) => `${rule}: ${text.slice(start, end)}`);
}

/** Near misses of a rule may be secrets for all that their names say. */
function named(text: string): readonly string[] {
  return found(text).filter((one) => !one.startsWith('assigned_secret'));
}

const dashes = '-----';
const begin = (label: string) => join(dashes, 'BEGIN ', label, dashes);
const end = (label: string) => join(dashes, 'END ', label, dashes);
const lines = Array.from({ length: 12 }, (_, index) => fill(64, index + 1)).join('\n');

function webToken(header: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return [part(header), part({ sub: 'user', iat: 1_700_000_000 }), fill(43, 3)].join('.');
}

describe('kinds of credentials', () => {
  it('has many, each with a name of its own and with examples', () => {
    const kinds = secretRules.map(({ kind }) => kind);
    expect(new Set(kinds).size).toBe(kinds.length);
    const withExamples = new Set(ruleExamples.map(({ kind }) => kind));
    expect(kinds.filter((kind) => !withExamples.has(kind))).toEqual([
      'private_key',
      'putty_private_key',
      'json_web_token',
      'basic_authorization',
    ]);
  });

  it.each(ruleExamples)('finds the secret alone: $kind', ({ kind, hits }) => {
    for (const { text, secret } of hits) expect(found(text)).toContain(`${kind}: ${secret}`);
  });

  it.each(ruleExamples)('passes near misses over: $kind', ({ misses }) => {
    expect(misses.flatMap(named)).toEqual([]);
  });
});

describe('private keys', () => {
  it.each(['PRIVATE KEY', 'RSA PRIVATE KEY', 'OPENSSH PRIVATE KEY', 'PGP PRIVATE KEY BLOCK'])(
    'are found whole, without an end and on one line: %s',
    (label) => {
      const block = join(begin(label), '\n', lines, '\n', end(label));
      expect(found(`key: ${block} end`)).toEqual([`private_key: ${block}`]);
      const escaped = block.replaceAll('\n', String.raw`\n`);
      expect(found(`"${escaped}"`)).toEqual([`private_key: ${escaped}`]);
      const open = join(begin(label), '\n', lines);
      expect(found(`${open}\n\nThat is all.`)).toEqual([`private_key: ${open}`]);
    },
  );

  it('are not found where only the lines around them stand', () => {
    const label = 'PRIVATE KEY';
    expect(found(begin(label))).toEqual([]);
    expect(found(`${begin(label)} begins a file, as everyone knows`)).toEqual([]);
    expect(found(join(begin(label), '\n...\n', end(label)))).toEqual([]);
    expect(found(join(begin('PUBLIC KEY'), '\n', lines, '\n', end('PUBLIC KEY')))).toEqual([]);
  });

  it('of PuTTY are found', () => {
    expect(found(`Private-Lines: 12\n${lines}`)).toEqual([`putty_private_key: ${lines}`]);
    expect(found('Private-Lines: 0\n')).toEqual([]);
  });
});

describe('tokens and headers', () => {
  it('are found if the header of the token names an algorithm', () => {
    const token = webToken({ alg: 'HS256', typ: 'JWT' });
    expect(found(`a ${token}.`)).toEqual([`json_web_token: ${token}`]);
    expect(found(webToken({ typ: 'JWT', name: 'none' }))).toEqual([]);
    expect(found(join('eyJ', fill(30, 1), '.', fill(40, 2), '.', fill(43, 3)))).toEqual([]);
  });

  it('are found if they hold a name and a password', () => {
    const basic = btoa(join('app:', fill(14, 8)));
    expect(found(`Authorization: Basic ${basic}`)).toEqual([`basic_authorization: ${basic}`]);
    expect(found('the basic principles of this')).toEqual([]);
    expect(found(`basic ${btoa('user:password')}`)).toEqual([]);
  });
});

describe('places', () => {
  const token = join('sk_live_', fill(24, 9));
  it.each([
    `${token}.`,
    `(${token})`,
    `%20${token}`,
    String.raw`a\n${token}\n`,
    `İİ ${token}`,
    `_ ${token}`,
  ])('are kept: %s', (text) => expect(found(text)).toEqual([`stripe_live_key: ${token}`]));

  it('are all of the text', () => {
    const other = join('sk_live_', fill(24, 10));
    expect(found(`${token} ${other}`)).toHaveLength(2);
  });

  it('of passwords are found in prose and settings', () => {
    const password = join(fill(5, 3), '!', fill(6, 4));
    for (const text of [
      `my password is ${password}`,
      `DB_PASSWORD=${password}`,
      `password: ${password}`,
      `{"password": "${password}"}`,
    ])
      expect(found(text)).toEqual([`assigned_secret: ${password}`]);
  });
});

describe('texts without credentials', () => {
  it.each([
    'password = "xxxxxxxxxxxx1"',
    'password: "changeme123"',
    'token = "your-token-1234"',
    'api_key = process.env.API_KEY_2',
    String.raw`secret: "\${SECRET_V2}"`,
    'token: <token-2-here>',
    'the password is required since 2024',
    'const tokenIndex2 = tokens.findIndex2(token1);',
    'postgres://user:password@localhost/db',
    'https://user:pass@host.org',
    'mysql://root:***@localhost',
    'the disk-space-of-a-long-name-is-used, task-1234567890',
    'sha512-integrity: token type is bearer',
    'Authorization: Bearer your-access-token-goes-here',
    'AKIA is the beginning of a key',
    'secret: 2024-01-01T10:00:00Z',
  ])('%s', (text) => expect(found(text)).toEqual([]));
});

describe('hostile texts', () => {
  it.each(['a', 'sk-', 'eyJ', 'eyJ-', '-----BEGIN ', 'token=', 'aws ', '://a:b', 'datadog '])(
    'are read to their end: %s',
    (unit) => expect(found(unit.repeat(1_000_000 / unit.length))).toEqual([]),
  );
});
