import { Agent, request } from 'node:http';

export interface Answer {
  readonly status: number;
  readonly text: string;
}

export interface Client {
  /** Sends it, with another key when one is given, and reads the whole answer. Throws what is not a success. */
  send(method: string, path: string, body?: object, key?: string): Promise<string>;
  /** The same; what is not a success is an answer like another. */
  ask(method: string, path: string, body?: object, key?: string): Promise<Answer>;
  stop(): void;
}

const connectionsMax = 64;

/** A client that keeps its connections: what is measured is the server. */
export function createClient(baseUrl: string, ownKey: string): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: connectionsMax });
  const ask: Client['ask'] = (method, path, body, key = ownKey) =>
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
          const { statusCode: status = 0 } = response;
          resolve({ status, text: Buffer.concat(chunks).toString() });
        });
      });
      sent.on('error', reject);
      sent.end(text);
    });
  return {
    ask,
    async send(method, path, body, key) {
      const { status, text } = await ask(method, path, body, key);
      if (status >= 200 && status < 300) return text;
      throw new Error(`${method} ${path} answered ${status}: ${text.slice(0, 300)}`);
    },
    stop: () => agent.destroy(),
  };
}
