import type { ClientDialectName } from '@sluice/inference-port';

/** A file of a request: its content, or the place where it is. */
export interface AskedFile {
  readonly name?: string;
  readonly data?: { readonly type: string; readonly bytes: Uint8Array };
  readonly url?: string;
  readonly id?: string;
}

interface FileDoor {
  readonly dialect: ClientDialectName;
  /** Returns the fields of a body that asks with these files, after earlier turns. */
  readonly asks: (text: string, files: readonly AskedFile[], before?: readonly object[]) => object;
  /** Returns the turns that a client sends again: its question with the files, and the answer. */
  readonly turns: (asked: object, answer: unknown) => readonly object[];
  /** The field that has the first file. */
  readonly field: (source: 'data' | 'url' | 'id') => string;
}

const dataUrl = ({ type, bytes }: NonNullable<AskedFile['data']>) =>
  `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;

function inputFile({ name, data, url, id }: AskedFile) {
  return {
    type: 'input_file',
    filename: name,
    ...(data && { file_data: dataUrl(data) }),
    ...(url !== undefined && { file_url: url }),
    ...(id !== undefined && { file_id: id }),
  };
}

function chatFile({ name, data, url, id }: AskedFile) {
  const file_data = data ? dataUrl(data) : url;
  return { type: 'file', file: { filename: name, file_data, file_id: id } };
}

function document({ name: title, data, url, id }: AskedFile) {
  if (data) {
    const { type, bytes } = data;
    const base64 = Buffer.from(bytes).toString('base64');
    return { type: 'document', title, source: { type: 'base64', media_type: type, data: base64 } };
  }
  const source = url === undefined ? { type: 'file', file_id: id } : { type: 'url', url };
  return { type: 'document', title, source };
}

/** The formats of a conversation with files. */
export const fileDoors: readonly FileDoor[] = [
  {
    dialect: 'responses',
    asks: (text, files, before = []) => ({
      input: [
        ...before,
        { role: 'user', content: [...files.map(inputFile), { type: 'input_text', text }] },
      ],
    }),
    turns: (asked, answer) => [
      ...(asked as { readonly input: readonly object[] }).input,
      ...(answer as { readonly output: readonly object[] }).output,
    ],
    field: (source) => `input[0].content[0].file_${source}`,
  },
  {
    dialect: 'chat-completions',
    asks: (text, files, before = []) => ({
      messages: [
        ...before,
        { role: 'user', content: [...files.map(chatFile), { type: 'text', text }] },
      ],
    }),
    turns: (asked, answer) => [
      ...(asked as { readonly messages: readonly object[] }).messages,
      ...(answer as { readonly choices: readonly { readonly message: object }[] }).choices.map(
        ({ message }) => message,
      ),
    ],
    field: (source) => `messages[0].content[0].file.file_${source === 'id' ? 'id' : 'data'}`,
  },
  {
    dialect: 'messages',
    asks: (text, files, before = []) => ({
      max_tokens: 900,
      messages: [
        ...before,
        { role: 'user', content: [...files.map(document), { type: 'text', text }] },
      ],
    }),
    turns: (asked, answer) => [
      ...(asked as { readonly messages: readonly object[] }).messages,
      { role: 'assistant', content: (answer as { readonly content: readonly object[] }).content },
    ],
    field: () => 'messages[0].content[0].source',
  },
];
