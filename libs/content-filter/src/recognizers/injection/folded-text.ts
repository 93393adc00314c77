import type { TextView } from '../../views/text-view.ts';
import { latinText } from '../../views/text-views.ts';

/** Returns the text without hidden characters, accents, look-alikes and capitals. */
export function foldedText(text: string): TextView {
  const { text: latin, origins } = latinText(text);
  return { text: latin.toLowerCase(), origins };
}
