import type { JsonObject } from '@sluice/client-schemas';
import type { CanonicalCall } from '../../request/call.ts';
import { settingsOf } from '../../request/plugins.ts';
import { namesOfKind } from '../../request/tool-kinds.ts';
import type { McpListed } from './list-mcp-tools.ts';

/** Adds the server tools that plugins stand for, unless the request has them already. */
export function addPluginTools({ listed }: McpListed): Pick<McpListed, 'listed'> {
  const tools = pluginTools(listed);
  if (tools.length === 0) return { listed };
  const { inference } = listed;
  const added = tools
    .filter(({ type }) => !hasTool(listed, type))
    .map((tool) => ({ type: 'native', tool }) as const);
  return {
    listed: { ...listed, inference: { ...inference, tools: [...inference.tools, ...added] } },
  };
}

type PluginTool = JsonObject & { readonly type: string };

function pluginTools(call: CanonicalCall): readonly PluginTool[] {
  const { embedding, ranking } = call.inference;
  const fetch = settingsOf(call, 'web-fetch');
  const search = settingsOf(call, 'web');
  if ((!fetch && search?.engine !== 'native') || embedding || ranking) return [];
  const tools: PluginTool[] = [];
  if (fetch) {
    const { id: _id, ...parameters } = fetch;
    tools.push({ type: 'service:web_fetch', parameters });
  }
  if (search?.engine === 'native') {
    const {
      id: _id,
      enabled: _on,
      search_prompt: _prompt,
      include_domains,
      exclude_domains,
      ...rest
    } = search;
    const lists = { allowed_domains: include_domains, excluded_domains: exclude_domains };
    tools.push({ type: 'service:web_search', parameters: { ...rest, ...lists } });
  }
  return tools;
}

function hasTool({ inference }: CanonicalCall, type: string): boolean {
  const names: readonly unknown[] = namesOfKind(type);
  return inference.tools.some(
    (tool) => tool.type === 'native' && names.includes(tool.tool['type']),
  );
}
