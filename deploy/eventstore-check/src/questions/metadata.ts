import { shortFact } from '../facts.ts';
import { backFrom, event, fromStream, type StreamFrom } from '../requests.ts';
import { inTurn, type Asking, type Question, type Questions } from './question.ts';

/** Written as they are, right and wrong ones. */
const texts = [
  '{"$maxCount":2}',
  '{"$maxCount":2.5}',
  '{"$maxCount":0}',
  '{"$maxCount":-1}',
  '{"$maxCount":"2"}',
  '{"$maxCount":1e3}',
  '{"$maxCount":99999999999999999999}',
  '{"$tb":3}',
  '{"$tb":3.5}',
  '{"$tb":"3"}',
  '{"$tb":900}',
  '{"$maxAge":1000}',
  '{"$maxAge":-1}',
  '{"$maxAge":0}',
  '{"$maxCount":2,"$tb":4}',
  '{"$maxCount":null}',
  '{"$MAXCOUNT":2}',
  '{"$maxCount":2',
  '[]',
  '2',
  '',
  '{"$acl":{"$r":"nobody"}}',
  '{"$cacheControl":5}',
  '{"own":{"x":1},"$maxCount":3}',
];

async function read({ server }: Asking, stream: string, from: StreamFrom = 'start') {
  return shortFact(await server.read(fromStream(stream, from)));
}

function metadataQuestion(text: string): Question {
  return async (asking) => {
    const { server, stream } = asking;
    const five = Array.from({ length: 5 }, () => event());
    await server.append(stream, 'no_stream', five);
    const metadata = event('$metadata', Buffer.from(text));
    return {
      written: await server.append(`$$${stream}`, 'any', [metadata]),
      forwards: await read(asking, stream),
      backwards: shortFact(await server.read(backFrom(stream))),
      from1: await read(asking, stream, 1n),
      next: await server.append(stream, 4, [event()]),
    };
  };
}

export const metadataQuestions: Questions = {
  ...Object.fromEntries(
    texts.map((text) => [`metadata ${text || '(empty)'}`, metadataQuestion(text)]),
  ),

  'metadata: of a stream that is not there': async (asking) => {
    const { server, stream } = asking;
    const metadata = event('$metadata', { $maxCount: 2 });
    return await inTurn([
      () => server.append(`$$${stream}`, 'no_stream', [metadata]),
      () => read(asking, stream),
      () => server.append(stream, 'stream_exists', [event()]),
      () => server.append(`${stream}-2`, 'no_stream', [event()]),
      () => read(asking, `$$${stream}`),
      () => read(asking, `$$${stream}-2`),
    ]);
  },

  'metadata: an event of another type in the metastream': async (asking) => {
    const { server, stream } = asking;
    await server.append(stream, 'no_stream', [event(), event(), event()]);
    return await inTurn([
      () => server.append(`$$${stream}`, 'any', [event('other', { $maxCount: 1 })]),
      () => read(asking, stream),
    ]);
  },
};
