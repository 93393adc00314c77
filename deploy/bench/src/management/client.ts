import { Agent, request } from 'node:http';

export interface Client {
  /** Sends it, with another key when one is given, and reads the whole answer. Throws what is not a success. */
  send(method: string, path: string, body?: object, key?: string): Promise<string>;
  stop(): void;
}

const connectionsMax = 64;

/** A client that keeps its connections: what is measured is the server. */
export function createClient(baseUrl: string, ownKey: string): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: connectionsMax });
  return {
    send: (method, path, body, key = ownKey) =>
      new Promise((resolve, reject) => {
        const text = body === undefined ? undefined : JSON.stringify(body);
        const headers = {
          authorization: `Bearer ${key}`,
          ...(text === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
        };
        const sent = request(`${baseUrl}${path}`, { method, agent, headers }, (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const answer = Buffer.concat(chunks).toString();
            const { statusCode: status = 0 } = response;
            if (status >= 200 && status < 300) resolve(answer);
            else reject(new Error(`${method} ${path} answered ${status}: ${answer.slice(0, 300)}`));
          });
        });
        sent.on('error', reject);
        sent.end(text);
      }),
    stop: () => agent.destroy(),
  };
}
