import { count, type Json, list, object, text } from '../json.ts';
import { plainArguments, type Telling } from '../telling.ts';

interface Block {
  readonly type: string;
  readonly name: string;
  text: string;
}

/** Reads the events of a message stream. */
export function messagesTelling(events: readonly Json[]): Telling {
  const blocks = new Map<unknown, Block>();
  let usage: Json = {};
  const count0 = (more: unknown) => {
    const counts = Object.entries(object(more)).filter(([, value]) => value !== null);
    usage = { ...usage, ...Object.fromEntries(counts) };
  };
  for (const event of events) {
    count0(object(event['message'])['usage']);
    count0(event['usage']);
    if (event['type'] === 'content_block_start')
      blocks.set(event['index'], blockOf(object(event['content_block'])));
    const delta = object(event['delta']);
    const block = blocks.get(event['index']);
    if (event['type'] === 'content_block_delta' && block)
      block.text += text(delta['text'] ?? delta['thinking'] ?? delta['partial_json']);
  }
  return tellingOf([...blocks.values()], usage);
}

/** Reads a whole message. */
export function wholeMessageTelling(message: Json): Telling {
  return tellingOf(list(message['content']).map(blockOf), object(message['usage']));
}

function blockOf(block: Json): Block {
  const input = JSON.stringify(object(block['input']));
  const begun = block['type'] === 'tool_use' && input !== '{}' ? input : '';
  const said = text(block['text']) || text(block['thinking']) || begun;
  return { type: text(block['type']), name: text(block['name']), text: said };
}

function tellingOf(blocks: readonly Block[], usage: Json): Telling {
  const textOf = (type: string) =>
    blocks.flatMap((block) => (block.type === type ? [block.text] : [])).join('');
  return {
    text: textOf('text'),
    thoughts: textOf('thinking'),
    calls: blocks
      .filter(({ type }) => type === 'tool_use')
      .map((block) => ({ name: block.name, arguments: plainArguments(block.text) })),
    isCounted: Object.keys(usage).length > 0,
    inputTokens:
      count(usage['input_tokens']) +
      count(usage['cache_read_input_tokens']) +
      count(usage['cache_creation_input_tokens']),
    outputTokens: count(usage['output_tokens']),
  };
}
