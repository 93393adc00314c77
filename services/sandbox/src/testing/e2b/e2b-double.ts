import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Program, Space } from '../space.ts';
import { startMachine } from './machine-process.ts';

export interface E2bDouble {
  readonly url: string;
  readonly apiKey: string;
  /** Bodies of the sandboxes that were asked for, and times by which their lives were renewed. */
  readonly created: readonly Readonly<Record<string, unknown>>[];
  readonly renewed: readonly number[];
  machineIds(): readonly string[];
  /** Programs that run in machines. */
  programCount(): number;
  /** Ends all machines, as the end of their lifetime does. */
  expire(): Promise<void>;
  close(): Promise<void>;
}

export interface TemplateOfDouble {
  readonly cpuCount: number;
  readonly memoryMB: number;
}

interface Machine {
  readonly space: Space;
  readonly token: string;
  readonly programs: Map<number, Program>;
  isOver: boolean;
}

/**
 * A server that answers as E2B does to the calls of its SDK: the API of sandboxes (`POST /v2/sandboxes` and its like,
 * as in the SDK's OpenAPI types) and the process service of a machine in Connect's JSON.
 */
export async function startE2b(bwrap: string, template: TemplateOfDouble): Promise<E2bDouble> {
  const apiKey = `e2b_${'0123456789abcdef'.repeat(2)}01234567`;
  const machines = new Map<string, Machine>();
  const created: Record<string, unknown>[] = [];
  const renewed: number[] = [];
  const end = async (id: string) => {
    const machine = machines.get(id);
    machines.delete(id);
    if (machine) machine.isOver = true;
    machine?.space.kill();
    await machine?.space.ended;
  };

  const api = async (request: IncomingMessage, response: ServerResponse, path: string) => {
    if (request.headers['x-api-key'] !== apiKey) return json(response, 401, failure(401));
    const [, id = '', sub] = /^\/sandboxes\/([^/]+)(?:\/(timeout))?$/.exec(path) ?? [];
    if (request.method === 'POST' && path === '/v2/sandboxes') {
      const body = JSON.parse(await textOf(request)) as Record<string, unknown>;
      created.push(body);
      const space = await startMachine(bwrap, template);
      const sandboxID = `i${randomBytes(9).toString('hex')}`;
      const machine = {
        space,
        token: randomBytes(16).toString('hex'),
        programs: new Map(),
        isOver: false,
      };
      machines.set(sandboxID, machine);
      const { templateID } = body;
      const described = {
        templateID,
        sandboxID,
        clientID: 'c',
        envdVersion: '0.5.8',
        domain: null,
      };
      return json(response, 201, { ...described, envdAccessToken: machine.token });
    }
    if (!machines.has(id)) return json(response, 404, failure(404));
    if (request.method === 'DELETE') await end(id);
    else if (sub === 'timeout')
      renewed.push((JSON.parse(await textOf(request)) as { timeout: number }).timeout);
    else return json(response, 200, { ...detailsOf(id), ...template });
    response.writeHead(204).end();
  };

  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://e2b');
    const id = String(request.headers['e2b-sandbox-id'] ?? '');
    const machine = machines.get(id);
    const answered = /^\/(?:v2\/)?sandboxes/.test(pathname)
      ? api(request, response, pathname)
      : machine === undefined
        ? // The router in front of the machines.
          Promise.resolve(json(response, 502, failure(502)))
        : envd(machine, { request, response, path: pathname });
    answered.catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const expire = async () => {
    await Promise.all([...machines.keys()].map(end));
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    apiKey,
    created,
    renewed,
    machineIds: () => [...machines.keys()],
    programCount: () => [...machines.values()].reduce((sum, one) => sum + one.programs.size, 0),
    expire,
    async close() {
      await expire();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

interface Call {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
}

/** The daemon of a machine. */
async function envd(machine: Machine, { request, response, path }: Call): Promise<void> {
  if (path === '/health') return void response.writeHead(204).end();
  if (request.headers['x-access-token'] !== machine.token)
    return json(response, 401, { code: 'unauthenticated', message: 'unauthenticated' });
  if (path === '/process.Process/Start') return start(machine, request, response);
  const body = JSON.parse(await textOf(request)) as {
    process: { pid: number };
    input?: { stdin?: string };
  };
  const program = machine.programs.get(body.process.pid);
  if (!program) return json(response, 404, { code: 'not_found', message: 'no such process' });
  if (path === '/process.Process/SendInput')
    program.stdin.write(Buffer.from(body.input?.stdin ?? '', 'base64'));
  else if (path === '/process.Process/SendSignal') program.kill();
  else return json(response, 404, { code: 'unimplemented', message: path });
  json(response, 200, {});
}

interface StartRequest {
  readonly process: {
    readonly cmd: string;
    readonly args: readonly string[];
    readonly cwd?: string;
  };
}

/** Users by the names that the SDK sends: `user:` in the header of basic access. */
const usersById: Readonly<Record<string, number>> = { root: 0, user: 1_000 };
let pids = 100;

async function start(
  machine: Machine,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { process } = JSON.parse((await bytesOf(request)).subarray(5).toString()) as StartRequest;
  const credentials = request.headers.authorization?.replace('Basic ', '') ?? '';
  const name = Buffer.from(credentials, 'base64').toString().replace(/:$/, '') || 'user';
  const id = String(usersById[name]);
  const become = ['setpriv', '--reuid', id, '--regid', id, '--clear-groups', '--'];
  const folder = ['sh', '-c', 'cd "$0" && exec "$@"', process.cwd ?? '/'];
  const program = await machine.space.exec([...folder, ...become, process.cmd, ...process.args]);
  const pid = ++pids;
  machine.programs.set(pid, program);
  response.writeHead(200, { 'content-type': 'application/connect+json' });
  const say = (message: object, flags = 0) => {
    const text = Buffer.from(JSON.stringify(message));
    const head = Buffer.alloc(5);
    head.writeUInt8(flags, 0);
    head.writeUInt32BE(text.length, 1);
    response.write(Buffer.concat([head, text]));
  };
  say({ event: { start: { pid } } });
  const pass = (channel: 'stdout' | 'stderr') => {
    const stream = program[channel];
    stream.on('data', (chunk: Buffer) =>
      say({ event: { data: { [channel]: chunk.toString('base64') } } }),
    );
    return new Promise<void>((resolve) => void stream.once('close', resolve));
  };
  const closed = [pass('stdout'), pass('stderr')];
  const exitCode = await program.exited;
  await Promise.all(closed);
  machine.programs.delete(pid);
  // With a machine its daemon ends: nothing says how the process ended.
  if (machine.isOver) return void response.destroy();
  say({ event: { end: { exitCode, exited: true, status: `exit status ${exitCode}` } } });
  say({}, 2);
  response.end();
}

const detailsOf = (sandboxID: string) => ({
  templateID: 'boxes',
  sandboxID,
  clientID: 'c',
  startedAt: new Date(0).toISOString(),
  endAt: new Date(0).toISOString(),
  envdVersion: '0.5.8',
  diskSizeMB: 1_024,
  state: 'running',
});

const failure = (code: number) => ({ code, message: `the double answers ${code}` });

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const textOf = async (request: IncomingMessage) => (await bytesOf(request)).toString();

function json(response: ServerResponse, code: number, body: object): void {
  response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
