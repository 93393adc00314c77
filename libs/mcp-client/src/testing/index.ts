export { type McpServerTool, startMcpServer, type StartedMcpServer } from './mcp-server.ts';
