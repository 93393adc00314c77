import { event, type Frame, type Served } from './dialect.ts';
import type { OutputPart } from './generation.ts';

/** Returns the call and the result of a search that the API makes itself. */
export function searchBlocks(served: Served, part: OutputPart, index: number): readonly object[] {
  const { query = '', pages = [] } = part.search ?? {};
  const id = searchId(served, index);
  const content = pages.map(({ url, title, text, published }) => ({
    type: 'web_search_result',
    url,
    title,
    // The API alone reads it.
    encrypted_content: sealed(text),
    page_age: published,
  }));
  return [
    { type: 'server_tool_use', id, name: 'web_search', input: { query } },
    { type: 'web_search_tool_result', tool_use_id: id, content },
  ];
}

/** Returns the events of the same blocks. The result comes whole. */
export function* searchFrames(
  served: Served,
  part: OutputPart,
  place: { readonly index: number; readonly block: number },
): Iterable<Frame> {
  const [call, result] = searchBlocks(served, part, place.index);
  const open = (type: string, index: number, payload: object): Frame => ({
    type: 'open',
    bytes: event(type, { index, ...payload }),
  });
  yield open('content_block_start', place.block, { content_block: { ...call, input: {} } });
  const partial_json = JSON.stringify({ query: part.search?.query });
  const delta = { type: 'input_json_delta', partial_json };
  yield open('content_block_delta', place.block, { delta });
  yield open('content_block_stop', place.block, {});
  yield open('content_block_start', place.block + 1, { content_block: result });
  yield open('content_block_stop', place.block + 1, {});
}

/** Returns the citations of a text. */
export function citationsOf({ cited }: OutputPart): readonly object[] {
  if (!cited) return [];
  const { url, title, text } = cited;
  const cited_text = text.slice(0, citedCharacters);
  const encrypted_index = sealed(url);
  return [{ type: 'web_search_result_location', url, title, cited_text, encrypted_index }];
}

const citedCharacters = 150;

function searchId(served: Served, index: number): string {
  return `srvtoolu_${served.id.slice(-8)}_${String(index)}`;
}

function sealed(text: string): string {
  // No valid UTF-8, like the bytes of a cipher.
  return Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text).subarray(0, 24)]).toString(
    'base64',
  );
}
