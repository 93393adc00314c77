import { task } from '../task.ts';

export const visionDescription = task('vision:description', 'vision', {
  strong:
    'in this picture, in this image, this photo, this picture, this image, alt text, screenshot',
  words: 'picture, image, photo, describe, bild, imagen, foto, chart, diagram, sign',
  weak: 'see, what is, what does, count, read',
});
