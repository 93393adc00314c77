import { type Content, Unreadable } from '../content.ts';
import { namesOf, partsOf } from './archive.ts';
import { readNumberFormats } from './number-formats.ts';
import { readOpenDocument } from './open-document.ts';
import { readSharedStrings, readSheet } from './sheet.ts';
import { readSlide } from './slide.ts';
import { walkXml } from './walk-xml.ts';
import { readWord } from './word.ts';

/**
 * Returns the text of a DOCX, XLSX, PPTX, ODT, ODS or ODP as Markdown. Sheets and slides end when there are enough
 * characters.
 */
export function readOffice(bytes: Uint8Array, charactersMax: number): Content {
  if (bytes[0] === 0xd0 && bytes[1] === 0xcf)
    throw new Unreadable(
      'The document has a password, or is in the binary format before DOCX, XLSX and PPTX',
    );
  const names = new Set(namesOf(bytes));
  if (names.has('word/document.xml')) return readWordDocument(bytes);
  if (names.has('xl/workbook.xml')) return readWorkbook(bytes, charactersMax);
  if (names.has('ppt/presentation.xml')) return readSlides(bytes, charactersMax);
  const content = names.has('mimetype') && partsOf(bytes, /^content\.xml$/).get('content.xml');
  if (typeof content !== 'string')
    throw new Unreadable('The document is an archive, and no office document');
  return { title: '', text: readOpenDocument(content) };
}

function readWordDocument(bytes: Uint8Array): Content {
  const parts = partsOf(bytes, /^word\/(?:document|footnotes|endnotes)\.xml$/);
  const texts = ['document', 'footnotes', 'endnotes'].map((name) =>
    readWord(parts.get(`word/${name}.xml`) ?? ''),
  );
  return { title: '', text: texts.filter((text) => text !== '').join('\n\n') };
}

function readWorkbook(bytes: Uint8Array, charactersMax: number): Content {
  const parts = partsOf(
    bytes,
    /^xl\/(?:workbook\.xml|sharedStrings\.xml|styles\.xml|_rels\/workbook\.xml\.rels|worksheets\/[^/]+\.xml)$/,
  );
  const workbook = parts.get('xl/workbook.xml') ?? '';
  const strings = readSharedStrings(parts.get('xl/sharedStrings.xml') ?? '');
  const formats = readNumberFormats(parts.get('xl/styles.xml') ?? '', workbook);
  const targets = readTargets(parts.get('xl/_rels/workbook.xml.rels') ?? '');
  const sheets = readReferences(workbook, 'sheet').map(({ name, id }) => () => {
    const table = readSheet(parts.get(partAt('xl', targets.get(id))) ?? '', { strings, formats });
    return table === '' ? '' : `## ${name ?? id}\n\n${table}`;
  });
  return { title: '', text: joined(sheets, charactersMax) };
}

function readSlides(bytes: Uint8Array, charactersMax: number): Content {
  const parts = partsOf(
    bytes,
    /^ppt\/(?:presentation\.xml|_rels\/presentation\.xml\.rels|slides\/[^/]+\.xml)$/,
  );
  const targets = readTargets(parts.get('ppt/_rels/presentation.xml.rels') ?? '');
  const references = readReferences(parts.get('ppt/presentation.xml') ?? '', 'sldId');
  const slides = references.map(({ id }, index) => () => {
    const text = readSlide(parts.get(partAt('ppt', targets.get(id))) ?? '');
    return text === '' ? '' : `## Slide ${index + 1}\n\n${text}`;
  });
  return { title: '', text: joined(slides, charactersMax) };
}

function joined(texts: readonly (() => string)[], charactersMax: number): string {
  const all: string[] = [];
  let characters = 0;
  for (const read of texts) {
    if (characters > charactersMax) break;
    const text = read();
    if (text === '') continue;
    all.push(text);
    characters += text.length;
  }
  return all.join('\n\n');
}

interface Reference {
  readonly id: string;
  readonly name: string | undefined;
}

/** Returns the references of a part to others, in their order. */
function readReferences(xml: string, element: string): readonly Reference[] {
  const found: Reference[] = [];
  walkXml(xml, {
    onOpen(name, attributes) {
      const id = attributes['r:id'];
      if (name === element && id !== undefined) found.push({ id, name: attributes['name'] });
    },
    onText: () => undefined,
    onClose: () => undefined,
  });
  return found;
}

function readTargets(xml: string): ReadonlyMap<string, string> {
  const targets = new Map<string, string>();
  walkXml(xml, {
    onOpen(name, { Id, Target }) {
      if (name === 'Relationship' && Id && Target) targets.set(Id, Target);
    },
    onText: () => undefined,
    onClose: () => undefined,
  });
  return targets;
}

/** A target is relative to the folder of the part that has it, or absolute. */
function partAt(folder: string, target = ''): string {
  return target.startsWith('/') ? target.slice(1) : `${folder}/${target}`;
}
