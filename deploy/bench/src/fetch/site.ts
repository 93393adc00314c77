import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { samplePage } from './page.ts';

// Serves the sample page from a process of its own, and tells its parent the port.
const page = Buffer.from(samplePage());
const server = createServer((_request, response) => {
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end(page);
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
