import { createHash } from 'node:crypto';
import { addressKey, addressOf, type Tool, type ToolAddress } from '@sluice/inference';
import type { NamePattern } from '../plain-request.ts';

type NamedTool = Exclude<Tool, { type: 'native' }>;

const nameCharactersMax = 64;
const digestCharacters = 10;
/** A shortened name keeps this much of the tool's own name, before its namespace gets the rest. */
const ownCharactersMax = 36;
const separator = '__';

/** The names under which an upstream gets the tools of one call. Each tool has a name of its own. */
export class ToolNames {
  readonly #pattern: NamePattern;
  readonly #names = new Map<string, string>();
  readonly #tools = new Map<string, NamedTool>();

  /** A name depends only on its tool, unless two tools would get the same. Then the first one keeps it. */
  constructor(tools: readonly Tool[], pattern: NamePattern) {
    this.#pattern = pattern;
    const named = tools.filter((tool) => tool.type !== 'native');
    const isKept = (tool: NamedTool): boolean => !tool.namespace && pattern.test(tool.name);
    for (const tool of named) if (isKept(tool)) this.#add(tool);
    for (const tool of named) if (!isKept(tool)) this.#add(tool);
  }

  /** Returns the name of a tool. A call in the history may name a tool that the request does not have. */
  nameOf(address: ToolAddress): string {
    return this.#names.get(addressKey(address)) ?? fittingName(address, this.#pattern);
  }

  /** Returns the tool that the upstream calls by a name. */
  toolOf(name: string): NamedTool | undefined {
    return this.#tools.get(name);
  }

  #add(tool: NamedTool): void {
    const address = addressOf(tool);
    const key = addressKey(tool);
    if (this.#names.has(key)) return;
    let name = fittingName(address, this.#pattern);
    for (let round = 1; this.#tools.has(name); round++) name = shortName(address, round);
    this.#names.set(key, name);
    this.#tools.set(name, tool);
  }
}

/** Returns `namespace__name`, the form of a tool for an API without namespaces. */
export function flatName({ namespace, name }: ToolAddress): string {
  return namespace === undefined ? name : namespace + separator + name;
}

function fittingName(address: ToolAddress, pattern: NamePattern): string {
  const flat = flatName(address);
  return pattern.test(flat) ? flat : shortName(address, 0);
}

/** Returns a name that every API accepts. A digest keeps it apart from names with the same beginning. */
function shortName(address: ToolAddress, round: number): string {
  const digest = createHash('sha256')
    .update(`${String(round)}\n${addressKey(address)}`)
    .digest('hex')
    .slice(0, digestCharacters);
  const room = nameCharactersMax - digestCharacters - separator.length - 1;
  const own = accepted(address.name).slice(
    0,
    address.namespace === undefined ? room : ownCharactersMax,
  );
  const group = accepted(address.namespace ?? '').slice(0, room - own.length);
  const flat = group === '' ? own : group + separator + own;
  return `${/^[A-Za-z_]/.test(flat) ? '' : '_'}${flat}_${digest}`;
}

function accepted(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]/g, '_');
}
