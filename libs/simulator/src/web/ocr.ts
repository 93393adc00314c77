import type { IncomingMessage, ServerResponse } from 'node:http';
import { credentialFault, credentialOf, credentialSha256 } from '../credential.ts';
import { pause, sendJson } from '../delivery.ts';
import { readDirectives } from '../directives.ts';
import { BadRequest, type JsonObject } from '../prompt.ts';
import { knowsOnly, objectAt, textAt } from './fields.ts';
import type { SearchReceipts } from './search-receipts.ts';

export const ocrPath = '/mistral/v1/ocr';

interface OcrOptions {
  readonly receipts: SearchReceipts;
  readonly readBody: (request: IncomingMessage) => Promise<JsonObject>;
}

const dataUrl = /^data:application\/pdf;base64,/u;
/** One white pixel. */
const pixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQ' +
  'DwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

/**
 * Plays the OCR of Mistral: each page has a text with its number, and the first page has a picture. The name of the
 * document has the directives, as `[ocr:error-500]`, because models read it too. The receipt has the pages as its
 * results.
 */
export async function serveOcr(
  request: IncomingMessage,
  response: ServerResponse,
  { receipts, readBody }: OcrOptions,
): Promise<void> {
  const credential = credentialOf(request.headers);
  const refused = credential === '' ? 401 : credentialFault(credential);
  // The simulator repeats the key in the error, as the worst engines do.
  if (refused !== undefined)
    return sendJson(response, refused, { message: `Unauthorized: ${credential}`, request_id: 'x' });
  let asked: { readonly name: string; readonly pages: number };
  try {
    asked = readAsked(await readBody(request));
  } catch (error) {
    if (!(error instanceof BadRequest)) throw error;
    return sendJson(response, 422, { detail: [{ msg: error.message, type: 'value_error' }] });
  }
  const { name, pages } = asked;
  const fault = request.headers['x-sim-fault']?.toString() ?? '';
  const directives = readDirectives('', fault, name.replaceAll('[ocr:', '[sim:'));
  if (directives.hang) return;
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  await pause(directives.firstByteDelayMs, gone.signal);
  if (directives.errorStatus !== undefined)
    return sendJson(response, directives.errorStatus, { message: 'Simulated error' });
  if (directives.malformed) return void response.writeHead(200).end('<html>not an answer</html>');
  await receipts.write({
    id: `ocr-${String(process.hrtime.bigint())}`,
    at: new Date().toISOString(),
    engine: 'mistral-ocr',
    query: name,
    mode: '',
    results: pages,
    client_request_id: request.headers['x-client-request-id']?.toString() ?? '',
    credential_sha256: credentialSha256(credential),
  });
  sendJson(response, 200, answerOf(name, pages));
}

function readAsked(body: JsonObject) {
  knowsOnly(body, ['model', 'document', 'include_image_base64', 'image_limit', 'pages', 'id']);
  textAt(body, 'model');
  const document = objectAt(body, 'document');
  if (document['type'] !== 'document_url') throw new BadRequest('document.type is unknown');
  const url = textAt(document, 'document_url');
  if (!dataUrl.test(url)) throw new BadRequest('document_url is no PDF');
  const pdf = Buffer.from(url.replace(dataUrl, ''), 'base64').toString('latin1');
  const pages = pdf.match(/\/Type\s*\/Page\b/gu)?.length ?? 0;
  if (pages === 0) throw new BadRequest('the document has no pages');
  const name = document['document_name'];
  return { name: typeof name === 'string' ? name : '', pages };
}

function answerOf(name: string, pages: number) {
  return {
    pages: Array.from({ length: pages }, (_, index) => ({
      index,
      markdown: `# Page ${String(index + 1)} of ${name}`,
      images:
        index === 0
          ? [
              {
                id: 'img-0.png',
                top_left_x: 0,
                top_left_y: 0,
                bottom_right_x: 1,
                bottom_right_y: 1,
                image_base64: pixel,
              },
            ]
          : [],
      dimensions: { dpi: 200, height: 2200, width: 1700 },
    })),
    model: 'mistral-ocr-2505-completion',
    document_annotation: null,
    usage_info: { pages_processed: pages, doc_size_bytes: null },
  };
}
