import { equal, match, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { work } from '../document-work.ts';
import { officeOf, presentationOf, sheetOf, wordOf } from '../testing/office.ts';

const types = {
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  unknown: 'application/octet-stream',
};

async function textOf(source: Uint8Array, contentType = types.unknown): Promise<string> {
  const read = await work({ source, contentType, url: '', tokensMax: 100_000 });
  return 'error' in read ? `error: ${read.error}` : read.content;
}

const paragraph = (text: string, properties = '') =>
  `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;

describe('the text of an office document', () => {
  test('is that of a DOCX, with its headings, lists, tables and footnotes', async () => {
    const cell = (text: string) => `<w:tc>${paragraph(text)}</w:tc>`;
    const document = wordOf(
      [
        paragraph('Report', '<w:pStyle w:val="Heading1"/>'),
        '<w:p><w:r><w:t>Revenue </w:t></w:r><w:r><w:tab/><w:t>grew &amp; grew.</w:t></w:r></w:p>',
        paragraph('one', '<w:numPr/>'),
        `<w:tbl><w:tr>${cell('Year')}${cell('Sum')}</w:tr><w:tr>${cell('2025')}${cell('a|b')}</w:tr></w:tbl>`,
        '<w:p><w:del><w:r><w:t>gone</w:t></w:r></w:del><w:r><w:delText>gone</w:delText></w:r></w:p>',
        '<w:p><mc:AlternateContent><mc:Choice><w:t>box</w:t></mc:Choice>' +
          '<mc:Fallback><w:t>box</w:t></mc:Fallback></mc:AlternateContent></w:p>',
      ].join(''),
      { 'word/footnotes.xml': `<w:footnotes>${paragraph('A note.')}</w:footnotes>` },
    );
    equal(
      await textOf(document, types.docx),
      '# Report\n\nRevenue \tgrew & grew.\n\n- one\n\n' +
        '| Year | Sum |\n| --- | --- |\n| 2025 | a\\|b |\n\nbox\n\nA note.',
    );
  });

  test('is that of an XLSX, with shared texts, dates and results of formulas', async () => {
    const rows =
      '<row><c r="A1" t="s"><v>0</v></c><c r="C1" t="inlineStr"><is><t>Sum</t></is></c></row>' +
      '<row><c r="A2" s="1"><v>45658</v></c><c r="B2"><v>7</v></c><c r="C2"><f>B2*2</f><v>14</v></c></row>' +
      '<row><c r="A3" s="2"><v>45658.75</v></c><c r="B3" t="b"><v>1</v></c><c r="ZZ3"><v>9</v></c></row>';
    const sheet = sheetOf(rows, {
      'xl/sharedStrings.xml':
        '<sst><si><r><t>Da</t></r><r><t>y</t></r><rPh><t>x</t></rPh></si></sst>',
      'xl/styles.xml':
        '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[Red]yyyy\\-mm"/></numFmts>' +
        '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>' +
        '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/></cellXfs></styleSheet>',
    });
    const text = await textOf(sheet);
    match(text, /^## Costs\n\n\| Day \| {2}\| Sum \|\n\| --- \| --- \| --- \|\n/);
    match(text, /\| 2025-01-01 \| 7 \| 14 \|\n\| 2025-01-01 18:00:00 \| TRUE \|/);
    match(text, /\| 9 \|$/);
  });

  test('is that of a PPTX in the order of its slides', async () => {
    equal(
      await textOf(presentationOf(['First', 'Second'])),
      '## Slide 1\n\nFirst\n\n## Slide 2\n\nSecond',
    );
  });

  test('is that of an ODT', async () => {
    const content =
      '<office:document-content><office:body><office:text>' +
      '<text:tracked-changes><text:p>gone</text:p></text:tracked-changes>' +
      '<text:h text:outline-level="2">Report</text:h><text:p>a<text:s text:c="3"/>b<text:tab/>c</text:p>' +
      '<text:list><text:list-item><text:p>one</text:p></text:list-item></text:list>' +
      '<table:table table:name="Costs"><table:table-row><table:table-cell><text:p>x</text:p></table:table-cell>' +
      '</table:table-row></table:table></office:text></office:body></office:document-content>';
    const document = officeOf({
      mimetype: 'application/vnd.oasis.opendocument.text',
      'content.xml': content,
    });
    equal(await textOf(document), '## Report\n\na   b\tc\n\n- one\n\n## Costs\n\n| x |\n| --- |');
  });
});

describe('a hostile office document', () => {
  const bomb = () => {
    const document = wordOf(paragraph('x'.repeat(5_000_000)));
    // The archive says that the part has ten bytes, in its directory.
    const directory = document.lastIndexOf(Buffer.from('PK\x01\x02word/document.xml'.slice(0, 4)));
    document.writeUInt32LE(10, directory + 24);
    return document;
  };

  test.each<[string, () => Buffer, RegExp]>([
    ['no office document', () => officeOf({ 'a.txt': 'text' }), /is an archive, and no office/],
    ['cut', () => wordOf(paragraph('text')).subarray(0, 60), /is damaged/],
    ['without a text', () => wordOf(''), /has no text/],
    ['of the binary format', () => Buffer.from('d0cf11e0a1b11ae1', 'hex'), /has a password, or/],
    [
      'large when it is unpacked',
      () => wordOf(paragraph('x'.repeat(70_000_000))),
      /too large when it is unpacked/,
    ],
    ['of many parts', () => officeOf(Object.fromEntries(manyParts())), /too many parts/],
    ['nested', () => wordOf('<w:sdt>'.repeat(2_000)), /nested too deeply/],
  ])('is an error: %s', async (_, document, error) => {
    match(await textOf(document(), types.docx), error);
  });

  test('never unpacks to more than it says', async () => {
    const text = await textOf(bomb());
    ok(text.length < 1_000, text.slice(0, 100));
  });

  test('defines no entities', async () => {
    const document = officeOf({
      'word/document.xml':
        '<!DOCTYPE d [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><w:p><w:t>&b;</w:t></w:p>',
    });
    equal(await textOf(document), '&b;');
  });

  test('is never an exception, whatever its parts', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('word/document.xml', 'xl/workbook.xml', 'ppt/presentation.xml', 'mimetype'),
        fc.string(),
        fc.string(),
        async (name, text, more) => {
          const source = officeOf({
            [name]: text,
            'content.xml': more,
            'xl/worksheets/sheet1.xml': more,
            'xl/_rels/workbook.xml.rels': more,
          });
          ok(typeof (await textOf(source)) === 'string');
        },
      ),
      { numRuns: 50 },
    );
  });
});

function manyParts() {
  return Array.from({ length: 20_001 }, (_, at) => [`p${at}`, ''] as const);
}
