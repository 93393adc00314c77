import type { Egress } from '@sluice/egress';
import type { McpFailure } from './failure.ts';
import type { McpCall, McpOutput, McpServer } from './server.ts';
import type { McpTool } from './tools.ts';

/** Calls servers of the Model Context Protocol over streamable HTTP. The promises never reject. */
export interface McpClient {
  /** Returns the tools that `isWanted` accepts, sorted by name. */
  listTools(
    server: McpServer,
    isWanted: (tool: McpTool) => boolean,
    signal: AbortSignal,
  ): Promise<readonly McpTool[] | McpFailure>;
  callTool(server: McpServer, call: McpCall, signal: AbortSignal): Promise<McpOutput | McpFailure>;
}

export interface McpClientOptions {
  readonly egress: Pick<Egress, 'fetch'>;
  /** Milliseconds for the list of a server's tools. */
  readonly listMs?: number;
  /** Bytes of one answer. */
  readonly bytesMax?: number;
  /** Tools of one server. */
  readonly toolsMax?: number;
}

const listMsDefault = 15_000;
const bytesMaxDefault = 1_024 * 1_024;
const toolsMaxDefault = 128;

/** Creates a client. Each list and each call is a session: nothing is kept between two of them. */
export function createMcpClient({ egress, ...limits }: McpClientOptions): McpClient {
  const { listMs = listMsDefault, toolsMax = toolsMaxDefault } = limits;
  const fetch = postsOnly(egress.fetch({ bytesMax: limits.bytesMax ?? bytesMaxDefault }));
  // The SDK takes 20 MB and a part of a second, which only its first use pays.
  const sessions = () => import('./session.ts');
  return {
    async listTools(server, isWanted, signal) {
      const { listTools } = await sessions();
      const bounded = AbortSignal.any([signal, AbortSignal.timeout(listMs)]);
      return await listTools({ server, fetch, signal: bounded }, { isWanted, toolsMax });
    },
    async callTool(server, call, signal) {
      const { callTool } = await sessions();
      return await callTool({ server, fetch, signal }, call);
    },
  };
}

type Fetch = ReturnType<Egress['fetch']>;

/** A server may offer a stream without a request. Sluice asks for none, and the protocol allows a server to lack it. */
function postsOnly(fetch: Fetch): Fetch {
  return async (input, init) =>
    init?.method === 'GET' ? new Response(null, { status: 405 }) : await fetch(input, init);
}
