import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface TransitServer {
  /** The address of the engine. */
  readonly url: string;
  rotate(): void;
  lose(): void;
  /** Answers each question so, instead of as it should. */
  answerWith(answer: ((response: ServerResponse) => void) | undefined): void;
  readonly asked: readonly string[];
  stop(): Promise<void>;
}

interface Reply {
  readonly status: number;
  readonly body: object;
}

interface Asked {
  readonly plaintext?: string;
  readonly ciphertext?: string;
  readonly associated_data?: string;
}

const bytes = (base64 = '') => Buffer.from(base64, 'base64');

/** A key management service with one key `sluice`, as the transit engine speaks over HTTP. */
export async function startTransitServer(token: string): Promise<TransitServer> {
  let keys = [randomBytes(32)];
  let firstVersion = 1;
  let answer: ((response: ServerResponse) => void) | undefined;
  const asked: string[] = [];

  const respond = async (request: IncomingMessage): Promise<Reply> => {
    asked.push(`${request.method} ${request.url}`);
    if (request.headers['x-vault-token'] !== token)
      return { status: 403, body: { errors: ['permission denied'] } };
    if (request.method === 'GET') {
      const latest_version = firstVersion + keys.length - 1;
      return { status: 200, body: { data: { latest_version } } };
    }
    const body = (await json(request)) as Asked;
    switch (request.url) {
      case '/v1/transit/encrypt/sluice':
        return encrypt(body);
      case '/v1/transit/decrypt/sluice':
        return decrypt(body);
      default:
        return { status: 404, body: { errors: [] } };
    }
  };
  const encrypt = ({ plaintext, associated_data: context }: Asked): Reply => {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', keys.at(-1) ?? '', nonce).setAAD(bytes(context));
    const text = [nonce, cipher.update(bytes(plaintext)), cipher.final(), cipher.getAuthTag()];
    const version = firstVersion + keys.length - 1;
    const ciphertext = `vault:v${version}:${Buffer.concat(text).toString('base64')}`;
    return { status: 200, body: { data: { ciphertext, key_version: version } } };
  };
  const decrypt = ({ ciphertext = '', associated_data: context }: Asked): Reply => {
    const [, version, text] = /^vault:v(\d+):(.*)$/.exec(ciphertext) ?? [];
    const key = keys[Number(version) - firstVersion];
    if (!key) return { status: 400, body: { errors: ['invalid ciphertext: version is too new'] } };
    const sealed = bytes(text);
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12));
      decipher.setAAD(bytes(context)).setAuthTag(sealed.subarray(-16));
      const plain = Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]);
      return { status: 200, body: { data: { plaintext: plain.toString('base64') } } };
    } catch {
      return { status: 400, body: { errors: ['cipher: message authentication failed'] } };
    }
  };

  const server = createServer((request, response) => {
    if (answer) return answer(response);
    void respond(request).then(({ status, body }) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/transit`,
    asked,
    rotate: () => void keys.push(randomBytes(32)),
    lose() {
      firstVersion += keys.length;
      keys = [randomBytes(32)];
    },
    answerWith: (given) => void (answer = given),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
