/**
 * The names that the contract has and that nothing serves yet. Each answers `not available yet`, and leaves this page
 * when its own folder arrives.
 */

/** Tools that the service is to run. */
export const unbuiltTools = [
  'web_search',
  'web_search_2025_08_26',
  'web_search_preview',
  'web_search_preview_2025_03_11',
  'tool_search',
  'service:tool_search',
  'service:web_search',
  'service:web_fetch',
  'service:datetime',
  'service:experimental__search_models',
  'service:search_models',
  'service:files',
  'service:image_generation',
  'service:fusion',
  'service:advisor',
  'service:subagent',
  'service:bash',
  'service:shell',
  'service:apply_patch',
] as const;

/** Plugins: true where `enabled: false` switches it off. */
export const unbuiltPlugins = {
  'auto-beta-router': true,
  'auto-router': true,
  'context-compression': true,
  'file-parser': true,
  fusion: true,
  'jev-router': false,
  'pareto-router': true,
  'response-healing': true,
  'switchyard-router': false,
  web: true,
  'web-fetch': false,
} as const satisfies Readonly<Record<string, boolean>>;

/** Models that stand for a choice among others. */
export const unbuiltRouters: ReadonlySet<string> = new Set(
  ['auto', 'auto-beta', 'bodybuilder', 'fusion', 'jev-router', 'pareto-code', 'switchyard'].map(
    (name) => `service/${name}`,
  ),
);

const tools: ReadonlySet<unknown> = new Set(unbuiltTools);

export function isUnbuiltTool(type: unknown): type is (typeof unbuiltTools)[number] {
  return tools.has(type);
}
