import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import type { Pod, PodManifest } from './pod.ts';

/** The calls of the Kubernetes API that boxes need, in one namespace. */
export interface Cluster {
  /** `host:port` of the API. */
  readonly apiAddress: string;
  readonly namespace: string;
  createPod(manifest: PodManifest): Promise<Pod>;
  /** Returns undefined where there is none of this name. */
  pod(name: string): Promise<Pod | undefined>;
  /** Ends it at once. It does nothing where there is none of this name. */
  deletePod(name: string): Promise<void>;
  /** Ends all pods with these labels. */
  deletePods(labels: Readonly<Record<string, string>>): Promise<void>;
  /** Returns everything that a WebSocket to a pod is opened with. */
  socketTo(path: string): Promise<SocketOptions>;
  close(): Promise<void>;
}

export interface SocketOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly dispatcher: Agent;
}

export interface ClusterSettings {
  /** The address of the API. Undefined: that of the cluster which this process runs in. */
  readonly apiUrl: string | undefined;
  /** The folder of a service account: `token`, `ca.crt` and `namespace`. */
  readonly accountFolder: string;
  /** The service account's own if absent. */
  readonly namespace: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the cluster that the settings name, or the reason why it cannot be asked. */
export async function findCluster(
  env: Environment,
  { apiUrl, accountFolder, namespace }: ClusterSettings,
): Promise<Cluster | { readonly missing: string }> {
  const url = apiUrl ?? apiOf(env);
  if (url === undefined)
    return { missing: 'there is no Kubernetes here: KUBERNETES_SERVICE_HOST is not set' };
  const read = (name: string) => readFile(join(accountFolder, name), 'utf8');
  try {
    // The token is renewed while this process runs, so that each call reads it.
    const token = async () => (await read('token')).trim();
    await token();
    const ca = url.startsWith('https:') ? await read('ca.crt') : undefined;
    const ns = namespace ?? (await read('namespace')).trim();
    return clusterOf({ url: new URL(url), ca, token, namespace: ns });
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return { missing: `the service account of Kubernetes cannot be read: ${words}` };
  }
}

function apiOf(env: Environment): string | undefined {
  const [host, port] = [env['KUBERNETES_SERVICE_HOST'], env['KUBERNETES_SERVICE_PORT'] ?? '443'];
  if (!host) return undefined;
  return `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

const callTimeoutMs = 15_000;
const answerBytesMax = 16_777_216;

interface Access {
  readonly url: URL;
  readonly ca: string | undefined;
  readonly token: () => Promise<string>;
  readonly namespace: string;
}

function clusterOf({ url, ca, token, namespace }: Access): Cluster {
  // The API speaks WebSocket over HTTP/1.1 only.
  const dispatcher = new Agent({ allowH2: false, ...(ca !== undefined && { connect: { ca } }) });
  const headers = async () => ({ authorization: `Bearer ${await token()}` });
  const pods = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods`;
  const call = async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => {
    const answer = await request(new URL(path, url), {
      method,
      headers: { ...(await headers()), 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
      dispatcher,
      signal: AbortSignal.timeout(callTimeoutMs),
      headersTimeout: callTimeoutMs,
      bodyTimeout: callTimeoutMs,
    });
    let text = '';
    for await (const chunk of answer.body) {
      text += String(chunk);
      if (text.length > answerBytesMax) throw new Error('the answer of Kubernetes is too long');
    }
    if (answer.statusCode < 300) return JSON.parse(text) as unknown;
    if (answer.statusCode === 404 && method !== 'POST') return undefined;
    throw new Error(`Kubernetes answered ${answer.statusCode} to ${method}: ${messageIn(text)}`);
  };
  const atOnce = { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0 };
  return {
    apiAddress: `${url.hostname}:${url.port || (url.protocol === 'https:' ? 443 : 80)}`,
    namespace,
    createPod: async (manifest) => (await call('POST', pods, manifest)) as Pod,
    pod: async (name) => (await call('GET', `${pods}/${name}`)) as Pod | undefined,
    async deletePod(name) {
      await call('DELETE', `${pods}/${name}`, atOnce);
    },
    async deletePods(labels) {
      const selector = Object.entries(labels).map(([name, value]) => `${name}=${value}`);
      const query = new URLSearchParams({ labelSelector: selector.join(',') });
      await call('DELETE', `${pods}?${query.toString()}`, atOnce);
    },
    async socketTo(path) {
      const to = new URL(`${pods}/${path}`, url);
      to.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
      return { url: to.href, headers: await headers(), dispatcher };
    },
    close: () => dispatcher.destroy(),
  };
}

const messageCharactersMax = 300;

/** The API explains a refusal in a `Status`. */
function messageIn(text: string): string {
  try {
    const { message } = JSON.parse(text) as { message?: unknown };
    if (typeof message === 'string') return message.slice(0, messageCharactersMax);
  } catch {
    // A proxy between may answer with a page.
  }
  return text.slice(0, messageCharactersMax);
}
