import { createServer } from 'node:http';
import { Transform } from 'node:stream';
import { connectingMax } from '@sluice/boot';
import { connectBus } from '@sluice/bus';
import { systemIds } from '@sluice/clock-and-ids';
import { openSpool } from '@sluice/spool';
import fastify from 'fastify';
import { Agent } from 'undici';
import { FloorBooks, type Usage } from './floor-books.ts';
import { shedLoad } from './floor-shedding.ts';

/**
 * `floor-proxy.ts PORT ADMIN-PORT UPSTREAM-URL SPOOL-FOLDER NATS-URL NATS-TOKEN` is the bare proxy with exact books and
 * nothing else. The first byte of an answer waits until the request is on disk, its end until its usage is, and the
 * usage goes to the ledger by the broker. It sheds load as Sluice does. There are no keys, limits, guardrails, prices
 * or leases, and no log.
 */
const [port, adminPort, upstreamUrl = '', directory = '', url = '', token = ''] =
  process.argv.slice(2);
const bodyBytesMax = 32 * 1024 * 1024;
const lastEvent = 'event: response.completed';
const data = 'data: ';

const onLog = () => undefined;
const logger = { info: onLog, warn: onLog, error: onLog };
const bus = await connectBus({ url, token, name: 'floor', logger });
const spool = await openSpool({ directory, onFatal: end });
const books = new FloorBooks(spool, bus);
books.publish().catch(end);

const agent = new Agent({ connections: 1_024 });
const app = fastify({
  bodyLimit: bodyBytesMax,
  serverFactory: (serve) => createServer(shedLoad(serve)),
});
app.post('/v1/responses', async (request, reply) => {
  const generationId = `gen-${systemIds.next()}`;
  const admittedAt = new Date().toISOString();
  const opened = books.open(generationId, admittedAt);
  opened.catch(end);
  const { statusCode, headers, body } = await agent.request({
    origin: upstreamUrl,
    path: '/v1/responses',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request.body),
  });
  const settle = (usage: Usage) => books.settle(generationId, admittedAt, usage);
  const type = String(headers['content-type']);
  void reply.code(statusCode).header('content-type', type);
  if (type.startsWith('text/event-stream')) {
    books.hurry();
    await opened;
    return reply.send(body.pipe(endsWhenSettled(settle)));
  }
  const text = await body.text();
  // Both are on disk with one sync.
  await settle(usageOf(JSON.parse(text)));
  return reply.send(text);
});

/** Passes on a stream. Its last event waits until the usage in it is on disk. */
function endsWhenSettled(settle: (usage: Usage) => Promise<void>): Transform {
  let last = '';
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const at = last === '' ? chunk.indexOf(lastEvent) : 0;
      if (at === -1) return done(null, chunk);
      last += chunk.toString('utf8', at);
      done(null, chunk.subarray(0, at));
    },
    flush(done) {
      const from = last.indexOf(data) + data.length;
      const { response } = JSON.parse(last.slice(from, last.indexOf('\n', from)));
      settle(usageOf(response)).then(() => done(null, last), done);
    },
  });
}

function usageOf(answer: { readonly usage: Usage }): Usage {
  return answer.usage;
}

function end(error: unknown): void {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
}

const admin = fastify();
admin.get('/metrics', async () =>
  [`usage_uncounted ${books.uncounted}`, `usage_spool_bytes ${spool.bytes()}`, ''].join('\n'),
);
await admin.listen({ host: '127.0.0.1', port: Number(adminPort) });
await app.listen({ host: '127.0.0.1', port: Number(port), backlog: connectingMax });
process.on('SIGTERM', () => process.exit(0));
process.stdout.write('Ready for connections\n');
