import { strToU8, zipSync } from 'fflate';

/** Returns an archive of these parts, by name. */
export function officeOf(parts: Readonly<Record<string, string>>): Buffer {
  const entries = Object.entries(parts).map(([name, text]) => [name, strToU8(text)] as const);
  return Buffer.from(zipSync(Object.fromEntries(entries)));
}

const wordSpace = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const ofOffice = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';

/** Returns a DOCX with this XML in its body. */
export function wordOf(body: string, more: Readonly<Record<string, string>> = {}): Buffer {
  return officeOf({
    '[Content_Types].xml': '<Types/>',
    'word/document.xml': `<w:document ${wordSpace}><w:body>${body}</w:body></w:document>`,
    ...more,
  });
}

/** Returns an XLSX with one sheet of these rows. */
export function sheetOf(rows: string, more: Readonly<Record<string, string>> = {}): Buffer {
  return officeOf({
    'xl/workbook.xml': `<workbook ${ofOffice}><sheets><sheet name="Costs" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
    ...more,
  });
}

/** Returns a PPTX whose slides have these texts. */
export function presentationOf(texts: readonly string[]): Buffer {
  const ids = texts.map((_, at) => `<p:sldId r:id="rId${at}"/>`).join('');
  const targets = texts.map(
    (_, at) => `<Relationship Id="rId${at}" Target="slides/slide${texts.length - at}.xml"/>`,
  );
  const slides = texts.map((text, at) => [
    `ppt/slides/slide${texts.length - at}.xml`,
    `<p:sld><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:sld>`,
  ]);
  return officeOf({
    'ppt/presentation.xml': `<p:presentation ${ofOffice}><p:sldIdLst>${ids}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': `<Relationships>${targets.join('')}</Relationships>`,
    ...(Object.fromEntries(slides) as Record<string, string>),
  });
}
