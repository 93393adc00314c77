import type { McpFailure } from './failure.ts';

/** A tool of a server, within bounds. */
export interface McpTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** The server says that the tool changes nothing. */
  readonly isReadOnly: boolean;
}

/** A tool as a server describes it. */
interface Described {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly annotations?: { readonly readOnlyHint?: boolean | undefined } | undefined;
}

const nameCharactersMax = 128;
const descriptionCharactersMax = 4_096;
const schemaCharactersMax = 65_536;

export function boundTool({
  name,
  description = '',
  inputSchema,
  annotations,
}: Described): McpTool | McpFailure {
  if (name === '' || name.length > nameCharactersMax)
    return broken('The name of a tool of the server is empty or too long');
  if (JSON.stringify(inputSchema).length > schemaCharactersMax)
    return broken('The schema of a tool of the server is too long');
  return {
    name,
    description: description.slice(0, descriptionCharactersMax).toWellFormed(),
    inputSchema,
    isReadOnly: annotations?.readOnlyHint === true,
  };
}

function broken(message: string): McpFailure {
  return { failed: 'protocol', code: 0, message };
}
