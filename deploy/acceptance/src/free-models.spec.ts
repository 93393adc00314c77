import { deepEqual, equal, ok } from 'node:assert/strict';
import { beforeAll, test } from 'vitest';
import { type Answer, eventually, json } from './http.ts';
import { sharedInstance } from './shared/instance.ts';
import type { Running } from './shared/setup.ts';

let sluice: Running;
beforeAll(async () => {
  sluice = await sharedInstance();
});

const perMinute = 20;
const ask = () => json(sluice, '/responses', { body: { model: 'sim/echo:free', input: 'hello' } });

test('free models are served up to their limit, which a 429 and GET /key tell', async () => {
  let served = 0;
  let answer: Answer | undefined;
  // A minute may end in between: then as many are served again.
  while (served <= 2 * perMinute) {
    answer = await ask();
    if (answer.status !== 200) break;
    served += 1;
  }
  equal(answer?.status, 429, JSON.stringify(answer?.body));
  ok(served >= perMinute, `served ${served}`);
  const header = (name: string) => Number(answer?.headers.get(name));
  equal(header('x-ratelimit-limit'), perMinute);
  equal(header('x-ratelimit-remaining'), 0);
  equal(header('x-ratelimit-reset') % 60_000, 0);
  ok(header('retry-after') >= 1 && header('retry-after') <= 60);
  const quota = async () =>
    (await json(sluice, '/key')).body['data']?.['free_model_daily_requests'];
  const told = await eventually(quota, (found) => Number(found?.['used']) >= served);
  deepEqual(told, { limit: 50, used: served, remaining: 50 - served });
});
