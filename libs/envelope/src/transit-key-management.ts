import { Fault } from '@sluice/errors';
import { type KeyManagement, UnreadableEnvelope } from './key-management.ts';

export interface TransitOptions {
  /** The address of the engine: `https://vault.example.com/v1/transit`. */
  readonly url: string;
  /** The name of the key-encryption key there. */
  readonly keyName: string;
  /** The value of the X-Vault-Token header. */
  readonly token: string;
}

const timeoutMs = 5_000;
const answerBytesMax = 64 * 1024;
const retryAfterSeconds = 5;
const ciphertextPattern = /^vault:v([1-9]\d{0,8}):[A-Za-z0-9+/]+={0,2}$/;

/**
 * Key-encryption keys that a key management service keeps: the transit engine of HashiCorp Vault and
 * OpenBao, or what speaks its protocol. The key must be of a type that takes associated data
 * (`aes256-gcm96`).
 */
export function transitKeyManagement(options: TransitOptions): KeyManagement {
  const name = encodeURIComponent(options.keyName);
  return {
    async wrap(dataKey, associatedData) {
      const { ciphertext } = await post(options, `encrypt/${name}`, {
        plaintext: base64(dataKey),
        associated_data: base64(associatedData),
      });
      const [text, keyVersion] = ciphertextPattern.exec(String(ciphertext)) ?? [];
      if (text === undefined || keyVersion === undefined) throw unexpected();
      return { keyVersion, wrapped: Buffer.from(text) };
    },
    async unwrap({ wrapped }, associatedData) {
      const { plaintext } = await post(options, `decrypt/${name}`, {
        ciphertext: Buffer.from(wrapped).toString(),
        associated_data: base64(associatedData),
      });
      if (typeof plaintext !== 'string') throw unexpected();
      return Buffer.from(plaintext, 'base64');
    },
    async newestVersion() {
      const { latest_version: version } = await ask(options, `keys/${name}`, { method: 'GET' });
      if (!Number.isInteger(version)) throw unexpected();
      return String(version);
    },
  };
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

function post(options: TransitOptions, path: string, body: object) {
  return ask(options, path, { method: 'POST', body: JSON.stringify(body) });
}

interface Question {
  readonly method: 'GET' | 'POST';
  readonly body?: string;
}

/** The `data` of an answer. Nothing of question or answer gets into an error: both hold keys. */
async function ask(
  { url, token }: TransitOptions,
  path: string,
  question: Question,
): Promise<Readonly<Record<string, unknown>>> {
  const reply = await fetch(`${url.replace(/\/$/, '')}/${path}`, {
    ...question,
    headers: { 'x-vault-token': token, 'content-type': 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  }).catch(() => {
    throw new Fault('unavailable', {
      message: 'The key management service does not answer',
      retryAfterSeconds,
    });
  });
  const text = await textOf(reply);
  if (reply.ok) return dataOf(text);
  // The server refuses a ciphertext with 400 and its reasons. Without the version, the key is lost.
  if (reply.status === 400)
    throw new UnreadableEnvelope(/version|not found/i.test(text) ? 'key_lost' : 'tampered');
  if (reply.status === 404) throw new UnreadableEnvelope('key_lost');
  throw new Fault('unavailable', {
    message: `The key management service answers ${reply.status}`,
    retryAfterSeconds,
  });
}

async function textOf(reply: Response): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  try {
    for await (const chunk of reply.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true });
      if (text.length > answerBytesMax) throw unexpected();
    }
  } catch (error) {
    throw error instanceof Fault ? error : unexpected();
  }
  return text;
}

function dataOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const { data } = JSON.parse(text) as { data?: unknown };
    if (typeof data === 'object' && data !== null) return data as Record<string, unknown>;
  } catch {
    // Below: what it says is not shown.
  }
  throw unexpected();
}

function unexpected(): Fault {
  return new Fault('unavailable', {
    message: 'The key management service answers what was not expected',
    retryAfterSeconds,
  });
}
