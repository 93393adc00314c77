import fastify from 'fastify';
import { Agent } from 'undici';

/**
 * `bare-proxy.ts PORT UPSTREAM-URL` does the least that a gateway in this language does: it parses the request, calls
 * the upstream and passes on the answer. It has no keys, no limits and no books.
 */
const [port = '', upstreamUrl = ''] = process.argv.slice(2);
const bodyBytesMax = 32 * 1024 * 1024;
const agent = new Agent({ connections: 1_024 });
const app = fastify({ bodyLimit: bodyBytesMax });
app.post('/v1/responses', async (request, reply) => {
  const { statusCode, headers, body } = await agent.request({
    origin: upstreamUrl,
    path: '/v1/responses',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request.body),
  });
  const type = String(headers['content-type']);
  void reply.code(statusCode).header('content-type', type);
  return reply.send(type.startsWith('text/event-stream') ? body : await body.text());
});
await app.listen({ host: '127.0.0.1', port: Number(port) });
process.on('SIGTERM', () => process.exit(0));
process.stdout.write('Ready for connections\n');
