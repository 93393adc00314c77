import { createServer } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { listenOnLoopback, type Loopback } from './loopback.ts';

/** Takes whatever telemetry is sent to it. Its URL is for `OTEL_EXPORTER_OTLP_ENDPOINT`. */
export interface Collector extends Loopback {
  /** The bodies, unpacked, in the order in which they came. */
  readonly received: readonly string[];
}

export async function startCollector(): Promise<Collector> {
  const received: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const isZipped = request.headers['content-encoding'] === 'gzip';
      received.push((isZipped ? gunzipSync(body) : body).toString());
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  return { ...(await listenOnLoopback(server)), received };
}
