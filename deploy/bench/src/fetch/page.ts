const bytes = 200_000;
const words =
  'the committee met in the morning to discuss how a new system should work for all people who use it'.split(
    ' ',
  );

/**
 * Returns a page of 200 KB as sites serve them: a fifth of it is scripts and styles, a fifth is menus and markup around
 * the article, and the rest is an article with links, lists and headings.
 */
export function samplePage(): string {
  const script = `<script>window.state=${JSON.stringify({ data: 'x'.repeat(25_000) })}</script>`;
  const style = `<style>${'.a-class{color:red;margin:0 auto}'.repeat(450)}</style>`;
  const card =
    '<div class="card card--wide"><a class="card__link" href="/section/page"><span>More</span></a></div>';
  const around = `<div class="rail">${card.repeat(380)}</div>`;
  const parts: string[] = [];
  let length = script.length + style.length + around.length;
  for (let index = 0; length < bytes; index += 1) {
    const part = index % 8 === 0 ? list(index) : paragraph(index);
    parts.push(part);
    length += part.length;
  }
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Minutes</title>${style}${script}</head>
<body><nav><a href="/">Home</a></nav><main><article><h1>Minutes</h1>${parts.join('\n')}</article></main>
${around}<footer>Imprint</footer></body></html>`;
}

function paragraph(index: number): string {
  const text = Array.from({ length: 60 }, (_, at) => words[(index * 7 + at * 5) % words.length]);
  text[20] = `<a href="/minutes/${index}">${text[20]}</a>,`;
  text[40] = `<b>${text[40]}</b>,`;
  return `<p>${text.join(' ')}.</p>`;
}

function list(index: number): string {
  const items = Array.from(
    { length: 5 },
    (_, at) => `<li><a href="/item/${at}">Item ${at}</a></li>`,
  );
  return `<h2>Part ${index}</h2><ul>${items.join('')}</ul>`;
}
