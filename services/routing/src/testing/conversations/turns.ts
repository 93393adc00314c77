import { everywhere, inMessages, type Turns } from './forms.ts';

const user = (content: unknown) => ({ role: 'user', content });
const assistant = (content: unknown) => ({ role: 'assistant', content });
const png = 'aGVsbG8=';
const pdf = 'aGk=';

export const hello: Turns = everywhere([user('hello')]);
export const bye: Turns = everywhere([user('bye')]);
export const unicode: Turns = everywhere([user('grüß 👋 \u2028 "x" \\ \n')]);
export const emptyText: Turns = everywhere([user('')]);
export const answer: Turns = everywhere([assistant('Hello to you')]);

export const parts: Turns = inMessages(
  [
    user([
      { type: 'input_text', text: 'a' },
      { type: 'input_text', text: 'b' },
    ]),
  ],
  [
    user([
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ]),
  ],
);

export const answerParts: Turns = inMessages(
  [assistant([{ type: 'output_text', text: 'a' }])],
  [assistant([{ type: 'text', text: 'a' }])],
);

const mark = { cache_control: { type: 'ephemeral', ttl: '1h' } };
export const cached: Turns = inMessages(
  [user([{ type: 'input_text', text: 'long', ...mark }])],
  [user([{ type: 'text', text: 'long', ...mark }])],
);

export const picture: Turns = {
  responses: [user([{ type: 'input_image', image_url: `data:image/png;base64,${png}` }])],
  'chat-completions': [
    user([{ type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } }]),
  ],
  messages: [
    user([{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } }]),
  ],
};

export const pictureByUrl: Turns = {
  responses: [user([{ type: 'input_image', image_url: 'https://a.example/b.png' }])],
  'chat-completions': [
    user([{ type: 'image_url', image_url: { url: 'https://a.example/b.png' } }]),
  ],
  messages: [user([{ type: 'image', source: { type: 'url', url: 'https://a.example/b.png' } }])],
};

export const document: Turns = {
  responses: [
    user([
      {
        type: 'input_file',
        filename: 'a.pdf',
        file_data: `data:application/pdf;base64,${pdf}`,
      },
    ]),
  ],
  'chat-completions': [
    user([
      {
        type: 'file',
        file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${pdf}` },
      },
    ]),
  ],
  messages: [
    user([
      {
        type: 'document',
        title: 'a.pdf',
        source: { type: 'base64', media_type: 'application/pdf', data: pdf },
      },
    ]),
  ],
};

export const documentById: Turns = {
  responses: [user([{ type: 'input_file', file_id: 'file_1' }])],
  'chat-completions': [user([{ type: 'file', file: { file_id: 'file_1' } }])],
  messages: [user([{ type: 'document', source: { type: 'file', file_id: 'file_1' } }])],
};

export const pictureAndText: Turns = {
  responses: [...picture.responses, user([{ type: 'input_text', text: 'what?' }])],
  'chat-completions': [...picture['chat-completions'], user([{ type: 'text', text: 'what?' }])],
  messages: [...picture.messages, user([{ type: 'text', text: 'what?' }])],
};
