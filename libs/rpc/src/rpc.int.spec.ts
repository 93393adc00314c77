import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
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
import {
  FileServiceService,
  UploadFileRequest,
  UploadFileResponse,
} from '@sluice/protos/sluice/workspace/v1/file';
import { eventually } from '@sluice/patience';
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

/** The names of the messages of each stream, and the code of its error. */
const received: string[] = [];
const arrived = new Set<string>();
const { uploadFile } = FileServiceService;
const uploads = { uploadFile };
const files = implement(uploads, {
  async uploadFile(messages) {
    let names = '';
    try {
      for await (const { name } of messages) {
        names += name;
        arrived.add(name);
        if (name === 'refused') throw new Fault('conflict', { message: 'full' });
      }
    } catch (error) {
      received.push(`${names}: ${error instanceof Fault ? error.code : 'error'}`);
      throw error;
    }
    received.push(names);
    return UploadFileResponse.create({ file: { name: names } });
  },
});

const uploader = (token = 't0ken') =>
  rpcClient(uploads, { address: server.address, token, deadlineMs: 1_000 });

const client = (token = 't0ken', address = server.address) =>
  rpcClient(definition, { address, token, deadlineMs: 1_000 });

beforeAll(async () => {
  server = await startRpcServer({
    services: [workspaces, files],
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

describe('a call with a stream', () => {
  async function* named(...names: readonly string[]) {
    for (const name of names) yield await Promise.resolve(UploadFileRequest.create({ name }));
  }

  test('hands over each message, and answers', async () => {
    const { file } = await uploader().uploadFile(named('a', 'b', 'c'));
    deepEqual([file?.name, received.at(-1)], ['abc', 'abc']);
    equal((await uploader().uploadFile(named())).file?.name, '');
  });

  test('sends no faster than the other side reads', async () => {
    const content = Buffer.alloc(1_048_576);
    const { file } = await uploader().uploadFile(
      (async function* () {
        for (let each = 0; each < 40; each += 1)
          yield await Promise.resolve(UploadFileRequest.create({ name: 'x', content }));
      })(),
    );
    equal(file?.name, 'x'.repeat(40));
  });

  test('that fails on the way ends for the other side, and throws its own error', async () => {
    const failing = (async function* () {
      yield* named('begun');
      await eventually(() => ok(arrived.has('begun')));
      throw new TypeError('the sender failed');
    })();
    await rejects(uploader().uploadFile(failing), /the sender failed/);
    await eventually(() => equal(received.at(-1), 'begun'));
  });

  test('that is refused on the way stops, and closes its messages', async () => {
    let isClosed = false;
    const endless = (async function* () {
      try {
        yield* named('refused');
        for (;;) yield UploadFileRequest.create({ name: 'more', content: Buffer.alloc(100_000) });
      } finally {
        isClosed = true;
      }
    })();
    await rejects(uploader().uploadFile(endless), { code: 'conflict', message: 'full' });
    equal(isClosed, true);
  });

  test('is refused without the right token, and can be given up', async () => {
    await rejects(uploader('other').uploadFile(named('a')), { code: 'authentication_invalid' });
    const leaving = new AbortController();
    const waiting = (async function* () {
      yield* named('waiting');
      await eventually(() => ok(arrived.has('waiting')));
      leaving.abort();
      yield* named('unread');
    })();
    await rejects(uploader().uploadFile(waiting, { signal: leaving.signal }));
    await eventually(() => equal(received.at(-1), 'waiting'));
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
