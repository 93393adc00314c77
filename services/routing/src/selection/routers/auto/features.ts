import type { InferenceRequest, InputItem } from '@sluice/inference';
import { type ShapeFeatures, shapeNames, shapeOf } from './shape.ts';

const contentNames = [
  'tools',
  'image',
  'code',
  'trace',
  'sql',
  'markup',
  'diff',
  'formula',
  'figures',
  'transcript',
  'options',
  'quoted',
  'question',
  'file_tools',
  'web_tools',
  'many_tools',
] as const;

export const featureNames = [...contentNames, ...shapeNames] as const;

/** The facts of a request that do not depend on single words. */
export type Features = ContentFeatures & ShapeFeatures;

export type ContentFeatures = { readonly [Name in (typeof contentNames)[number]]: boolean };

/** A request as the classifier reads it. */
export interface Reading {
  /** The beginning and the end of the last message, without its code. */
  readonly prose: string;
  /** The beginning of the prompt of the system. */
  readonly system: string;
  readonly features: Features;
}

const readMax = 4_096;
const headMax = 400;
const tailMax = 200;
const systemMax = 300;
const linesMany = 3;
const linesMax = 200;
const toolsMany = 3;
const codeLinesMany = 2;

/** No part of these patterns runs over the end of a line, so that they read a text in linear time. */
const codeLines = [
  /[;{}][ \t]*$|=>|::|\(\) *\{/,
  /^[ \t]*(?:def|class|function|import|from|#include|public|private|const|let|var|return|package)\b.*[({:;=]/,
  /^[ \t]*(?:func|fn|if|for|while|else|try|except|@\w+)\b.*[({:;=]/,
  /^[ \t]*[\w.]+(?:\[.{0,20}\])? [-+*]?= |^ {2,}\w+\(|^[ \t]*<\/?[a-z][^>]*>/,
  /^[ \t]*(?:mov|add|sub|jne|jmp|xor|ret|cmp)\b/,
];
const sql =
  /^[ \t]*(?:select|insert into|create table|alter table|delete from|update \w+ set|with \w+ as)\b/im;
const markup =
  /<\/?(?:div|nav|style|ul|li|span|button|table|html|body|input|form|img|a|p|h1)\b|\{ ?[a-z-]{3,20}: ?[^;{}]{1,40};/i;
const traces = [
  /\b[A-Z]\w{2,40}(?:Error|Exception)\b|Traceback|\bERROR\b|\bpanic:/,
  /^[ \t]+at .{1,120}:\d+|exit code [1-9]|segmentation fault/m,
];
const diff = /^[-+] ?[a-z@]/im;
const formula = /\d ?[-+*/^=×÷] ?\d|\d ?[a-z] ?[-+=] ?\d|\d ?% of|[√∫∑]/i;
const figureLine = /(?:\d+(?:[.,]\d+)*[;, \t|]+){2,}\d/;
const speakerLine = /^\[?\d{1,2}:\d\d|^@?[^\s:：\d]{1,20}(?: \(\w+\))?[:：]/;
const options = /[[(:：] ?[^\s,()[\]:][^,()[\]:\n]{1,28}(?:, ?[^,()[\]:\n]{2,28}){2,12}[\])?]/;
/** A text that the task is about. */
const quoted = /[:：]\s+\S.{14}|["“”«„「『][^"“”«»„「」『』]{8,}["“”»「」』]/;
const fileTools = /edit|write|patch|diff|file|replace/i;
const webTools = /search|browse|web|open_url|open_page|fetch|find_in_page/i;

export function readRequest({ items, tools }: InferenceRequest): Reading {
  const { text, hasImage } = lastAsked(items);
  const lines = text.split('\n', linesMax);
  const plainLines = lines.filter((line) => !isCodeLine(line));
  const found = lines.length - plainLines.length;
  const isCode = text.includes('```') || found >= codeLinesMany || (found > 0 && lines.length > 1);
  const names = tools.map((tool) =>
    tool.type === 'native' ? String(tool.tool['type']) : tool.name,
  );
  const plain = isCode ? plainLines.join('\n') : text;
  const trimmed = plain.trim();
  const prose = edges(trimmed === '' ? text : trimmed);
  const system = systemText(items);
  const features: ContentFeatures = {
    tools: tools.length > 0,
    image: hasImage,
    code: isCode,
    trace: traces.some((pattern) => pattern.test(text)),
    sql: sql.test(text),
    markup: markup.test(text),
    diff: isCode && lines.filter((line) => diff.test(line)).length > 1,
    formula: !isCode && formula.test(text),
    figures: !isCode && lines.filter((line) => figureLine.test(line)).length >= linesMany,
    transcript: !isCode && lines.filter((line) => speakerLine.test(line)).length >= linesMany,
    options: !isCode && options.test(text),
    quoted: !isCode && quoted.test(text),
    question: /[?？]\s*$/.test(trimmed),
    file_tools: names.some((name) => fileTools.test(name)),
    web_tools: names.some((name) => webTools.test(name)),
    many_tools: names.length >= toolsMany,
  };
  const shape = shapeOf({ text, prose, system, tools: names.length, features });
  return { prose, system, features: { ...features, ...shape } };
}

function isCodeLine(line: string): boolean {
  for (const pattern of codeLines) if (pattern.test(line)) return true;
  return false;
}

function edges(text: string): string {
  return text.length <= headMax + tailMax
    ? text
    : `${text.slice(0, headMax)}\n${text.slice(-tailMax)}`;
}

/** Returns the text of the last user message, and whether it has a picture. */
function lastAsked(items: readonly InputItem[]): {
  readonly text: string;
  readonly hasImage: boolean;
} {
  const message = items.findLast((item) => item.type === 'message' && item.role === 'user');
  if (message?.type !== 'message') return { text: '', hasImage: false };
  const hasImage = message.content.some(({ type }) => type === 'image');
  let text = '';
  for (const part of message.content) {
    if (part.type !== 'text') continue;
    text += text === '' ? part.text : `\n${part.text}`;
    if (text.length >= readMax) break;
  }
  if (text.length > readMax) text = `${text.slice(0, readMax / 2)}\n${text.slice(-readMax / 2)}`;
  return { text, hasImage };
}

function systemText(items: readonly InputItem[]): string {
  const [first] = items;
  if (first?.type !== 'message' || (first.role !== 'system' && first.role !== 'developer'))
    return '';
  const part = first.content.find(({ type }) => type === 'text');
  return part?.type === 'text' ? part.text.slice(0, systemMax) : '';
}
