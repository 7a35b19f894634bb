import type { Layout } from '../../../src/kafka/protocol/wire/api.ts';
import type { Fields, ReadOf, WrittenOf } from '../../../src/kafka/protocol/wire/fields.ts';
import { skipTags } from '../../../src/kafka/protocol/wire/frame.ts';
import { int16, int32, string } from '../../../src/kafka/protocol/wire/primitives.ts';
import { append, createSink, written } from '../../../src/kafka/protocol/wire/sink.ts';
import { sourceOf } from '../../../src/kafka/protocol/wire/source.ts';
import type { Peer } from '../../../src/sandbox/broker/serve/connection.ts';
import type { ModelCluster } from './control.ts';

/** A raw connection to a model broker, which uses the model's own layouts. */
export interface RawClient {
  /** Sends a request and resolves with the response; rejects when the connection ends first. */
  ask<Request extends Fields, Response extends Fields>(
    layout: Layout<Request, Response>,
    request: WrittenOf<Request>,
    version?: number,
  ): Promise<ReadOf<Response>>;
  /** Sends a frame without waiting for a response. */
  send(frame: Buffer): void;
  close(): void;
  readonly isClosed: boolean;
  /** Responses that match no request. */
  readonly unexpected: readonly Buffer[];
}

interface Waiting {
  resolve(body: Buffer): void;
  reject(error: Error): void;
}

/** A transport of frames to a broker. */
export interface Wire {
  send(frame: Buffer): void;
  close(): void;
}

/** Connects to a broker, which must be up. */
export function rawClient(cluster: ModelCluster, broker: number): RawClient {
  return rawClientOver((peer) => {
    const connection = cluster.connect(broker, peer);
    if (connection === undefined) throw new Error(`broker ${broker} is down`);
    return { send: (frame) => connection.receive(frame), close: () => connection.closed() };
  });
}

/** Creates a client over any wire; frames do not include their length. */
export function rawClientOver(connect: (peer: Peer) => Wire): RawClient {
  const waiting = new Map<number, Waiting>();
  const unexpected: Buffer[] = [];
  let isClosed = false;
  let correlationId = 0;
  const end = (): void => {
    isClosed = true;
    for (const one of waiting.values()) one.reject(new Error('the connection was closed'));
    waiting.clear();
  };
  const wire = connect({
    send(frame) {
      const id = frame.readInt32BE(0);
      const found = waiting.get(id);
      waiting.delete(id);
      if (found === undefined) unexpected.push(frame);
      else found.resolve(frame);
    },
    close: end,
  });
  return {
    async ask(layout, request, version = layout.versions[1]) {
      correlationId += 1;
      const id = correlationId;
      const frame = encodeRequest(layout as unknown as Layout, { version, id }, request);
      const answer = new Promise<Buffer>((resolve, reject) => waiting.set(id, { resolve, reject }));
      wire.send(frame);
      return decodeResponse(layout, version, await answer);
    },
    send: wire.send,
    close() {
      wire.close();
      end();
    },
    get isClosed() {
      return isClosed;
    },
    unexpected,
  };
}

/** Decodes a response frame, which includes the header but not the length. */
export function decodeResponse<Response extends Fields>(
  layout: Pick<Layout<Fields, Response>, 'key' | 'flexibleFrom' | 'response'>,
  version: number,
  body: Buffer,
): ReadOf<Response> {
  const source = sourceOf(body, 4);
  if (version >= layout.flexibleFrom && layout.key !== 18) skipTags(source);
  const response = layout.response(version).read(source);
  if (source.at !== body.length) throw new Error(`${body.length - source.at} trailing bytes in the response`);
  return response;
}

/** Encodes a request frame, which includes the header but not the length. */
export function encodeRequest(
  layout: Layout,
  { version, id }: { readonly version: number; readonly id: number },
  request: object,
): Buffer {
  const sink = createSink();
  int16.compile(0, false).write(sink, layout.key);
  int16.compile(0, false).write(sink, version);
  int32.compile(0, false).write(sink, id);
  string.compile(0, false).write(sink, 'raw');
  if (version >= layout.flexibleFrom) append(sink, Buffer.of(0));
  layout.request(version).write(sink, request as never);
  return written(sink);
}
