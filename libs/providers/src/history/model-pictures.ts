import type { ContentPart, ImageContent, InputItem, NativeItem } from '@sluice/inference';

/**
 * Moves the pictures of the model to the next message of the user, or to a new one at the end. Most APIs take none in
 * messages of the model, though their models may have drawn them.
 */
export function moveModelPictures(items: readonly InputItem[]): readonly InputItem[] {
  if (!items.some(isIllustrated)) return items;
  const moved: InputItem[] = [];
  let pictures: ContentPart[] = [];
  for (const item of items) {
    if (item.type === 'message' && isIllustrated(item)) {
      const content = item.content.filter(({ type }) => type === 'text');
      pictures.push(...item.content.filter(({ type }) => type !== 'text'));
      if (content.length > 0) moved.push({ ...item, content });
    } else if (pictures.length > 0 && item.type === 'message' && item.role === 'user') {
      moved.push({ ...item, content: [...pictures, ...item.content] });
      pictures = [];
    } else moved.push(item);
  }
  if (pictures.length > 0) moved.push({ type: 'message', role: 'user', content: pictures });
  return moved;
}

/** Puts the pictures in items of one dialect into messages of the model. */
export function nativePicturesInMessages(items: readonly InputItem[]): readonly InputItem[] {
  if (!items.some(isPicture)) return items;
  return items.map((item) =>
    isPicture(item) ? { type: 'message', role: 'assistant', content: [item.picture] } : item,
  );
}

function isPicture(item: InputItem): item is NativeItem & { readonly picture: ImageContent } {
  return item.type === 'native' && item.picture !== undefined;
}

function isIllustrated(item: InputItem): boolean {
  const isOfModel = item.type === 'message' && item.role === 'assistant';
  return isOfModel && item.content.some(({ type }) => type !== 'text');
}
