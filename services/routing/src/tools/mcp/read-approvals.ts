import { isObject, type JsonObject } from '@sluice/client-schemas';
import type { InputItem, Tool } from '@sluice/inference';
import { mcpKind } from './index.ts';

/** A call that a person approved. */
export interface ApprovedCall {
  /** The id of the request for approval. */
  readonly id: string;
  /** The tool with its server, as in `McpToolSettings`. */
  readonly name: string;
  /** JSON of an object. */
  readonly arguments: string;
}

export interface Approvals {
  /** The items without lists and approvals. Calls are items of Sluice's own tool. */
  readonly items: readonly InputItem[];
  readonly approved: readonly ApprovedCall[];
}

/** Reads the items of servers that the client sends again. Those of servers that the request lacks stay as they are. */
export function readApprovals(items: readonly InputItem[], tools: readonly Tool[]): Approvals {
  const names = new Set(tools.map(nameOf));
  const requests = new Map<string, JsonObject>();
  const approved = new Map<string, ApprovedCall>();
  const read = items.flatMap((item): readonly InputItem[] => {
    if (item.type !== 'native') {
      if (isOfModel(item)) approved.clear();
      return [item];
    }
    const { item: fields } = item;
    if (fields['type'] === 'mcp_list_tools') return [];
    if (fields['type'] === 'mcp_call' && names.has(placeOf(fields))) {
      approved.clear();
      return [callItem(fields, fields['output'], fields['error'])];
    }
    if (fields['type'] === 'mcp_approval_request' && names.has(placeOf(fields))) {
      requests.set(String(fields['id']), fields);
      return [];
    }
    const asked = requests.get(String(fields['approval_request_id']));
    if (fields['type'] !== 'mcp_approval_response' || !asked) return [item];
    if (fields['approve'] !== true) return [callItem(asked, refusalOf(fields), undefined)];
    const id = String(asked['id']);
    approved.set(id, { id, name: placeOf(asked), arguments: String(asked['arguments']) });
    return [];
  });
  return { items: read, approved: [...approved.values()] };
}

/** A call runs once: what the model said after an approval says that its call ran. */
function isOfModel(item: InputItem): boolean {
  return item.type === 'message' && item.role === 'assistant';
}

function refusalOf({ reason }: JsonObject): string {
  const why = typeof reason === 'string' && reason !== '' ? `: ${reason}` : '';
  return `The user did not approve this call${why}`;
}

/** Returns an item that `replayItems` turns into a call and its output. */
function callItem(fields: JsonObject, output: unknown, error: unknown): InputItem {
  const { id, arguments: text } = fields;
  const item = {
    type: mcpKind,
    id,
    instance_name: placeOf(fields),
    arguments: text,
    output,
    error,
  };
  return { type: 'native', item, text: '' };
}

function placeOf({ server_label: label, name }: JsonObject): string {
  return `${String(label)}/${String(name)}`;
}

function nameOf(tool: Tool): string {
  const settings = tool.type === 'native' ? tool.tool['parameters'] : undefined;
  return isObject(settings) ? String(settings['name']) : '';
}
