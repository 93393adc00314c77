import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import { CallToolResultSchema, ListToolsResultSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Egress } from '@sluice/egress';
import { isMcpFailure, type McpFailure } from './failure.ts';
import type { McpCall, McpOutput, McpServer } from './server.ts';
import { failureFrom, late } from './sdk-failure.ts';
import { boundTool, type McpTool } from './tools.ts';

export interface Session {
  readonly server: McpServer;
  readonly fetch: ReturnType<Egress['fetch']>;
  readonly signal: AbortSignal;
}

interface Wanted {
  readonly isWanted: (tool: McpTool) => boolean;
  readonly toolsMax: number;
}

const pagesMax = 20;
const goodbyeMs = 2_000;
/** The limits are those of the signal. The SDK has one besides, which must not come first. */
const neverMs = 2 ** 31 - 1;

export function listTools(session: Session, wanted: Wanted) {
  return inSession(session, (client, options) => listAll(client, options, wanted));
}

export function callTool(session: Session, { name, arguments: args }: McpCall) {
  return inSession(session, async (client, options): Promise<McpOutput> => {
    const asked = { method: 'tools/call', params: { name, arguments: { ...args } } } as const;
    // `client.callTool` would compile the schemas of strangers, and so would `client.listTools`.
    const result = await client.request(asked, CallToolResultSchema, options);
    return { text: textOf(result.content), isError: result.isError === true };
  });
}

/** Opens a session, does something in it and ends it. */
async function inSession<Result extends object>(
  { server: { url, headers }, fetch, signal }: Session,
  act: (client: Client, options: RequestOptions) => Promise<Result | McpFailure>,
): Promise<Result | McpFailure> {
  if (!URL.canParse(url))
    return { failed: 'network', code: 0, message: 'The URL of the server is malformed' };
  const { promise: broken, reject } = Promise.withResolvers<never>();
  broken.catch(() => undefined);
  const client = new Client({ name: 'sluice', version: '1' }, { capabilities: {} });
  // An answer that cannot be read is reported here, and its request would wait until its deadline.
  Object.assign(client, { onerror: reject });
  const stop = () => reject(new DOMException('over', 'AbortError'));
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const requestInit = { headers: { ...headers } };
  const transport = new StreamableHTTPClientTransport(new URL(url), { fetch, requestInit });
  const options = { signal, timeout: neverMs, maxTotalTimeout: neverMs };
  const run = async () => {
    await client.connect(transport, options);
    return await act(client, options);
  };
  try {
    return await Promise.race([run(), broken]);
  } catch (error) {
    return signal.aborted ? late : failureFrom(error, Object.values(headers).flatMap(wordsOf));
  } finally {
    signal.removeEventListener('abort', stop);
    endSession(client, transport, signal);
  }
}

/** Ends the session at the server too, and waits for no answer. */
function endSession(
  client: Client,
  transport: StreamableHTTPClientTransport,
  signal: AbortSignal,
): void {
  const isOpen = transport.sessionId !== undefined && !signal.aborted;
  const told = isOpen
    ? Promise.race([transport.terminateSession(), passed(goodbyeMs)])
    : Promise.resolve();
  void told.catch(() => undefined).then(() => client.close().catch(() => undefined));
}

function passed(milliseconds: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, milliseconds).unref());
}

/** The words of a header: a body may repeat a token without `Bearer`. */
function wordsOf(value: string): readonly string[] {
  return [value, ...value.split(' ')];
}

async function listAll(
  client: Client,
  options: RequestOptions,
  { isWanted, toolsMax }: Wanted,
): Promise<readonly McpTool[] | McpFailure> {
  const tools = new Map<string, McpTool>();
  let cursor: string | undefined;
  for (let page = 0; page < pagesMax; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const asked = { method: 'tools/list', params } as const;
    const answer = await client.request(asked, ListToolsResultSchema, options);
    for (const one of answer.tools) {
      const tool = boundTool(one);
      if (isMcpFailure(tool)) return tool;
      if (isWanted(tool)) tools.set(tool.name, tool);
    }
    if (tools.size > toolsMax) return tooMany(toolsMax);
    cursor = answer.nextCursor;
    if (cursor === undefined || cursor === '')
      return [...tools.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }
  return { failed: 'protocol', code: 0, message: 'The list of tools has no end' };
}

function tooMany(toolsMax: number): McpFailure {
  const message = `The server has more than ${String(toolsMax)} tools. Name those that are needed in allowed_tools`;
  return { failed: 'protocol', code: 0, message };
}

/** Returns the texts of an answer. Other content is named. */
function textOf(content: readonly Readonly<Record<string, unknown>>[]): string {
  return content
    .map((part) => {
      if (typeof part['text'] === 'string') return part['text'];
      const { resource } = part;
      if (typeof resource === 'object' && resource !== null && 'text' in resource)
        return String(resource.text);
      return part['type'] === 'resource_link' ? String(part['uri']) : `[${String(part['type'])}]`;
    })
    .join('\n');
}
