import { deepEqual, equal, rejects } from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { Fault } from '@sluice/errors';
import {
  CreateWorkspaceRequest,
  Workspace,
  WorkspaceServiceService,
} from '@sluice/protos/sluice/workspace/v1/workspace';
import { createTelemetry } from '@sluice/telemetry';
import { commandContext, implement, rpcClient, startRpcServer, type RpcServer } from './index.ts';

const bugs: string[] = [];
const traces: string[] = [];
const givenUp = Promise.withResolvers<string>();
let server: RpcServer;

const sentContext = {
  commandId: '0190a000-0000-7000-8000-000000000001',
  requestId: 'req-1',
  accountId: 'a',
  actorType: 'system',
  actorId: 'spec',
  traceparent: '',
};

const { createWorkspace, getWorkspace } = WorkspaceServiceService;
const definition = { createWorkspace, getWorkspace };

const workspaces = implement(definition, {
  createWorkspace: async ({ context }) => {
    traces.push(context?.traceparent ?? '');
    throw new TypeError('a secret detail');
  },
  getWorkspace: async ({ accountId, workspaceId }) => {
    if (workspaceId === 'slow' || workspaceId === 'hanging') {
      const { signal, requestId } = commandContext(sentContext, new Date());
      await new Promise((resolve) => {
        signal?.addEventListener('abort', resolve);
      });
      givenUp.resolve(requestId);
      if (workspaceId === 'slow') throw new Fault('event_store_unavailable');
      await new Promise(() => {});
    }
    if (workspaceId === 'missing')
      throw new Fault('not_found', { metadata: { reason: 'gone' }, retryAfterSeconds: 3 });
    return { workspace: Workspace.fromJSON({ workspaceId, accountId, name: 'n', slug: 's' }) };
  },
});

const client = (token = 't0ken', address = server.address) =>
  rpcClient(definition, { address, token, deadlineMs: 1_000 });

beforeAll(async () => {
  server = await startRpcServer({
    services: [workspaces],
    address: '127.0.0.1:0',
    token: 't0ken',
    onBug: (_error, method) => bugs.push(method),
  });
});
afterAll(() => server.stop());

describe('a call', () => {
  test('answers with what the handler returned', async () => {
    const { workspace } = await client().getWorkspace({ accountId: 'a', workspaceId: 'w' });
    equal(workspace?.workspaceId, 'w');
  });

  test('throws the fault of the other side with its code and facts', async () => {
    const error = await client()
      .getWorkspace({ accountId: 'a', workspaceId: 'missing' })
      .catch((thrown: unknown) => thrown as Fault);
    deepEqual(error instanceof Fault && [error.code, error.metadata, error.retryAfterSeconds], [
      'not_found',
      { reason: 'gone' },
      3,
    ]);
  });

  test('tells its handler when the caller has given up', async () => {
    const impatient = { address: server.address, token: 't0ken', deadlineMs: 50 };
    const calling = rpcClient(definition, impatient);
    await rejects(calling.getWorkspace({ accountId: 'a', workspaceId: 'hanging' }), {
      code: 'unavailable',
    });
    equal(await givenUp.promise, 'req-1');
  });

  test('lets its handler say before the deadline why there is no answer', async () => {
    const patient = { address: server.address, token: 't0ken', deadlineMs: 2_000 };
    const calling = rpcClient(definition, patient);
    await rejects(calling.getWorkspace({ accountId: 'a', workspaceId: 'slow' }), {
      code: 'event_store_unavailable',
    });
  });

  test('masks a bug and reports it', async () => {
    const request = CreateWorkspaceRequest.fromJSON({});
    await rejects(client().createWorkspace(request), {
      code: 'internal',
      message: 'Internal Server Error',
    });
    deepEqual(bugs, ['createWorkspace']);
  });

  test('is refused without the right token', async () => {
    await rejects(client('other').getWorkspace({ accountId: 'a', workspaceId: 'w' }), {
      code: 'authentication_invalid',
    });
  });

  test('is unavailable when no server listens', async () => {
    await rejects(client('t', '127.0.0.1:1').getWorkspace({ accountId: 'a', workspaceId: 'w' }), {
      code: 'unavailable',
    });
  });
});

describe('the trace of a command', () => {
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
  const command = CreateWorkspaceRequest.fromPartial({ context: { ...sentContext, traceparent } });

  test.each([false, true])(
    'goes on at the span of the call, if spans are recorded (%s)',
    async (isRecorded) => {
      const receiver = createServer((request, response) => {
        request.resume().on('end', () => response.end('{}'));
      }).listen(0, '127.0.0.1');
      await once(receiver, 'listening');
      const { port } = receiver.address() as AddressInfo;
      const telemetry = createTelemetry({
        serviceName: 'spec',
        otlpEndpoint: isRecorded ? `http://127.0.0.1:${port}` : undefined,
      });
      const { tracing } = telemetry;
      const token = 't0ken';
      const traced = await startRpcServer({
        services: [workspaces],
        address: '127.0.0.1:0',
        token,
        tracing,
        onBug: () => {},
      });
      const { address } = traced;
      const calling = rpcClient(definition, { address, token, tracing, deadlineMs: 1_000 });
      traces.length = 0;
      await rejects(calling.createWorkspace(command), { code: 'internal' });
      await rejects(calling.createWorkspace({ ...command, context: sentContext }));
      const [own = '', none] = traces;
      const traceLength = '00-'.length + 32;
      equal(own.slice(0, traceLength), traceparent.slice(0, traceLength));
      equal(own !== traceparent, isRecorded);
      equal(none, '');
      calling.close();
      await traced.stop();
      await telemetry.stop();
      receiver.closeAllConnections();
      receiver.close();
    },
  );
});
