import { deepEqual, equal, ok } from 'node:assert/strict';
import { beforeAll, describe, test } from 'vitest';
import { eventually, type Json, json, list, manage, text } from './http.ts';
import { sharedInstance } from './shared/instance.ts';
import type { Running } from './shared/setup.ts';
import { untilServed } from './shared/until-served.ts';
import { queryOf, type WalkedAccount } from './walk/account.ts';
import type { Operation } from './walk/description.ts';
import { each } from './walk/pool.ts';
import { textPlaces } from './walk/texts.ts';
import { startWalk } from './walk/start.ts';
import type { Attempt, Tried, Walker } from './walk/walker.ts';

/** PostgreSQL keeps no U+0000 in a text, and no writer of UTF-8 half of a surrogate pair. */
const unstorable = { 'U+0000': '\0', 'half a pair': '\ud800' };

let sluice: Running;
let operations: readonly Operation[];
let walk: Walker;
let account: WalkedAccount;

beforeAll(async () => {
  sluice = await sharedInstance();
  ({ operations, walk, account } = await startWalk(sluice, ({ answers }) => !answers.has(501)));
});

/**
 * Inference bodies go to a provider as they are and are not stored. Only some of their texts are part of the usage
 * facts.
 */
const isInference = ({ keys, method }: Operation) => method === 'POST' && keys.includes('apiKey');

/** Fails unless the account still reads, writes and infers, and no projection has stopped or set a stream aside. */
async function goesOn(after: string): Promise<void> {
  const made = await manage(sluice, '/keys', { body: { name: 'ordinary' } });
  equal(made.status, 201, `${after}: ${JSON.stringify(made.body)}`);
  const hash = text(made.body['data']?.['hash']);
  const read = await manage(sluice, `/keys/${hash}`);
  equal(read.status, 200, `${after}: ${JSON.stringify(read.body)}`);
  const body = { model: 'sim/echo', input: 'hello' };
  const answer = await json(sluice, '/responses', { key: text(made.body['key']), body });
  equal(answer.status, 200, `${after}: ${JSON.stringify(answer.body)}`);
  const stopped = await metrics('projection_stopped');
  ok(stopped.length > 0);
  deepEqual(
    stopped.filter(([, value]) => value !== 0),
    [],
    after,
  );
}

async function metrics(name: string): Promise<readonly (readonly [string, number])[]> {
  const all = await (await untilServed(() => fetch(`${sluice.adminUrl}/metrics`))).text();
  return all
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`))
    .map((line) => [line, Number(line.split(' ').at(-1))]);
}

const withBody = (isWanted: (operation: Operation) => boolean) =>
  operations.flatMap((operation) => {
    const { body: schema } = operation;
    return schema && isWanted(operation) ? [{ operation, schema }] : [];
  });

const pathsOf = ({ json }: Tried): readonly string[] =>
  list((json as Json)['error']?.['metadata']?.['issues'] ?? []).map(({ path }) => text(path));

test('each is refused in each text of each management body, with its path', async () => {
  let count = 0;
  const wrong: string[] = [];
  for (const { operation, schema } of withBody((one) => !isInference(one))) {
    await account.prepare(operation);
    const valid = account.valid(operation, true);
    const places = [...textPlaces(schema, valid.body)];
    const attempts = Object.entries(unstorable).flatMap(([what, half]) =>
      places.map((place) => ({ what, half, place })),
    );
    await each(attempts, async ({ what, half, place }) => {
      const body = place.with((value) => `${value}${half}`);
      const path = place.path.replace('*', half).replaceAll('\0', '\ufffd').toWellFormed();
      const title = `${operation.title} with ${what} in ${place.path}`;
      const tried = await walk.attempt(operation, { ...valid, what: title, body });
      if (tried.status !== 400 || !pathsOf(tried).includes(path))
        wrong.push(`${title}: ${tried.status} ${JSON.stringify(tried.json)}`.slice(0, 300));
    });
    count += attempts.length;
  }
  deepEqual(wrong.slice(0, 20), []);
  ok(count >= 160, String(count));
  await goesOn('management bodies');
});

describe.each(Object.entries(unstorable))('%s', (what, half) => {
  test('breaks nothing in a path or a query of any operation', async () => {
    const attempts = operations.flatMap((operation) =>
      operation.parameters
        .filter((parameter) => parameter.in !== 'header')
        .map((parameter): [Operation, Attempt] => {
          const { path, query } = account.valid(operation, true);
          const value = `a${half}`.toWellFormed();
          const title = { what: `${what} in ${parameter.name}` };
          if (parameter.in === 'query')
            return [operation, { ...title, path, query: queryOf({ [parameter.name]: value }) }];
          const changed = { ...path, [parameter.name]: encodeURIComponent(value) };
          return [operation, { ...title, path: changed, query: query ?? '' }];
        }),
    );
    ok(attempts.length > 50, String(attempts.length));
    const before = walk.problems.length;
    await each(attempts, ([operation, attempt]) => walk.attempt(operation, attempt));
    deepEqual(walk.problems.slice(before), []);
    await goesOn('paths and queries');
  });

  test('in any text of inference stops neither the account nor its books', async () => {
    const before = walk.problems.length;
    let count = 0;
    for (const { operation, schema } of withBody(isInference)) {
      const valid = account.valid(operation, false);
      const places = [...textPlaces(schema, valid.body)];
      await each(places, async (place) => {
        const body = place.with((value) => `${value}${half}`);
        await walk.attempt(operation, { ...valid, what: `${what} in ${place.path}`, body });
      });
      count += places.length;
    }
    deepEqual(walk.problems.slice(before), []);
    ok(count > 200, String(count));
    await goesOn('inference');
    await isCounted(await generation('hello'));
    deepEqual(await deadLetters(), []);
  });

  test.each(['hello', '[sim:error-400]'])(
    'in a label of a request is left out of its record: %s',
    async (input) => {
      const id = await generation(input, {
        session_id: `ses${half}sion`,
        metadata: { [`na${half}me`]: `val${half}ue` },
      });
      const { data } = (await isCounted(id)).body;
      equal(data?.['session_id'], `ses${half === '\0' ? '' : '\ufffd'}sion`);
      deepEqual(await deadLetters(), []);
    },
  );
});

async function generation(input: string, labels: object = {}): Promise<string> {
  const body = { model: 'sim/echo', input, ...labels };
  const headers = { 'http-referer': 'https://example.com', 'x-title': 'caf\u00e9\u0085' };
  const answer = await json(sluice, '/responses', { body, headers });
  return text(answer.headers.get('x-generation-id') ?? answer.body['id']);
}

/** Returns what the ledger says of a generation. It counts in order: what came before is counted as well. */
const isCounted = (id: string) =>
  eventually(
    () => manage(sluice, `/generation?id=${id}`),
    ({ status }) => status === 200,
  );

/** Returns the lines of metrics that count dead letters, if there are any. */
const deadLetters = async () =>
  (await metrics('ledger_facts_total')).filter(
    ([line, value]) => line.includes('dead_letter') && value !== 0,
  );
