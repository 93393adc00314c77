import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { FileAdapter } from './file-engine.ts';

const answer = Compile(
  Type.Object({
    success: Type.Literal(true),
    result: Type.Array(
      Type.Object({ format: Type.Optional(Type.String()), data: Type.String({ minLength: 1 }) }),
      { minItems: 1, maxItems: 1 },
    ),
  }),
);

const boundary = 'sluice-7c1e5b0d9a3f4e62';

/** https://developers.cloudflare.com/workers-ai/features/markdown-conversion. Its base URL names the account. */
export const cloudflareAi: FileAdapter = {
  path: '/ai/tomarkdown',
  body({ source, name = 'file.pdf' }) {
    const file = typeof source === 'string' ? Buffer.from(source, 'base64') : source;
    const plain = name.replaceAll(/["\\\p{Cc}]/gu, '_');
    const head =
      `--${boundary}\r\nContent-Disposition: form-data; name="files"; filename="${plain}"\r\n` +
      'Content-Type: application/pdf\r\n\r\n';
    const bytes = Buffer.concat([Buffer.from(head), file, Buffer.from(`\r\n--${boundary}--\r\n`)]);
    return { bytes, contentType: `multipart/form-data; boundary=${boundary}` };
  },
  read(value) {
    if (!answer.Check(value)) return undefined;
    const [converted] = value.result;
    if (!converted || converted.format === 'error') return undefined;
    return { content: [{ type: 'text', text: converted.data }], pages: undefined };
  },
};
