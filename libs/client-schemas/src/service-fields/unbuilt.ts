/**
 * The names that the contract has and that nothing serves yet. Each answers `not available yet`, and leaves this page
 * when its own folder arrives.
 */

/** Tools that the service is to run. */
export const unbuiltTools = ['tool_search'] as const;

const tools: ReadonlySet<unknown> = new Set(unbuiltTools);

export function isUnbuiltTool(type: unknown): type is (typeof unbuiltTools)[number] {
  return tools.has(type);
}
