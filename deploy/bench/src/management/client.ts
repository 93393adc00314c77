import { Agent, request } from 'undici';

export interface Answer {
  readonly status: number;
  readonly text: string;
}

export interface Client {
  /** Sends it, with another key when one is given, and reads the whole answer. Throws what is not a success. */
  send(method: Method, path: string, body?: object, key?: string): Promise<string>;
  /** The same; what is not a success is an answer like another. */
  ask(method: Method, path: string, body?: object, key?: string): Promise<Answer>;
  stop(): Promise<void>;
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

const connectionsMax = 64;

/** A client that keeps its connections: what is measured is the server. */
export function createClient(baseUrl: string, ownKey: string): Client {
  const dispatcher = new Agent({ connections: connectionsMax });
  const ask: Client['ask'] = async (method, path, body, key = ownKey) => {
    const answer = await request(`${baseUrl}${path}`, {
      dispatcher,
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    return { status: answer.statusCode, text: await answer.body.text() };
  };
  return {
    ask,
    async send(method, path, body, key) {
      const { status, text } = await ask(method, path, body, key);
      if (status >= 200 && status < 300) return text;
      throw new Error(`${method} ${path} answered ${status}: ${text.slice(0, 300)}`);
    },
    stop: () => dispatcher.destroy(),
  };
}
