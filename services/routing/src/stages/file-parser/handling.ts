import type { FileContent } from '@sluice/inference';
import type { PluginSettings } from '../../request/plugins.ts';

/** An engine that reads PDFs in place of the endpoint. */
export type PdfEngine = 'mistral-ocr' | 'cloudflare-ai';

/** `native`: the endpoint gets the file. Else the file becomes a text: a PDF by the engine, others here. */
export type Handling = 'native' | PdfEngine;

/** The begin of the ids of files of workspaces. */
const ownIds = 'svc_file_';

const pdfType = 'application/pdf';
const pdfName = /\.pdf$/i;
/** Endings of documents that no endpoint has to read: the text of each is at hand. */
const documentName =
  /\.(?:docx|xlsx|pptx|odt|ods|odp|txt|md|csv|tsv|json|jsonl|xml|html?|ya?ml|log|rtf)$/i;
const mediaType = /^(?:image|audio|video)\//;

/**
 * Returns the handling of a file. Without an engine in the settings the endpoint reads PDFs itself if it can. Other
 * documents become texts in any case, because few endpoints read them.
 */
export function handlingOf(
  file: FileContent,
  settings: PluginSettings<'file-parser'>,
  takesFiles: boolean,
): Handling {
  const { source } = file;
  if (source.type === 'id' && !source.id.startsWith(ownIds)) return 'native';
  if (takesFiles && (file.isCited || isMedium(file))) return 'native';
  const asked = settings.pdf?.engine ?? undefined;
  const isLeft = asked === 'native' || (asked === undefined && takesFiles);
  if (isLeft && mayBePdf(file)) return 'native';
  return asked === 'cloudflare-ai' || asked === 'pdf-text' ? 'cloudflare-ai' : 'mistral-ocr';
}

export function isOwnId(id: string): boolean {
  return id.startsWith(ownIds);
}

function isMedium({ source }: FileContent): boolean {
  return source.type === 'data' && mediaType.test(source.mediaType);
}

/** A file whose kind is not told is taken for a PDF. */
function mayBePdf({ source, filename = '' }: FileContent): boolean {
  if (source.type === 'data' && source.mediaType === pdfType) return true;
  if (pdfName.test(filename)) return true;
  if (source.type === 'url')
    return (
      !documentName.test(filename) && !documentName.test(URL.parse(source.url)?.pathname ?? '')
    );
  if (source.type === 'id') return !documentName.test(filename);
  return source.mediaType === 'application/octet-stream' && !documentName.test(filename)
    ? source.base64.startsWith('JVBERi0')
    : false;
}
