import type { ContentPart, FileContent, InferenceRequest, InputItem } from '@sluice/inference';

/** Rewrites the files in the messages and the results of tools of a request, in their order. */
export function rewriteFiles(
  request: InferenceRequest,
  rewrite: (file: FileContent) => readonly ContentPart[],
): InferenceRequest {
  const rewriteContent = (content: readonly ContentPart[]) =>
    content.some(isFile)
      ? content.flatMap((part) => (isFile(part) ? rewrite(part) : [part]))
      : content;
  const items = request.items.map((item): InputItem => {
    if (item.type === 'message') {
      const content = rewriteContent(item.content);
      return content === item.content ? item : { ...item, content };
    }
    if (item.type !== 'function-call-output' && item.type !== 'custom-tool-call-output')
      return item;
    if (typeof item.output === 'string') return item;
    const output = rewriteContent(item.output);
    return output === item.output ? item : { ...item, output };
  });
  return { ...request, items };
}

/** Returns the files in the messages and the results of tools of a request, in their order. */
export function filesOf(request: InferenceRequest): readonly FileContent[] {
  const files: FileContent[] = [];
  rewriteFiles(request, (file) => {
    files.push(file);
    return [file];
  });
  return files;
}

const isFile = (part: ContentPart): part is FileContent => part.type === 'file';
