import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import {
  createServer,
  type IncomingMessage,
  request as forward,
  type ServerResponse,
} from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { listenOnLoopback, type Loopback } from '@sluice/acceptance/loopback';

/** Passes everything on and writes each exchange into a folder outside of here: what agents send is theirs. */
export async function startRecorder(targetUrl: string, folder: string): Promise<Loopback> {
  await mkdir(folder, { recursive: true });
  let count = 0;
  const server = createServer((request, response) => {
    count += 1;
    const to = join(folder, `${String(count).padStart(5, '0')}.json`);
    pass(request, response, targetUrl, to).catch(() => response.destroy());
  });
  return await listenOnLoopback(server);
}

async function pass(
  request: IncomingMessage,
  response: ServerResponse,
  targetUrl: string,
  to: string,
): Promise<void> {
  const { method, url = '/', headers } = request;
  const body = await buffer(request);
  const onward = forward(new URL(url, targetUrl), { method, headers });
  response.once('close', () => onward.destroy());
  onward.end(body);
  const [answer] = (await once(onward, 'response')) as [IncomingMessage];
  response.writeHead(answer.statusCode ?? 502, answer.headers);
  const chunks: Buffer[] = [];
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    response.write(chunk);
  }
  response.end();
  const exchange = {
    method,
    url,
    headers,
    body: body.toString(),
    status: answer.statusCode,
    answerHeaders: answer.headers,
    answer: Buffer.concat(chunks).toString(),
  };
  await writeFile(to, JSON.stringify(exchange, null, 1));
}
