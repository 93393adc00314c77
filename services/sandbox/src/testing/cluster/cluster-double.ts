import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Pod, PodManifest } from '../../engines/kubernetes/pod.ts';
import { problemsOfPod } from './admission.ts';
import { mayReach, rules } from './manifest.ts';
import { type PodRun, runPod } from './pod-process.ts';

/** Faults of a cluster that the engine has to find out. */
export interface ClusterFaults {
  /** The network plugin ignores policies. */
  readonly ignoresPolicies?: boolean;
  /** Keeps pods from starting, as a missing runtime class or image does. */
  readonly waiting?: { readonly reason: string; readonly message: string };
  /** Volumes in memory have no size. */
  readonly ignoresSizes?: boolean;
  /** The newest protocol of exec that the API speaks. */
  readonly protocol?: string;
}

export interface ClusterDouble {
  readonly url: string;
  /** A folder like that of a service account. */
  readonly accountFolder: string;
  /** Calls that were answered, as `METHOD path?query`. */
  readonly calls: readonly string[];
  podNames(): readonly string[];
  /** The port that the network of the cluster leads to when a pod asks for the egress proxy. */
  proxyPort: number;
  token: string;
  /** Ends the connections of all clients, as the end of their process does. */
  disconnect(): void;
  /** Ends the first process of all pods with a reason that a kubelet tells. */
  evict(): Promise<void>;
  close(): Promise<void>;
}

interface Running {
  readonly manifest: PodManifest;
  readonly address: string;
  run: PodRun | undefined;
  status: Pod['status'];
  isAttached: boolean;
}

const namespace = 'sluice-boxes';
const proxyPort = 3128;

/**
 * A server that answers as the Kubernetes API does to the calls of the engine, in the shapes of its reference (core/v1
 * Pod, Status, and the channels of exec). It asks for the rights that the manifest gives, and refuses pods as the Pod
 * Security Standard `restricted` does. Pods run in namespaces of this machine.
 */
export async function startCluster(
  bwrap: string,
  faults: ClusterFaults = {},
): Promise<ClusterDouble> {
  const pods = new Map<string, Running>();
  const calls: string[] = [];
  const sockets = new Set<WebSocket>();
  const accountFolder = await mkdtemp(join(tmpdir(), 'sluice-account-'));
  const double = { proxyPort: 0, token: 'token-of-the-cluster-double' };
  await writeFile(join(accountFolder, 'token'), `${double.token}\n`);
  await writeFile(join(accountFolder, 'namespace'), namespace);

  const describe = (name: string, { status, manifest }: Running) => ({
    ...manifest,
    metadata: { ...manifest.metadata, name, namespace },
    status,
  });
  const begin = async (one: Running) => {
    if (faults.waiting) {
      one.status = {
        phase: 'Pending',
        containerStatuses: [{ state: { waiting: faults.waiting } }],
      };
      return;
    }
    const { labels } = one.manifest.metadata;
    const reaches = faults.ignoresPolicies === true || mayReach(labels, proxyPort);
    const { manifest, address } = one;
    const sized = faults.ignoresSizes ? withoutSizes(manifest) : manifest;
    const port = reaches ? double.proxyPort : undefined;
    const run = await runPod(sized, { bwrap, address, proxyPort: port });
    one.run = run;
    one.status = {
      phase: 'Running',
      podIP: address,
      podIPs: [{ ip: address }],
      containerStatuses: [{ state: { running: { startedAt: new Date(0).toISOString() } } }],
    };
    void run.ended.then(({ exitCode, isOverMemory }) => {
      const reason = isOverMemory ? 'OOMKilled' : exitCode === 0 ? 'Completed' : 'Error';
      one.status = {
        phase: exitCode === 0 ? 'Succeeded' : 'Failed',
        containerStatuses: [{ state: { terminated: { exitCode, reason } } }],
        ...(one.status?.reason !== undefined && { reason: one.status.reason }),
      };
    });
  };
  const remove = async (name: string) => {
    const one = pods.get(name);
    pods.delete(name);
    await one?.run?.end();
  };

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { path, name, resource } = parts(request);
    const verb = verbOf(request.method ?? '', name);
    calls.push(`${request.method} ${request.url}`);
    const refusal = refusalOf(request, { token: double.token, verb, resource, path });
    if (refusal) return send(response, refusal.code, refusal);
    if (request.method === 'POST') {
      let text = '';
      for await (const chunk of request) text += String(chunk);
      const manifest = JSON.parse(text) as PodManifest;
      const problems = problemsOfPod(manifest);
      if (problems.length > 0)
        return send(
          response,
          403,
          statusOf(403, 'Forbidden', `pods is forbidden: ${problems.join()}`),
        );
      const created = manifest.metadata.name;
      const address = `127.77.0.${(pods.size % 250) + 2}`;
      const one: Running = {
        manifest,
        address: addressFor(
          [...pods.values()].map((other) => other.address),
          address,
        ),
        run: undefined,
        status: { phase: 'Pending' },
        isAttached: false,
      };
      pods.set(created, one);
      void begin(one);
      return send(response, 201, describe(created, one));
    }
    if (request.method === 'DELETE' && name === undefined) {
      await Promise.all([...pods.keys()].map(remove));
      return send(response, 200, { kind: 'PodList', apiVersion: 'v1', items: [] });
    }
    const one = name === undefined ? undefined : pods.get(name);
    if (name === undefined || one === undefined)
      return send(response, 404, statusOf(404, 'NotFound', `pods "${name}" not found`));
    const described = describe(name, one);
    if (request.method === 'DELETE') await remove(name);
    return send(response, 200, described);
  };

  const upgrades = new WebSocketServer({
    noServer: true,
    handleProtocols: (offered) => {
      const spoken = faults.protocol ?? 'v5.channel.k8s.io';
      return offered.has(spoken) ? spoken : false;
    },
  });
  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) =>
      send(response, 500, statusOf(500, 'InternalError', String(error))),
    );
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const { path, name, resource, query } = parts(request);
    calls.push(`${request.method} ${request.url}`);
    // Both verbs: before and since Kubernetes 1.35.
    for (const verb of ['get', 'create'])
      if (refusalOf(request, { token: double.token, verb, resource, path }))
        return void socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n');
    const one = pods.get(name ?? '');
    if (!one?.run) return void socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n');
    const { run } = one;
    upgrades.handleUpgrade(request, socket, head, (client) => {
      sockets.add(client);
      client.once('close', () => sockets.delete(client));
      client.on('error', () => undefined);
      if (resource === 'pods/attach') attach(one, run, client);
      // A container that has just ended: the kubelet breaks the connection.
      else exec(run, query.getAll('command'), client).catch(() => client.terminate());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(double, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    accountFolder,
    calls,
    podNames: () => [...pods.keys()],
    disconnect() {
      for (const socket of sockets) socket.terminate();
    },
    async evict() {
      for (const one of pods.values()) {
        one.status = { ...one.status, reason: 'Evicted' };
        await one.run?.end();
      }
    },
    async close() {
      await Promise.all([...pods.keys()].map(remove));
      for (const socket of sockets) socket.terminate();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await rm(accountFolder, { recursive: true, force: true });
    },
  });
}

/** The input of the first process: it ends with the first client that attaches to it (`stdinOnce`). */
function attach(one: Running, run: PodRun, client: WebSocket): void {
  if (one.isAttached) return client.close();
  one.isAttached = true;
  client.on('message', (data: Buffer) => {
    if (data[0] === 0) run.stdin.write(data.subarray(1));
  });
  client.once('close', () => run.stdin.end());
  void run.ended.then(() => client.close(1_000));
}

async function exec(run: PodRun, argv: readonly string[], client: WebSocket): Promise<void> {
  const early: Buffer[] = [];
  const keep = (data: Buffer) => void early.push(data);
  client.on('message', keep);
  const program = await run.exec(argv);
  const take = (data: Buffer) => {
    if (data[0] === 0) program.stdin.write(data.subarray(1));
    if (data[0] === 255) program.stdin.end();
  };
  client.off('message', keep).on('message', take);
  early.forEach(take);
  const pass = (channel: number, stream: NodeJS.ReadableStream) => {
    stream.on('data', (chunk: Buffer) => {
      if (client.readyState === client.OPEN)
        client.send(Buffer.concat([Buffer.of(channel), chunk]));
    });
    return new Promise<void>((resolve) => void stream.once('close', resolve));
  };
  const closed = [pass(1, program.stdout), pass(2, program.stderr)];
  const code = await program.exited;
  await Promise.all(closed);
  const status =
    code === 0
      ? { metadata: {}, status: 'Success' }
      : {
          metadata: {},
          status: 'Failure',
          message: `command terminated with non-zero exit code: exit status ${code}`,
          reason: 'NonZeroExitCode',
          details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
        };
  client.send(Buffer.concat([Buffer.of(3), Buffer.from(JSON.stringify(status))]));
  client.close(1_000);
}

function parts(request: IncomingMessage) {
  const url = new URL(request.url ?? '/', 'http://api');
  const match = /^\/api\/v1\/namespaces\/([^/]+)\/pods(?:\/([^/]+)(?:\/(exec|attach))?)?$/.exec(
    url.pathname,
  );
  const [, inNamespace, name, sub] = match ?? [];
  const resource = sub === undefined ? 'pods' : `pods/${sub}`;
  return { path: inNamespace, name, resource, query: url.searchParams };
}

function verbOf(method: string, name: string | undefined): string {
  if (method === 'POST') return 'create';
  if (method === 'DELETE') return name === undefined ? 'deletecollection' : 'delete';
  return name === undefined ? 'list' : 'get';
}

function refusalOf(
  request: IncomingMessage,
  asked: { token: string; verb: string; resource: string; path: string | undefined },
) {
  if (request.headers.authorization !== `Bearer ${asked.token}`)
    return statusOf(401, 'Unauthorized', 'Unauthorized');
  const { verb, resource, path } = asked;
  const isAllowed =
    path === namespace &&
    rules.some((rule) => rule.resources.includes(resource) && rule.verbs.includes(verb));
  const words = `${resource} is forbidden: User cannot ${verb} in the namespace "${path}"`;
  return isAllowed ? undefined : statusOf(403, 'Forbidden', words);
}

const statusOf = (code: number, reason: string, message: string) =>
  ({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason,
    code,
  }) as const;

function send(response: ServerResponse, code: number, body: object): void {
  response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function addressFor(taken: readonly string[], wanted: string): string {
  let address = wanted;
  for (let last = 2; taken.includes(address); last++) address = `127.77.0.${last}`;
  return address;
}

function withoutSizes(manifest: PodManifest): PodManifest {
  const volumes = [{ name: 'memory', emptyDir: { medium: 'Memory', sizeLimit: String(2 ** 31) } }];
  return { ...manifest, spec: { ...manifest.spec, volumes } };
}
