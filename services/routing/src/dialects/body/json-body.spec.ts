import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Issues } from './issues.ts';
import { readJsonBody, scanBody, scanTurnBytes } from './json-body.ts';

const mebibyte = 1024 * 1024;
const filled = (text: string, bytes = 4 * mebibyte) => Buffer.alloc(bytes, text, 'utf8');
const inside = (before: string, text: string, after: string) =>
  Buffer.concat([Buffer.from(before), filled(text), Buffer.from(after)]);

async function problemOf(body: Uint8Array): Promise<string> {
  const issues = new Issues();
  readJsonBody(body, issues, await scanBody(body));
  const rejection = issues.rejection();
  return rejection && 'message' in rejection ? rejection.message : 'none';
}

describe('a body that says next to nothing', () => {
  test.each([
    ['white space', filled(' ')],
    ['white space in an object', inside('{"input":"a"', '\n\t ', '}')],
    ['one number', inside('{"input":', '1', '}')],
    ['one fraction', inside('{"input":0.', '0', '1}')],
    ['letters', filled('x')],
    ['colons', filled(':')],
    ['empty strings', filled('""')],
    ['brackets', filled('[')],
    ['zeros', inside('[', '0,', '0]')],
  ])('(%s) is refused when a small part of it is scanned', async (_what, body) => {
    const { bareBytes, values, strings } = await scanBody(body);
    expect(bareBytes + values + strings).toBeLessThan(mebibyte);
    expect(await problemOf(body)).toMatch(/bytes of white space|not valid JSON|levels deep|values/);
  });

  test('is refused with the bound that it exceeds', async () => {
    expect(await problemOf(filled(' '))).toBe(
      'Invalid request: the body has more than 64 bytes of white space and digits a value',
    );
  });
});

describe('a body of very many names', () => {
  const members = (count: number) =>
    `{${Array.from({ length: count }, (_, index) => `"name ${String(index)}":0`).join()}}`;

  test.each([
    [members(500), 'none'],
    [members(501), 'Invalid request: the body has more than 500 fields'],
    [`{"input":${members(4_000)}}`, 'none'],
    [
      `{"a":[${members(4_001)}]}`,
      'Invalid request: the body has an object of more than 4000 fields',
    ],
  ])('is refused beyond a bound', async (text, problem) => {
    expect(await problemOf(Buffer.from(text))).toBe(problem);
  });

  const list = (count: number, entry: (index: number) => string) =>
    Buffer.from(`{"input":[${Array.from({ length: count }, (_, index) => entry(index)).join()}]}`);
  const eight = 'a b c d e f g h'.split(' ');
  const turned = (index: number) => {
    const left = [...eight];
    const names: string[] = [];
    for (let rest = index; left.length > 0; rest = Math.floor(rest / (left.length + 1)))
      names.push(...left.splice(rest % left.length, 1));
    return names;
  };
  const object = (names: readonly string[]) => `{${names.map((name) => `"${name}":0`).join()}}`;

  test.each([
    [
      'objects with a name of its own each',
      list(60_000, (index) => `{"n${String(index)}":0}`),
      /3000 different names/,
    ],
    [
      'names in ever other orders',
      list(30_000, (index) => object(turned(index))),
      /3000 different names/,
    ],
    [
      'names longer than are compared',
      list(5_000, (index) => `{"${'n'.repeat(300)}${String(index)}":0}`),
      /3000 different names/,
    ],
    [
      'different short strings',
      list(60_000, (index) => `"s${String(index)}"`),
      /12000 different strings/,
    ],
    ['objects with the same names', list(20_000, () => object(eight)), /^none$/],
    ['the same short strings', list(60_000, (index) => `"s${String(index % 10_000)}"`), /^none$/],
    [
      'different longer strings',
      list(60_000, (index) => `"a longer string ${String(index)}"`),
      /^none$/,
    ],
  ])('or strings, or none: %s', async (_what, body, problem) => {
    expect(await problemOf(body)).toMatch(problem);
  });

  test('is refused before most of it is scanned', async () => {
    const { values } = await scanBody(Buffer.from(members(200_000)));
    expect(values).toBeLessThan(1_000);
  });
});

test('no body of JSON is refused for a usual indentation', async () => {
  await fc.assert(
    fc.asyncProperty(
      // A value that is a container has two lines, each of at most 6 levels with 4 blanks.
      fc.jsonValue({ maxDepth: 4 }),
      fc.integer({ min: 0, max: 4 }),
      async (value, indent) => {
        // Each value has at least one character, so this count is within the bound of values.
        const count = Math.floor(200_000 / (JSON.stringify(value).length + 1));
        const body = Buffer.from(JSON.stringify({ more: Array(count).fill(value) }, null, indent));
        expect(await problemOf(body)).toBe('none');
      },
    ),
    { numRuns: 30 },
  );
});

test('a large body is scanned in turns, between which others are served', async () => {
  const body = inside('{"input":"', String.raw`\"`, '"}');
  let turns = 0;
  const count = () => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  await scanBody(body);
  clearImmediate(next);
  expect(turns).toBeGreaterThanOrEqual(body.byteLength / scanTurnBytes - 1);
});
