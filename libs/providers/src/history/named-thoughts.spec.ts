import type { StreamPart } from '@sluice/inference';
import { expect, test } from 'vitest';
import { namedThoughts } from './named-thoughts.ts';

const start: StreamPart = { type: 'reasoning-start', part: 0 };
const text: StreamPart = { type: 'text-delta', part: 1, delta: 'a' };
const needs = { textsFirst: false, thoughtFormat: 'mine' };

test('a thought begins with the format of its dialect, unless it has one', () => {
  expect(namedThoughts([start, text], needs)).toEqual([{ ...start, format: 'mine' }, text]);
  const named: StreamPart = { ...start, format: 'other' };
  expect(namedThoughts([named], needs)).toEqual([named]);
});

test('other parts pass as they are, and so do thoughts that any model can read', () => {
  const parts = [text];
  expect(namedThoughts(parts, needs)).toBe(parts);
  expect(namedThoughts([start], { textsFirst: false })).toEqual([start]);
});
