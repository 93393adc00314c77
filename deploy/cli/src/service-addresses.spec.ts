import { equal, rejects } from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { findServices } from './service-addresses.ts';

const env = {
  SLUICE_ACCOUNT_ADDRESS: 'account:7000',
  SLUICE_LEDGER_ADDRESS: '127.0.0.1:7001',
  SLUICE_RPC_TOKEN: 'a-secret',
};
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sluice-cli-'));
  await mkdir(join(directory, 'run'));
  const urls = { postgres_url: '', eventstore_url: '' };
  const addresses = {
    account_address: '127.0.0.1:1',
    ledger_address: '127.0.0.1:2',
    analytics_address: '127.0.0.1:3',
  };
  await writeFile(
    join(directory, 'run', 'connections.json'),
    JSON.stringify({ ...urls, ...addresses, rpc_token: 'of-the-file' }),
  );
});
afterAll(() => rm(directory, { recursive: true, force: true }));

describe('the addresses of the services', () => {
  test('come from the environment, and nothing shows the token', async () => {
    const found = await findServices(env, ['account', 'ledger']);
    equal(found.account, 'account:7000');
    equal(found.ledger, '127.0.0.1:7001');
    equal(found.rpcToken.reveal(), 'a-secret');
    equal(inspect(found).includes('a-secret'), false);
  });

  test('come from the file of a local Sluice where the environment has none', async () => {
    const { SLUICE_LEDGER_ADDRESS } = env;
    const found = await findServices({ SLUICE_DATA_DIR: directory, SLUICE_LEDGER_ADDRESS }, [
      'account',
      'ledger',
      'analytics',
    ]);
    equal(found.account, '127.0.0.1:1');
    equal(found.ledger, SLUICE_LEDGER_ADDRESS);
    equal(found.analytics, '127.0.0.1:3');
    equal(found.rpcToken.reveal(), 'of-the-file');
  });

  test('are refused when they are none', async () => {
    for (const SLUICE_ACCOUNT_ADDRESS of ['http://account:7000', 'account', 'a b:1'])
      await rejects(findServices({ ...env, SLUICE_ACCOUNT_ADDRESS }, ['account', 'ledger']), {
        message: 'SLUICE_ACCOUNT_ADDRESS is not host:port.',
      });
  });

  test('are asked for where nothing runs', async () => {
    const SLUICE_DATA_DIR = join(directory, 'nothing');
    await rejects(findServices({ SLUICE_DATA_DIR }, ['account', 'ledger']), {
      message: /^No Sluice runs on .*, or set SLUICE_ACCOUNT_ADDRESS, .* and SLUICE_RPC_TOKEN\.$/,
    });
  });
});
