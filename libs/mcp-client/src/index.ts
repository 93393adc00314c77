export { isMcpFailure, type McpFailure } from './failure.ts';
export { createMcpClient, type McpClient, type McpClientOptions } from './mcp-client.ts';
export type { McpCall, McpOutput, McpServer } from './server.ts';
export type { McpTool } from './tools.ts';
