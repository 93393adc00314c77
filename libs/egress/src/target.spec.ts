import { deepEqual, equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { allowNothing, parseAllowList } from './allow-list.ts';
import { isEgressFailure } from './failure.ts';
import { parseTarget } from './target.ts';

const rules = { allowList: allowNothing, isHttpAllowed: true };

const outcome = (text: string, using = rules) => {
  const target = parseTarget(text, using);
  return isEgressFailure(target) ? target.reason : 'permitted';
};

/** Every IPv4 range that is not the public internet: first address, length of the prefix. */
const closedV4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['255.255.255.255', 32],
  ['168.63.129.16', 32],
];

const numberOf = (address: string) =>
  address.split('.').reduce((number, octet) => number * 256 + Number(octet), 0);
const octetsOf = (number: number) => [24, 16, 8, 0].map((shift) => (number >>> shift) & 255);

const closedNumber = fc
  .constantFrom(...closedV4)
  .chain(([first, bits]) =>
    fc.nat(2 ** (32 - bits) - 1).map((offset) => (numberOf(first) + offset) >>> 0),
  );

const openNumber = fc
  .constantFrom('1.1.1.1', '8.8.8.8', '93.184.216.0', '172.15.255.255', '172.32.0.0', '100.63.0.1')
  .map(numberOf);

const octetForms: readonly ((octet: number) => string)[] = [
  String,
  (octet) => `0x${octet.toString(16)}`,
  (octet) => `0X${octet.toString(16).toUpperCase().padStart(4, '0')}`,
  (octet) => `0${octet.toString(8)}`,
];

/** Spells an address in the forms that `URL` reads as IPv4, or that carry IPv4 in IPv6. */
const spelled = (number: number) => {
  const [a = 0, b = 0, c = 0, d = 0] = octetsOf(number);
  const hex = (high: number, low: number) => ((high << 8) | low).toString(16);
  const carried = `${hex(a, b)}:${hex(c, d)}`;
  const wide = (text: string) =>
    Array.from(text)
      .map((one) => String.fromCodePoint((one.codePointAt(0) ?? 0) + 0xfe_e0))
      .join('');
  return fc.oneof(
    fc
      .tuple(...[a, b, c, d].map((octet) => fc.constantFrom(...octetForms).map((as) => as(octet))))
      .map((octets) => octets.join('.')),
    fc.constantFrom(
      String(number),
      `0x${number.toString(16)}`,
      `0${number.toString(8)}`,
      `${a}.${number & 0xff_ff_ff}`,
      `${a}.${b}.${number & 0xff_ff}`,
      `${a}.${b}.${c}.${d}.`,
      wide(`${a}.${b}.${c}.${d}`),
      `[::ffff:${carried}]`,
      `[::ffff:${a}.${b}.${c}.${d}]`,
      `[0:0:0:0:0:ffff:${carried}]`,
      `[64:ff9b::${carried}]`,
    ),
  );
};

describe('a URL that names an address', () => {
  test('is refused in each spelling of an address that is not public', () => {
    fc.assert(
      fc.property(
        closedNumber.chain(spelled),
        fc.constantFrom('http://', 'https://'),
        fc.constantFrom('', ':443', ':8080'),
        fc.constantFrom('', '/', '/latest/meta-data?x=1#y'),
        (host, protocol, port, path) => {
          equal(outcome(`${protocol}${host}${port}${path}`), 'forbidden_address');
        },
      ),
      { numRuns: 4_000 },
    );
  });

  test('is permitted in each spelling of a public address', () => {
    fc.assert(
      fc.property(openNumber.chain(spelled), (host) => {
        equal(outcome(`https://${host}/`), 'permitted');
      }),
      { numRuns: 1_000 },
    );
  });

  test.each([
    '[::]',
    '[::1]',
    '[::127.0.0.1]',
    '[::8.8.8.8]',
    '[::ffff:0:127.0.0.1]',
    '[64:ff9b:1::7f00:1]',
    '[100::1]',
    '[2001::1]',
    '[2001:2::1]',
    '[2001:db8::1]',
    '[2002:7f00:1::]',
    '[2002:808:808::]',
    '[3fff::1]',
    '[5f00::1]',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[fe80::1]',
    '[fec0::1]',
    '[ff02::1]',
    '[4000::1]',
  ])('is refused: %s', (host) => {
    equal(outcome(`https://${host}/`), 'forbidden_address');
  });

  test.each(['[2606:4700::1111]', '[2a00:1450:4001::200e]'])('is permitted: %s', (host) => {
    equal(outcome(`https://${host}/`), 'permitted');
  });
});

describe('a URL', () => {
  test.each([
    'https://[fe80::1%25eth0]/',
    'https://1.2.3.4.5/',
    'https://256.1.1.1/',
    'https://0x100000000/',
    'file:///etc/passwd',
    'ftp://example.com/',
    'gopher://example.com/',
    'data:text/plain,x',
    'blob:https://example.com/1',
    'javascript:1',
    'https://me@example.com/',
    'https://me:secret@example.com/',
    'https://example.com:22/',
    'https://example.com:25/',
    'https://example.com:6667/',
    'https://',
    '//example.com',
    'example.com',
    '',
    `https://example.com/${'a'.repeat(9_000)}`,
  ])('is refused: %s', (text) => {
    equal(outcome(text), 'invalid_url');
  });

  test('must be https unless http is allowed', () => {
    equal(outcome('http://example.com/', { ...rules, isHttpAllowed: false }), 'invalid_url');
    equal(outcome('https://example.com/', { ...rules, isHttpAllowed: false }), 'permitted');
  });

  test('is never an exception, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.webUrl(),
          fc.string().map((a) => `http://${a}`),
        ),
        (text) => {
          ok(parseTarget(text, rules));
        },
      ),
    );
  });
});

describe('the allow-list of an operator', () => {
  const using = (text: string) => ({ allowList: parseAllowList(text), isHttpAllowed: false });

  test('allows its addresses, at its ports, by http too', () => {
    const named = using('10.4.0.0/16, 127.0.0.1:8080,[fd00::]/8, [fd99::1]:443');
    equal(outcome('http://10.4.9.9:25/', named), 'permitted');
    equal(outcome('http://127.0.0.1:8080/', named), 'permitted');
    equal(outcome('http://[::ffff:127.0.0.1]:8080/', named), 'permitted');
    equal(outcome('https://127.0.0.1:8081/', named), 'forbidden_address');
    equal(outcome('https://127.0.0.2:8080/', named), 'forbidden_address');
    equal(outcome('https://10.5.0.1/', named), 'forbidden_address');
    equal(outcome('http://[fdff::1]/', named), 'permitted');
    equal(outcome('https://[fe80::1]/', named), 'forbidden_address');
  });

  test.each([
    'localhost',
    '10.0.0.0/33',
    '10.0.0.0/8:0',
    '127.0.0.1:70000',
    '[::1',
    'fe80::1%eth0',
  ])('is refused with %s', (text) => {
    let message = '';
    try {
      parseAllowList(text);
    } catch (error) {
      message = (error as Error).message;
    }
    ok(message.includes(text), message);
  });

  test('is empty of an empty text', () => {
    deepEqual(outcome('https://10.0.0.1/', using(' , ')), 'forbidden_address');
  });
});
