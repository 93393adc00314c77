import { type Instance, startInstance } from '@sluice/acceptance/instance';
import { type Measure, measured } from '../measure.ts';
import { showProgress } from '../program.ts';
import { noteOf, time, type Timings } from '../timings.ts';
import { type Client, createClient } from './client.ts';
import { measureEndpointLags } from './endpoint-lags.ts';
import { measureLags } from './lags.ts';
import { measureRebuilding } from './rebuilding.ts';

const noLimit = '1000000';
const samples = 500;
const manyInFlight = 16;
const pageKeys = 100;
const wholeLists = 5;

/** Measures a running all-in-one over HTTP, with an account that has so many keys. */
export async function managementBench(keys: number): Promise<readonly Measure[]> {
  const sluice = await startInstance({
    SLUICE_INFERENCE_REQUESTS_PER_MINUTE: noLimit,
    SLUICE_KEY_REQUESTS_PER_MINUTE: noLimit,
    SLUICE_MANAGEMENT_REQUESTS_PER_MINUTE: noLimit,
    SLUICE_PRIVATE_ENDPOINTS_ALLOW: '127.0.0.1',
  });
  const client = createClient(sluice.bootstrap.base_url, sluice.bootstrap.management_key);
  try {
    return await measureAll(keys, sluice, client);
  } finally {
    await client.stop();
    await sluice.dispose();
  }
}

async function measureAll(
  keys: number,
  instance: Instance,
  client: Client,
): Promise<readonly Measure[]> {
  const { bootstrap } = instance;
  showProgress(`${keys} keys are made`);
  const hashes: string[] = [];
  const create = await time({
    count: Math.ceil((keys * 10) / 11),
    inFlight: manyInFlight,
    act: async (index) => {
      const made = await client.send('POST', '/keys', { name: `key ${index}`, limit: 10 });
      hashes.push((JSON.parse(made) as { data: { hash: string } }).data.hash);
    },
  });
  const one = (act: (index: number) => Promise<unknown>) =>
    time({ count: samples, inFlight: 1, act });
  showProgress('a route that asks nobody, the yardstick');
  const root = createClient(new URL(bootstrap.base_url).origin, bootstrap.management_key);
  const bare = await one(() => root.send('GET', '/docs'));
  await root.stop();
  showProgress('lists, reads and changes');
  const hashOf = (index: number) => hashes[(index * 7_919) % hashes.length] ?? '';
  const lastPage = Math.max(0, hashes.length - pageKeys);
  const read = await one((index) => client.send('GET', `/keys/${hashOf(index)}`));
  const list = await one(() => client.send('GET', '/keys'));
  const last = await one(() => client.send('GET', `/keys?offset=${lastPage}`));
  const rename = (index: number) =>
    client.send('PATCH', `/keys/${hashOf(index)}`, { name: `renamed ${index}` });
  const change = await one(rename);
  const changes = await time({ count: samples * 4, inFlight: manyInFlight, act: rename });
  const listAll = async () => {
    for (let offset = 0; offset < hashes.length; offset += pageKeys)
      await client.send('GET', `/keys?offset=${offset}`);
  };
  const all = await time({ count: wholeLists, inFlight: 1, act: listAll });
  showProgress('how soon a change is so everywhere');
  const lags = [...(await measureLags(client)), ...(await measureEndpointLags(client))];
  const of = (name: string, { p50Ms, p99Ms }: Timings, atMost?: number) => {
    const note = `p99 ${p99Ms.toFixed(2)} ms; ${(p50Ms / bare.p50Ms).toFixed(1)} × the yardstick`;
    return measured(`${name}, p50`, p50Ms, 'ms', { atMost, note });
  };
  const inSecond = (name: string, timings: Timings) =>
    measured(`${name}, ${manyInFlight} in flight`, timings.perSecond, '/s', {
      note: noteOf(timings),
    });
  const count = hashes.length.toLocaleString('en');
  return [
    of('yardstick: GET /docs, a route that asks nobody', bare),
    of('GET /keys/{hash}', read),
    of(`GET /keys, the newest 100 of ${count}`, list),
    of('GET /keys, the oldest 100 of them', last),
    of('PATCH /keys/{hash}', change, 8),
    inSecond('PATCH /keys/{hash}', changes),
    inSecond('POST /keys', create),
    of(`GET /keys, all ${count} page by page`, all),
    ...lags,
    await measureRebuilding(instance),
  ];
}
