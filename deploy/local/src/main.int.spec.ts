import { deepEqual, equal, match } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, onTestFinished, test } from 'vitest';
import { AccountServiceService } from '@sluice/protos/sluice/account/v1/account';
import { KeyServiceService } from '@sluice/protos/sluice/key/v1/key';
import { LedgerServiceService } from '@sluice/protos/sluice/ledger/v1/ledger';
import { WorkspaceServiceService } from '@sluice/protos/sluice/workspace/v1/workspace';
import { type RpcServer, type RpcService, startRpcServer } from '@sluice/rpc';
import { bareEnvironment } from '@sluice/testing/bare-environment';
import { OrganizationRegistry } from './testing/organization-registry.ts';

const token = 'a-token-of-the-spec';
const program = join(import.meta.dirname, 'main.ts');
let folder: string;
let registry: OrganizationRegistry;
let rpc: RpcServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-bootstrap-'));
  registry = new OrganizationRegistry();
  rpc = await startRpcServer({
    address: '127.0.0.1:0',
    token,
    onBug: () => undefined,
    services: [
      offered(AccountServiceService, registry.calls.accounts),
      offered(WorkspaceServiceService, registry.calls.workspaces),
      offered(KeyServiceService, registry.calls.keys),
      offered(LedgerServiceService, registry.calls.ledger),
    ],
  });
});
afterAll(async () => {
  await rpc.stop();
  await rm(folder, { recursive: true });
});

const models = JSON.stringify({ data: [{ id: 'sim/other' }, { id: 'sim/echo' }] });
const gateways: readonly {
  readonly what: string;
  readonly answers: RequestListener;
  readonly model: string;
}[] = [
  {
    what: 'lists its models',
    answers: (_request, response) => void response.end(models),
    model: 'sim/echo',
  },
  {
    what: 'is not ready',
    answers: (_request, response) => void response.writeHead(503).end('{"error":{}}'),
    model: 'author/model',
  },
  {
    what: 'is something else',
    answers: (_request, response) => void response.end('<html>'),
    model: 'author/model',
  },
  {
    what: 'drops the connection',
    answers: (request) => void request.socket.destroy(),
    model: 'author/model',
  },
  { what: 'never answers', answers: () => undefined, model: 'author/model' },
];

describe('the bootstrap', () => {
  test.for(gateways)(
    'succeeds where the gateway $what, in a directory that it makes',
    async ({ what, answers, model }) => {
      const dataDirectory = join(folder, what.replaceAll(' ', '-'), 'not', 'there');
      const baseUrl = await gateway(answers);
      const { code, out, error } = await bootstrap(dataDirectory, { SLUICE_BASE_URL: baseUrl });
      deepEqual([code, error], [0, '']);
      match(out, new RegExp(`^Base URL +${baseUrl}\n`, 'm'));
      match(out, /^API key +\S+$/m);
      equal(out.includes(`{"model":"${model}",`), true);
      const file = join(dataDirectory, 'bootstrap.json');
      match(await readFile(file, 'utf8'), /"management_key"/);
      equal((await stat(dataDirectory)).mode & 0o777, 0o700);
    },
  );

  test('asks the gateway at SLUICE_GATEWAY_URL where that is given', async () => {
    const near = await gateway((_request, response) => void response.end(models));
    const { code, out } = await bootstrap(join(folder, 'near'), {
      SLUICE_BASE_URL: 'http://127.0.0.1:1/v1',
      SLUICE_GATEWAY_URL: near,
    });
    equal(code, 0);
    match(out, /^curl http:\/\/127\.0\.0\.1:1\/v1\/responses .*sim\/echo/m);
  });

  test('that is repeated makes nothing, and prints the same keys', async () => {
    const settings = { SLUICE_BASE_URL: 'http://127.0.0.1:1/v1' };
    const first = await bootstrap(join(folder, 'again'), settings);
    const made = registry.keys.size;
    deepEqual(await bootstrap(join(folder, 'again'), settings), first);
    equal(registry.keys.size, made);
  });

  test('says what is missing when it fails, and ends with 1', async () => {
    const settings = { SLUICE_BASE_URL: 'http://127.0.0.1:1/v1', SLUICE_RPC_TOKEN: 'another' };
    const { code, out, error } = await bootstrap(join(folder, 'refused'), settings);
    deepEqual([code, out], [1, '']);
    match(error, /^[^\n]+\n$/);
  });
});

/** A service that offers what the bootstrap calls, and nothing else. */
function offered(definition: RpcService['definition'], calls: object): RpcService {
  const refuse = () => Promise.reject(new Error('the bootstrap does not call this'));
  const names = Object.keys(definition);
  const all = Object.fromEntries(names.map((name) => [name, refuse]));
  return { definition, handlers: { ...all, ...calls } };
}

async function gateway(answers: RequestListener): Promise<string> {
  const server = createServer(answers);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

async function bootstrap(dataDirectory: string, settings: Readonly<Record<string, string>>) {
  const env = {
    ...bareEnvironment,
    SLUICE_DATA_DIR: dataDirectory,
    SLUICE_RPC_TOKEN: token,
    SLUICE_ACCOUNT_ADDRESS: rpc.address,
    SLUICE_WORKSPACE_ADDRESS: rpc.address,
    SLUICE_KEY_ADDRESS: rpc.address,
    SLUICE_LEDGER_ADDRESS: rpc.address,
    ...settings,
  };
  return await new Promise<{ code: unknown; out: string; error: string }>((resolve) => {
    execFile(process.execPath, [program], { env }, (failure, out, error) => {
      resolve({ code: failure ? failure.code : 0, out, error });
    });
  });
}
