import { expect } from 'vitest';
import type { Api, Throttled } from '../../../src/kafka/protocol/api.ts';
import { createReader, createWriter } from '../../../src/kafka/protocol/codec.ts';
import type { Layout } from '../../../src/kafka/wire/api.ts';
import type { Fields, ReadOf, WrittenOf } from '../../../src/kafka/wire/fields.ts';
import { createSink, written } from '../../../src/kafka/wire/sink.ts';
import { sourceOf } from '../../../src/kafka/wire/source.ts';

/** Checks in every common version that the model decodes weir's request and weir decodes the model's response. */
export function crossed<Q extends Fields, A extends Fields, Request, Response>(
  api: Api<Request, Response>,
  ours: Layout<Q, A>,
  exchange: {
    readonly request: Request;
    readonly reads: (request: ReadOf<Q>, version: number) => unknown;
    readonly answer: WrittenOf<A>;
    readonly decoded: (response: Response & Throttled, version: number) => unknown;
  },
): void {
  expect([api.key, api.flexibleFrom]).toEqual([ours.key, ours.flexibleFrom]);
  const last = Math.min(api.max, ours.max);
  for (let version = Math.max(api.min, ours.min); version <= last; version += 1) {
    const flexible = version >= api.flexibleFrom;
    const writer = createWriter(flexible);
    api.encode(writer, exchange.request, version);
    const source = sourceOf(writer.finish());
    const request = ours.request(version).read(source);
    expect([version, source.at]).toEqual([version, source.buffer.length]);
    expect([version, exchange.reads(request, version)]).toEqual([version, true]);
    const sink = createSink();
    ours.response(version).write(sink, exchange.answer);
    const reader = createReader(written(sink), flexible, api.name);
    const response = api.decode(reader, version);
    expect([version, reader.remaining]).toEqual([version, 0]);
    expect([version, exchange.decoded(response, version)]).toEqual([version, true]);
  }
}
