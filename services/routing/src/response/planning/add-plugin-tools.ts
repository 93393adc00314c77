import { isObject, type JsonObject } from '@sluice/client-schemas';
import type { CanonicalCall } from '../../request/call.ts';
import { settingsOf } from '../../request/plugins.ts';
import { namesOfKind } from '../../request/tool-kinds.ts';
import { knowledgeOf } from '../../selection/find-candidates.ts';
import { concernsFusion, fusionParameters } from '../../selection/routers/fusion.ts';
import { choosingOf } from './choosing.ts';
import type { McpListed } from './list-mcp-tools.ts';
import type { ReadCall } from './read-call.ts';

/** Adds the server tools that plugins and routers stand for, unless the request has them already. */
export function addPluginTools(read: ReadCall & McpListed): Pick<McpListed, 'listed'> {
  const { listed } = read;
  const { inference } = listed;
  if (inference.embedding || inference.ranking) return { listed };
  const fused = withFusion(read);
  const added = pluginTools(listed)
    .filter(({ type }) => toolOf(listed, type) === undefined)
    .map((tool): Tool => ({ type: 'native', tool }));
  if (added.length === 0 && !fused) return { listed };
  const tools = [...(fused ?? inference.tools), ...added];
  return { listed: { ...listed, inference: { ...inference, tools } } };
}

type Tool = CanonicalCall['inference']['tools'][number];
type PluginTool = JsonObject & { readonly type: string };

function pluginTools(call: CanonicalCall): readonly PluginTool[] {
  const fetch = settingsOf(call, 'web-fetch');
  const search = settingsOf(call, 'web');
  if (!fetch && search?.engine !== 'native') return [];
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

const fusionType = 'service:fusion';

/** Returns the tools with that of a panel, and its settings of the plugin. Undefined: nothing asks for one. */
function withFusion(read: ReadCall & McpListed): readonly Tool[] | undefined {
  const { listed, work } = read;
  // A question of a panel asks no other panel.
  if (!concernsFusion(listed) || work.isWithin(fusionType)) return undefined;
  const { tools } = listed.inference;
  const found = toolOf(listed, fusionType);
  const settings = found && (isObject(found.tool['parameters']) ? found.tool['parameters'] : {});
  const known = knowledgeOf(choosingOf(read), listed.preferences.sort);
  const parameters = fusionParameters(listed, settings, known);
  if (!parameters) return undefined;
  const tool = { type: 'native', tool: { type: fusionType, parameters } } as const;
  return found ? tools.map((one) => (one === found ? tool : one)) : [...tools, tool];
}

function toolOf({ inference }: CanonicalCall, type: string) {
  const names: readonly unknown[] = namesOfKind(type);
  return inference.tools.find((tool): tool is Extract<Tool, { type: 'native' }> => {
    return tool.type === 'native' && names.includes(tool.tool['type']);
  });
}
