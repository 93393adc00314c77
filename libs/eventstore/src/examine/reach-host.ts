import { once } from 'node:events';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { StoreHost } from '../store-address.ts';

/** Reasons for which a node cannot be talked to, before it was asked anything. */
export type HostProblem =
  | 'unknown_name'
  | 'refused'
  | 'silent'
  | 'untrusted'
  | 'other_name'
  | 'expired'
  | 'no_tls'
  | 'failed';

export interface ReachedHost extends StoreHost {
  readonly problem: HostProblem | undefined;
  /** The code of the failure, for a reader who wants to look it up. */
  readonly code: string | undefined;
  /** The end of its certificate; undefined without TLS. */
  readonly validUntil: Date | undefined;
}

const timeoutMs = 4_000;

/** Opens a connection and closes it again. An authority of undefined stands for those of Node.js. */
export async function reachHost(
  { host, port }: StoreHost,
  { tls, authority }: { readonly tls: boolean; readonly authority: string | undefined },
): Promise<ReachedHost> {
  const socket = tls
    ? connectTls({
        host,
        port,
        ...(isIP(host) === 0 ? { servername: host } : {}),
        ALPNProtocols: ['h2'],
        ...(authority === undefined ? {} : { ca: authority }),
      })
    : connectTcp({ host, port });
  try {
    await once(socket, tls ? 'secureConnect' : 'connect', {
      signal: AbortSignal.timeout(timeoutMs),
    });
    const found = { problem: undefined, code: undefined, validUntil: endOf(socket, tls) };
    return { host, port, ...found };
  } catch (error) {
    const code = codeOf(error);
    return { host, port, problem: problemOf(code), code, validUntil: undefined };
  } finally {
    socket.on('error', () => undefined).destroy();
  }
}

function endOf(socket: Socket, tls: boolean): Date | undefined {
  return tls ? new Date((socket as TLSSocket).getPeerCertificate().valid_to) : undefined;
}

function codeOf(error: unknown): string {
  if (error instanceof Error && error.name === 'AbortError') return 'ETIMEDOUT';
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' ? code : 'unknown';
}

const problems: readonly (readonly [RegExp, HostProblem])[] = [
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'unknown_name'],
  [/^ECONNREFUSED$/, 'refused'],
  [/^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/, 'silent'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'other_name'],
  [/^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/, 'expired'],
  [/SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|CERT_/, 'untrusted'],
  [/^(ERR_SSL_|EPROTO|ECONNRESET)/, 'no_tls'],
];

function problemOf(code: string): HostProblem {
  return problems.find(([pattern]) => pattern.test(code))?.[1] ?? 'failed';
}
