import type { Api, Layout } from '../../src/kafka/protocol/wire/api.ts';
import type { Fields, ReadOf, WrittenOf } from '../../src/kafka/protocol/wire/fields.ts';
import { skipTags } from '../../src/kafka/protocol/wire/frame.ts';
import { createSink, written } from '../../src/kafka/protocol/wire/sink.ts';
import { sourceOf } from '../../src/kafka/protocol/wire/source.ts';

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

/** A request that a scripted broker has received. */
export function requestIn<Request extends Fields>(
  api: Pick<Layout<Request>, 'request' | 'flexibleFrom'>,
  { version, body }: { readonly version: number; readonly body: Buffer },
): ReadOf<Request> {
  const source = sourceOf(body);
  if (version >= api.flexibleFrom) skipTags(source);
  return api.request(version).read(source);
}

/** The body of a request without the end of its header. */
export function requestBytes<Request>(api: Api<Request, unknown>, version: number, request: Request): Buffer {
  const sink = createSink();
  api.request(version).write(sink, request);
  return written(sink);
}
