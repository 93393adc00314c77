import type { MediaSource } from '@sluice/inference';

/** Returns the id or the URL of a medium, or the medium as a data URL. */
export function mediaUrl(source: MediaSource): string {
  switch (source.type) {
    case 'id':
      return source.id;
    case 'url':
      return source.url;
    case 'data':
      return `data:${source.mediaType};base64,${source.base64}`;
  }
}
