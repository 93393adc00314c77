import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readRecordings } from './recording.ts';
import { replay } from './replay.ts';

const folder = fileURLToPath(new URL('../recordings', import.meta.url));

test('each recording comes out of each door as it was recorded, and a wrong one is found', async () => {
  const { recordings, unread } = await readRecordings(folder);
  expect(unread).toEqual([]);
  expect(new Set(recordings.map(({ dialect }) => dialect)).size).toBe(4);
  const [first] = recordings;
  if (!first) throw new Error('there are no recordings');
  const wrong = {
    ...first,
    name: 'wrong',
    telling: { ...first.telling, text: 'another', outputTokens: 1_000 },
  };
  const verdicts = await replay([...recordings, wrong]);
  const failed = verdicts.filter(({ findings }) => findings.length > 0);
  expect(failed.filter(({ name }) => !name.startsWith('wrong'))).toEqual([]);
  const ofWrong = verdicts.filter(({ name }) => name.startsWith('wrong'));
  expect(ofWrong.length).toBeGreaterThan(0);
  for (const { findings } of ofWrong)
    expect(findings.map((finding) => finding.split(' ')[0])).toEqual(
      expect.arrayContaining(['text', 'outputTokens']),
    );
});
