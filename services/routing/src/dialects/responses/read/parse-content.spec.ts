import { describe, expect, test } from 'vitest';
import { accepted, message, refused, type Body } from '../testing/request-body.ts';

const parsed = (part: Body): unknown => {
  const [item] = accepted({ input: [message([part])] }).inference.items;
  return item?.type === 'message' ? item.content[0] : undefined;
};
const why = (part: Body): string => refused({ input: [message([part])] }).message;

describe('a content part', () => {
  test.each<[Body, unknown]>([
    [
      { type: 'input_image', image_url: 'https://a.example/b.png' },
      { type: 'image', detail: 'auto', source: { type: 'url', url: 'https://a.example/b.png' } },
    ],
    [
      { type: 'input_image', detail: 'original', image_url: 'data:image/PNG;base64,aGk=' },
      {
        type: 'image',
        detail: 'original',
        source: { type: 'data', mediaType: 'image/png', base64: 'aGk=' },
      },
    ],
    [
      { type: 'input_image', file_id: 'file-1', image_url: null },
      { type: 'image', detail: 'auto', source: { type: 'id', id: 'file-1' } },
    ],
    [
      { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,aGk=' },
      {
        type: 'file',
        filename: 'a.pdf',
        source: { type: 'data', mediaType: 'application/pdf', base64: 'aGk=' },
      },
    ],
    [
      { type: 'input_file', file_url: 'http://a.example/b.pdf' },
      {
        type: 'file',
        filename: undefined,
        source: { type: 'url', url: 'http://a.example/b.pdf' },
      },
    ],
    [
      { type: 'input_audio', input_audio: { data: 'aGk=', format: 'wav' } },
      { type: 'audio', data: 'aGk=', format: 'wav' },
    ],
    [
      { type: 'input_video', video_url: 'https://a.example/b.mp4' },
      { type: 'video', source: { type: 'url', url: 'https://a.example/b.mp4' } },
    ],
    [
      { type: 'input_text', text: 'a', prompt_cache_breakpoint: { mode: 'explicit' } },
      { type: 'text', text: 'a', cache: { ttl: '5m' } },
    ],
    [
      { type: 'input_text', text: 'a', cache_control: { type: 'ephemeral', ttl: '1h' } },
      { type: 'text', text: 'a', cache: { ttl: '1h' } },
    ],
  ])('of every medium is read: %o', (part, expected) => expect(parsed(part)).toEqual(expected));

  test.each<[Body, string]>([
    [{ type: 'input_image' }, 'image_url: is required, or file_id'],
    [{ type: 'input_image', image_url: 'ftp://a' }, 'image_url: must be an http(s) URL'],
    [{ type: 'input_image', image_url: 'data:image/png,hi' }, 'must be a base64 data URL'],
    [{ type: 'input_image', image_url: 'data:image/png;base64,a*' }, 'is not valid base64'],
    [{ type: 'input_image', image_url: 'https://a', detail: 'huge' }, 'detail: must be one of'],
    [{ type: 'input_file' }, 'file_data: is required, or file_url, or file_id'],
    [{ type: 'input_file', file_data: 'https://a' }, 'file_data: must be a base64 data URL'],
    [{ type: 'input_audio' }, 'input_audio: is required'],
    [{ type: 'input_audio', input_audio: { data: '', format: 'wav' } }, 'data: must not be empty'],
    [{ type: 'input_audio', input_audio: { data: 'aGk=' } }, 'format: is required'],
    [{ type: 'input_audio', input_audio: { data: 'aGk=', format: 'ogg' } }, 'must be one of mp3'],
    [{ type: 'input_video' }, 'video_url: is required'],
    [{ type: 'input_text' }, 'text: is required'],
    [{ type: 'input_text', text: 'a', cache_control: { type: 'x' } }, 'must be one of ephemeral'],
    [{ type: 'output_text', text: 'a' }, 'type: must be one of input_text'],
    [{ type: 'dream' }, 'type: must be one of input_text'],
  ])('that is wrong is refused by its place: %o', (part, reason) => {
    expect(why(part)).toContain('Invalid request: input[0].content[0]');
    expect(why(part)).toContain(reason);
  });

  test('may be a picture or a file up to which the prompt is worth being cached', () => {
    const mark = { cache_control: { type: 'ephemeral', ttl: '1h' } };
    const picture = { type: 'input_image', file_id: 'f', ...mark };
    const file = {
      type: 'input_file',
      file_id: 'f',
      prompt_cache_breakpoint: { mode: 'explicit' },
    };
    const [item] = accepted({ input: [message([picture, file])] }).inference.items;
    expect(item).toMatchObject({ content: [{ cache: { ttl: '1h' } }, { cache: { ttl: '5m' } }] });
  });
});
