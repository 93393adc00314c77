import { setImmediate } from 'node:timers/promises';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { type EngineContent, type FileAdapter, picturesMax } from './file-engine.ts';

const answer = Compile(
  Type.Object({
    pages: Type.Array(
      Type.Object({
        markdown: Type.String(),
        images: Type.Optional(
          Type.Array(Type.Object({ image_base64: Type.Optional(Type.Unknown()) })),
        ),
      }),
    ),
    usage_info: Type.Optional(
      Type.Object({ pages_processed: Type.Optional(Type.Integer({ minimum: 0 })) }),
    ),
  }),
);

const pictureUrl = /^data:image\/[a-z0-9.+-]+;base64,[A-Za-z0-9+/]+={0,2}$/;

/** https://docs.mistral.ai/api/endpoint/ocr */
export const mistralOcr: FileAdapter = {
  baseUrl: 'https://api.mistral.ai',
  path: '/v1/ocr',
  async body({ source, name }) {
    const [before = '', after = ''] = JSON.stringify({
      model: 'mistral-ocr-latest',
      document: {
        type: 'document_url',
        document_url: 'data:application/pdf;base64,\u0000',
        ...(name !== undefined && { document_name: name.replaceAll('\u0000', ' ') }),
      },
      include_image_base64: true,
      image_limit: picturesMax,
    }).split(String.raw`\u0000`);
    return { bytes: await withBase64(before, source, after), contentType: 'application/json' };
  },
  read(value) {
    if (!answer.Check(value)) return undefined;
    const content: EngineContent[] = [];
    let pictures = 0;
    for (const { markdown, images = [] } of value.pages) {
      if (markdown !== '') content.push({ type: 'text', text: `${markdown}\n\n` });
      for (const { image_base64: url } of images) {
        if (pictures >= picturesMax || typeof url !== 'string' || !pictureUrl.test(url)) continue;
        pictures += 1;
        content.push({ type: 'image', url });
      }
    }
    return { content, pages: value.usage_info?.pages_processed ?? value.pages.length };
  },
};

/** Base64 needs no escapes in JSON. A large file is written piece by piece, so that other requests have their turn. */
async function withBase64(before: string, source: Uint8Array | string, after: string) {
  const isText = typeof source === 'string';
  const length = isText ? source.length : Math.ceil(source.length / 3) * 4;
  const begin = Buffer.from(before);
  const bytes = Buffer.allocUnsafe(begin.length + length + Buffer.byteLength(after));
  begin.copy(bytes);
  let at = begin.length;
  for (let from = 0; from < source.length; from += pieceLength) {
    const piece = isText
      ? source.slice(from, from + pieceLength)
      : Buffer.from(source.subarray(from, from + pieceLength)).toString('base64');
    at += bytes.write(piece, at, 'latin1');
    await setImmediate();
  }
  bytes.write(after, at);
  return bytes;
}

/** A multiple of three bytes, whose base64 has no padding. */
const pieceLength = 3 * 262_144;
