import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { lineOf } from './taken.ts';

/**
 * `receiver-main.ts FOLDER PORT`: takes webhooks, and writes each generation into the file of its path before it
 * answers. A kill forgets nothing that was answered.
 */
const [folder = '', port = ''] = process.argv.slice(2);

createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('error', () => undefined);
  request.on('end', () => {
    const { generations } = JSON.parse(Buffer.concat(chunks).toString()) as {
      readonly generations: readonly Readonly<Record<string, unknown>>[];
    };
    const lines = generations.map((one) => lineOf(String(one['id']), 'input' in one));
    appendFileSync(join(folder, (request.url ?? '').slice(1)), lines.join(''));
    response.end('{}');
  });
}).listen(Number(port), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
