import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runningCommit } from './running-commit.ts';

/** Reasons of another process come later. */
type Reasons = readonly string[] | Promise<readonly string[]>;

export interface AdminOptions {
  readonly host: string;
  readonly port: number;
  /** Reasons for which nothing is served: `/readyz` answers 503 with them. */
  readonly unreadiness: () => Reasons;
  /** Reasons for which only a part is served: `/readyz` answers 200 and names them. */
  readonly degradation?: () => Reasons;
  readonly metrics: () => Promise<string>;
  /** The commit of the running sources. Empty: it is unknown. */
  readonly commit?: Promise<string>;
}

export interface AdminServer {
  readonly port: number;
  stop(): Promise<void>;
}

async function readinessOf({
  unreadiness,
  degradation,
}: AdminOptions): Promise<[status: number, answer: object]> {
  const [unready, partly] = await Promise.all([unreadiness(), degradation?.()]);
  const reasons = [...new Set(unready)];
  const degraded = [...new Set(partly)];
  if (reasons.length > 0) return [503, { status: 'not ready', reasons: [...reasons, ...degraded] }];
  if (degraded.length > 0) return [200, { status: 'degraded', reasons: degraded }];
  return [200, { status: 'ready' }];
}

/** Longer than the idle time of usual load balancers (60 s): they close a connection first, never we. */
const keepAliveTimeoutMs = 72_000;

/** `/livez`, `/readyz`, `/metrics` and `/version` on a port of their own. GET and HEAD; a query does not count. */
export async function startAdmin(options: AdminOptions): Promise<AdminServer> {
  const { commit = runningCommit(process.env) } = options;
  const server = createServer({ keepAliveTimeout: keepAliveTimeoutMs }, (request, response) => {
    const answer = (status: number, type: string, body: string) =>
      response
        .writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) })
        .end(body);
    const json = (status: number, body: object) =>
      answer(status, 'application/json', JSON.stringify(body));
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD');
      return void json(405, { error: 'only GET and HEAD' });
    }
    switch (request.url?.split('?', 1)[0]) {
      case '/livez':
        return void json(200, { status: 'live' });
      case '/readyz':
        readinessOf(options).then(
          (answered) => json(...answered),
          () => json(500, { error: 'readiness could not be read' }),
        );
        return;
      case '/metrics':
        options.metrics().then(
          (text) => answer(200, 'text/plain; version=0.0.4; charset=utf-8', text),
          () => json(500, { error: 'metrics could not be read' }),
        );
        return;
      case '/version':
        return void commit.then((known) => json(200, { commit: known }));
      default:
        return void json(404, { error: 'no such path: /livez, /readyz, /metrics, /version' });
    }
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject).listen(options.port, options.host, resolve);
  await promise;
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
