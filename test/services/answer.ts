import type { Layout } from '../../src/kafka/wire/api.ts';
import type { Fields, WrittenOf } from '../../src/kafka/wire/fields.ts';
import { createSink, written } from '../../src/kafka/wire/sink.ts';

/** The body of a response, for a scripted broker. */
export function answerOf<Response extends Fields>(
  api: Pick<Layout<Fields, Response>, 'response'>,
  version: number,
  response: WrittenOf<Response>,
): Buffer {
  const sink = createSink();
  api.response(version).write(sink, response);
  return written(sink);
}
