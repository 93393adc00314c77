import { equal } from 'node:assert/strict';
import { test } from 'vitest';
import { Heard } from './heard.ts';

test.each([
  { what: 'nothing', usageId: 'gen-0/1/1', isUnheard: true },
  { what: 'the head of a first attempt', usageId: 'gen-1/1/1', isUnheard: false },
  { what: 'the head of a second attempt', usageId: 'gen-1/2/1', isUnheard: false },
  { what: 'no end of a later turn', usageId: 'gen-1/1/2', isUnheard: true },
  { what: 'no end of a model that a tool asked', usageId: 'gen-1/tool/1/1/1/1', isUnheard: true },
  { what: 'the end', usageId: 'gen-2/1/2', isUnheard: false },
  { what: 'nothing of a call of a tool', usageId: 'gen-0/tool/1', isUnheard: false },
])('a client that heard $what: $usageId', ({ usageId, isUnheard }) => {
  const heard = new Heard();
  heard.note({ generationId: '', status: 0 });
  heard.note({ generationId: 'gen-1', status: 0 });
  heard.note({ generationId: 'gen-2', status: 200 });
  equal(heard.isUnheard(usageId), isUnheard);
});
