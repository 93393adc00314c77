import fastify from 'fastify';
import { Agent } from 'undici';

const bodyBytesMax = 32 * 1024 * 1024;

/**
 * The least that a gateway in this language does: parse the request, call the upstream, pass on what it
 * answers. No keys, no limits, no books. Resolves with its port.
 */
export async function startBareProxy(upstreamUrl: string): Promise<number> {
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
  await app.listen({ host: '127.0.0.1', port: 0 });
  const address = app.server.address();
  return typeof address === 'object' && address ? address.port : 0;
}
