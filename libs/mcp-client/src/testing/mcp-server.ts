import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

export interface McpServerTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema?: Readonly<Record<string, unknown>>;
  readonly isReadOnly?: boolean;
  /** Absent: returns the arguments as JSON. What it throws is an error of the protocol. */
  readonly run?: (
    args: Readonly<Record<string, unknown>>,
  ) => McpServerAnswer | Promise<McpServerAnswer>;
}

interface McpServerAnswer {
  readonly text: string;
  readonly isError?: boolean;
}

export interface StartedMcpServer {
  readonly url: string;
  readonly port: number;
  /** The methods that were called, with the names of tools. */
  readonly asked: readonly string[];
  /** The headers of the last request. */
  headers(): IncomingHttpHeaders;
  /** Empties `asked`. */
  forget(): void;
  stop(): void;
}

/** Starts a server of the official SDK on loopback. Tools are listed in pages of `pageSize`. */
export async function startMcpServer(
  tools: readonly McpServerTool[],
  {
    isStreamed = false,
    pageSize = Infinity,
    isAllowed = () => true,
  }: {
    readonly isStreamed?: boolean;
    readonly pageSize?: number;
    readonly isAllowed?: (headers: IncomingHttpHeaders) => boolean;
  } = {},
): Promise<StartedMcpServer> {
  const asked: string[] = [];
  let last: IncomingHttpHeaders = {};
  const http = createServer((request, response) => {
    last = request.headers;
    if (!isAllowed(last)) {
      response.writeHead(401).end(`no access for ${String(last.authorization)}`);
      return;
    }
    const server = mcpServer(tools, { asked, pageSize });
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: !isStreamed });
    response.on('close', () => void server.close());
    void server
      .connect(transport as Transport)
      .then(() => transport.handleRequest(request, response));
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const { port } = http.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}/mcp`,
    port,
    asked,
    headers: () => last,
    forget: () => void asked.splice(0),
    stop() {
      http.closeAllConnections();
      http.close();
    },
  };
}

function mcpServer(
  tools: readonly McpServerTool[],
  { asked, pageSize }: { readonly asked: string[]; readonly pageSize: number },
): Server {
  const server = new Server({ name: 'test', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
    asked.push('tools/list');
    const from = Number(params?.cursor ?? 0);
    const to = from + pageSize;
    return {
      tools: tools.slice(from, to).map(({ name, description, inputSchema, isReadOnly }) => ({
        name,
        ...(description !== undefined && { description }),
        inputSchema: { type: 'object' as const, ...inputSchema },
        annotations: { readOnlyHint: isReadOnly === true },
      })),
      ...(to < tools.length && { nextCursor: String(to) }),
    };
  });
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    asked.push(`tools/call ${params.name}`);
    const tool = tools.find(({ name }) => name === params.name);
    if (!tool) throw new Error('no such tool');
    const args = params.arguments ?? {};
    const { text, isError = false } = (await tool.run?.(args)) ?? { text: JSON.stringify(args) };
    return { content: [{ type: 'text' as const, text }], isError };
  });
  return server;
}
