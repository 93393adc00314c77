import { isObject, isServerTool, type JsonObject } from '@sluice/client-schemas';

/** Any of them asks for a tool that searches the web. */
const webSearches = [
  'web_search',
  'web_search_2025_08_26',
  'web_search_preview',
  'web_search_preview_2025_03_11',
  'service:web_search',
];
/** Any of them asks for the tool that works a screen: the second is a name of a choice alone. */
const computers = ['computer', 'computer_use', 'computer_use_preview'];
const toolSearches = ['tool_search', 'service:tool_search'];
const synonyms: readonly (readonly string[])[] = [webSearches, computers, toolSearches];

/**
 * Returns true for a hosted tool whose calls the service runs itself, if no endpoint does. The calls of the others have
 * the bound of their provider (decision 82).
 */
export function isRunByService(tool: JsonObject): boolean {
  const { type, server_url: url, environment } = tool;
  switch (type) {
    case 'image_generation':
    case 'local_shell':
      return true;
    case 'mcp':
      return typeof url === 'string';
    case 'shell':
      return !isObject(environment) || environment['type'] !== 'local';
    default:
      return isServerTool(type);
  }
}

/** Returns the names of the same kind of tool, the given one among them. */
export function namesOfKind(kind: string): readonly string[] {
  return synonyms.find((names) => names.includes(kind)) ?? [kind];
}
