import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Engine } from './engine.ts';
import { readRequest } from './read-request.ts';

/**
 * Answers the HTTP that `@clickhouse/client` speaks, with the engine of the package `chdb`: `main.ts PACKAGES DATA`.
 * With a third argument, statements have no time limit.
 * It writes its port, and ends with its standard input. It is a process of its own, because the engine takes memory and
 * handles signals.
 */
const [packages = '', data = '', endless] = process.argv.slice(2);
const engine = new Engine(packages, data);

const server = createServer({ maxHeaderSize: 4_194_304 }, (incoming, response) => {
  const answer = async () => {
    if (incoming.url === '/ping') return 'Ok.\n';
    const request = await readRequest(incoming, { isEndless: endless !== undefined });
    if (!request.text.startsWith('KILL QUERY')) return await engine.run(request);
    await engine.kill(request.values['id'] ?? '');
    return '';
  };
  answer().then(
    (text) => response.end(text),
    (error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      const code = /Code: (\d+)/.exec(message)?.[1] ?? '1000';
      response.writeHead(500, { 'x-clickhouse-exception-code': code });
      response.end(message);
    },
  );
});

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
process.stdin.resume().on('end', () => process.exit(0));
