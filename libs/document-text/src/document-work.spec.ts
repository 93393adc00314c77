import { deepEqual, equal, match, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { type DocumentTask, work } from './document-work.ts';
import { pdfOf } from './testing/pdf.ts';

const read = (
  body: string | Uint8Array,
  contentType = 'text/html',
  more: Partial<DocumentTask> = {},
) =>
  work({
    source: typeof body === 'string' ? Buffer.from(body) : body,
    contentType,
    url: 'https://shop.example/docs/page',
    tokensMax: 10_000,
    ...more,
  });

async function contentOf(...args: Parameters<typeof read>): Promise<string> {
  const result = await read(...args);
  return 'error' in result ? `error: ${result.error}` : result.content;
}

const sentence = 'The quick brown fox jumps over the lazy dog, and then it rests in the shade. ';

describe('the text of an HTML page', () => {
  test('is its article as Markdown, with absolute links', async () => {
    const result = await read(`<!doctype html><title>A fox</title><script>hidden()</script>
      <nav><a href="/">Home</a></nav>
      <article><h1>A fox</h1><h2>It <em>jumps</em></h2>
      <p>${sentence.repeat(8)}<a href="../more">More</a></p>
      <pre><code>code()</code></pre><ul><li>one<li>two</ul></article>
      <footer>Imprint</footer>`);
    ok(!('error' in result));
    equal(result.title, 'A fox');
    match(result.content, /## It _jumps_/);
    match(result.content, /\[More\]\(https:\/\/shop\.example\/more\)/);
    match(result.content, /```\ncode\(\)\n```/);
    match(result.content, /- +one\n- +two/);
    ok(!/hidden|Imprint/.test(result.content));
  });

  test('is all of a page that has no article', async () => {
    equal(await contentOf('<p>Only <b>this</b></p>'), 'Only **this**');
    equal(await contentOf('<html><body></body></html>'), 'error: The document has no text');
  });

  test('has tables of data as tables, and the text of tables that lay out a page', async () => {
    const data = `<table><thead><tr><th>Planet</th><th>Moons</th></tr></thead><tbody>
      <tr><td><a href="/mars">Mars</a></td><td>2 | two</td></tr>
      <tr><td>Venus</td><td><p>0</p></td></tr></tbody></table>`;
    match(
      await contentOf(`<article><p>${sentence.repeat(8)}</p>${data}</article>`),
      /\n\n\| Planet \| Moons \|\n\| --- \| --- \|\n\| \[Mars\]\(\S+\) \| 2 \\\| two \|\n\| Venus \| 0 \|$/,
    );
    equal(await contentOf('<table><tr><td><p>one</p><p>two</p></td></tr></table>'), 'one\n\ntwo');
  });

  test('is found whatever the classes of the page say', async () => {
    const page = `<html class="light sidebar-visible"><body class="menu"><div id="help"><p>Press a key</p></div>
      <div><main><h1>Foxes</h1><p>${sentence.repeat(8)}</p></main></div></body></html>`;
    const content = await contentOf(page);
    match(content, /quick brown fox/);
    ok(!content.includes('Press a key'));
  });

  test('is all of a short page, whichever part would be its article', async () => {
    const page = `<html><head><title>Stdio</title></head><body>
      <div id="help"><p>Press left or right, and press a key to see this help again.</p></div>
      <main><h1>Stdio</h1><p>For internal use.</p></main></body></html>`;
    match(await contentOf(page), /Press left[^]*For internal use/);
  });

  test('has no escapes where a character reference stands in it', async () => {
    equal(await contentOf('<p>a -&gt; b &lt;= c</p>'), 'a -> b <= c');
  });

  test('has one title, and no second one in its text', async () => {
    const result = await read('<body><title>One</title><p>text<title>Two</title></p></body>');
    deepEqual(result, { kind: 'html', title: 'One', content: 'text', isCut: false });
  });

  test('has links below the base that the page names', async () => {
    const page = `<base href="https://other.example/a/"><article><p>${sentence.repeat(8)}
      <a href="b">B</a></p></article>`;
    match(await contentOf(page), /\(https:\/\/other\.example\/a\/b\)/);
  });
});

describe('another body', () => {
  test('is read as it is if it is text', async () => {
    equal(await contentOf('{"a": 1}', 'application/json'), '{"a": 1}');
    equal(await contentOf('<a/>', 'application/atom+xml; charset=utf-8'), '<a/>');
    equal(await contentOf('a <b> c', 'text/plain'), 'a <b> c');
    equal(await contentOf('plain', ''), 'plain');
    equal(await contentOf(' <!DOCTYPE HTML><p>page', 'application/octet-stream'), 'page');
  });

  test('is an error if it is none', async () => {
    const error = 'error: The document is not HTML, PDF, an office document or another text';
    equal(await contentOf('GIF89a', 'image/gif'), error);
    equal(await contentOf(Buffer.from([1, 0, 2, 0]), ''), error);
    equal(await contentOf('', 'text/plain'), 'error: The document has no text');
  });

  test('is read page by page if it is a PDF', async () => {
    const pdf = pdfOf(['First page', 'Second page'], 'A title');
    deepEqual(await read(pdf, 'application/pdf'), {
      title: 'A title',
      content: 'First page\n\nSecond page',
      isCut: false,
      kind: 'pdf',
      pages: 2,
    });
    equal(await contentOf(pdf, 'application/octet-stream'), 'First page\n\nSecond page');
    match(await contentOf(pdf.subarray(0, 40), 'application/pdf'), /^error: /);
    equal(
      await contentOf(pdfOf(['']), 'application/pdf'),
      'error: The PDF has no text, but images of it at most',
    );
  });
});

describe('the encoding of a page', () => {
  const japanese = Buffer.from('93fa967b8cea82cc836583588367', 'hex');
  test.each<[string, Uint8Array, string, string]>([
    ['in its header', Buffer.from('caf\u00e9', 'latin1'), 'text/plain; charset=ISO-8859-1', 'café'],
    [
      'in its page',
      Buffer.concat([Buffer.from('<meta charset=shift_jis><p>'), japanese]),
      'text/html',
      '日本語のテスト',
    ],
    ['as a mark', Buffer.from('\uFEFFgrün', 'utf16le'), 'text/plain', 'grün'],
    ['nowhere, and it is UTF-8', Buffer.from('grün 日本'), 'text/plain', 'grün 日本'],
    ['nowhere, and it is Latin', Buffer.from('caf\u00e9', 'latin1'), 'text/plain', 'café'],
    ['wrong', Buffer.from('grün'), 'text/plain; charset=us-nonsense', 'grün'],
    [
      'wrong for its bytes',
      Buffer.from('caf\u00e9', 'latin1'),
      'text/plain; charset=utf-8',
      'café',
    ],
  ])('is declared %s', async (_, body, type, text) => {
    equal(await contentOf(body, type), text);
  });
});

describe('a long text', () => {
  test('is cut to about as many tokens, and no character is halved', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !text.includes('\0')),
        fc.integer({ min: 1, max: 20 }),
        async (text, tokensMax) => {
          const result = await read(`x${text}`, 'text/plain; charset=utf-8', { tokensMax });
          if ('error' in result) return;
          ok(`x${text}`.startsWith(result.content));
          ok(result.content.isWellFormed());
          equal(result.isCut, result.content !== `x${text}`);
          ok(result.content.length <= tokensMax * 4);
        },
      ),
    );
  });
});

describe('a hostile page', () => {
  test.each([
    ['200,000 nested elements', '<div>'.repeat(200_000)],
    ['200,000 elements', '<b></b>'.repeat(200_000)],
    ['200,000 nested elements with an end', `${'<i>'.repeat(200_000)}${'</i>'.repeat(200_000)}`],
    ['500 nested elements', `${'<div>'.repeat(500)}text`],
    ['5,000 nested lists', '<ul><li>'.repeat(5_000)],
    ['a tag that never ends', `<div ${'a '.repeat(500_000)}`],
    ['a PDF that is none', '%PDF-1.7\nnonsense'],
  ])('is an error: %s', async (_, page) => {
    match(
      await contentOf(page, page.startsWith('%') ? 'application/pdf' : 'text/html'),
      /^error: /,
    );
  });

  test.each([
    ['a huge attribute', `<p title="${'x'.repeat(5_000_000)}">text</p>`],
    [
      '5,000 attributes',
      `<p ${Array.from({ length: 5_000 }, (_, n) => `a${n}=1`).join(' ')}>text</p>`,
    ],
    [
      'an image in its text',
      `<p>text<img src="data:image/png;base64,${'A'.repeat(1_000_000)}"></p>`,
    ],
    ['a script', '<p>text<script>throw new Error("ran")</script></p>'],
    ['tags that are not closed', '<p>text<table><tr><td></p></b></i></table>'],
  ])('shows its text alone: %s', async (_, page) => {
    equal(await contentOf(page), 'text');
  });

  test('is an error if a PDF has too many pages', async () => {
    const many = pdfOf(Array.from({ length: 501 }, () => 'x'));
    equal(await contentOf(many, 'application/pdf'), 'error: The PDF has more than 500 pages');
  });

  test('is never an exception, whatever its bytes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.uint8Array({ maxLength: 400 }),
          fc.string({ maxLength: 400 }).map((text) => Buffer.from(`<p>${text}`)),
        ),
        fc.constantFrom(
          'text/html',
          'application/pdf',
          'text/plain; charset=utf-7',
          '',
          'text/html; charset=gb18030',
        ),
        async (bytes, type) => {
          const result = await read(bytes, type);
          ok('error' in result || typeof result.content === 'string');
        },
      ),
    );
  });
});
