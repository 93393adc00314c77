import type { Model } from '@sluice/catalog';

const millisecondsPerSecond = 1_000;

/** The models as a feed. Where the server is reached is not known here: its links are paths. */
export function rssView(models: readonly Model[]): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rss version="2.0"><channel>',
    '<title>Models</title><link>/v1/models</link><description>The models that can be called</description>',
    ...models.map(itemView),
    '</channel></rss>',
    '',
  ].join('\n');
}

function itemView({ id, name, description, created }: Model): string {
  const date = new Date(created * millisecondsPerSecond).toUTCString();
  return [
    '<item>',
    `<title>${escaped(name)}</title>`,
    `<link>/v1/models/${escaped(id)}/endpoints</link>`,
    `<guid isPermaLink="false">${escaped(id)}</guid>`,
    `<description>${escaped(description)}</description>`,
    ...(created === 0 ? [] : [`<pubDate>${date}</pubDate>`]),
    '</item>',
  ].join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Leaves out characters that XML cannot hold. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
}
