import { deepEqual } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'vitest';
import { images } from './images.ts';

test('the suites run on the images that docker-compose.yml starts', () => {
  const compose = readFileSync(new URL('../../../../docker-compose.yml', import.meta.url), 'utf8');
  deepEqual(
    Object.values(images).filter((image) => !compose.includes(`image: ${image}\n`)),
    [],
  );
});
