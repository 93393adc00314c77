import { type Answer, type Case, type Dialect, dialects, type Endpoint } from '../testing/case.ts';
import { begins, isSilent, refuses, says } from '../testing/upstream.ts';
import type { WorldOptions } from '../testing/world.ts';
import { one, table } from './words.ts';

const body = { input: 'hello', max_output_tokens: 1_000 };
const each = (
  row: (dialect: Dialect) => Readonly<Record<string, Partial<Case> & { body: object }>>,
) => dialects.flatMap((dialect) => table(`${dialect}/timing`, row(dialect)));
const waits = () => {};
/** On a busy machine a provider must have the request, or the client the first words, before it ends. */
const patienceMs = 2_000;

/** Goes on as soon as its client is known to have left. */
const goesOn = (dialect: Dialect): Answer =>
  begins(dialect, async (response, rest, { left }) => {
    await left;
    response.end(rest);
  });
const endpoint = (dialect: Dialect, cancels: boolean): Endpoint => ({
  dialect,
  provider: `${dialect}-${cancels ? 'stops' : 'goes-on'}`,
  providerFacts: { cancels_streams: cancels },
  answer: cancels ? begins(dialect, waits) : goesOn(dialect),
});
const left = (dialect: Dialect, cancels: boolean): Partial<Case> & { body: object } => ({
  body,
  modes: ['streamed'],
  leavesAfter: 'output_text.delta',
  models: { m: { endpoints: [endpoint(dialect, cancels)] } },
});

/** Worlds whose patience ends while a test looks on; in each, all that happens is that it ends. */
export const timing: readonly (readonly [string, readonly Case[], WorldOptions])[] = [
  [
    'providers that never answer',
    each((dialect) => ({ 'never answers': { body, models: one(dialect, isSilent) } })),
    { limits: { firstOutputTimeoutMs: patienceMs, wholeTimeoutMs: patienceMs } },
  ],
  [
    'providers that stop in the middle',
    each((dialect) => ({
      'stops in the middle': {
        body,
        modes: ['streamed'],
        models: one(dialect, begins(dialect, waits)),
      },
    })),
    { limits: { idleTimeoutMs: patienceMs } },
  ],
  [
    'clients that leave',
    each((dialect) => ({
      'client leaves and it stops': left(dialect, true),
      'client leaves and it goes on': left(dialect, false),
    })),
    {},
  ],
  [
    'a status that is out before the first word',
    each((dialect) => ({
      'answers late': {
        body,
        modes: ['streamed'],
        models: one(dialect, async (asked, response, client) => {
          await client.heard;
          await says(dialect, 'text')(asked, response, client);
        }),
      },
      'refuses late': {
        body,
        modes: ['streamed'],
        models: one(dialect, async (asked, response, client) => {
          await client.heard;
          await refuses(500, {})(asked, response, client);
        }),
        headers: { 'x-service-metadata': 'enabled' },
      },
    })),
    { limits: { statusHeldMs: 50 } },
  ],
];
