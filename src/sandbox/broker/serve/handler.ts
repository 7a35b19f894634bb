import type { Layout, ReadRequestOf, Versions, WrittenResponseOf } from '../../../kafka/protocol/wire/api.ts';
import type { Fields } from '../../../kafka/protocol/wire/fields.ts';
import type { Cluster } from '../cluster-parts.ts';

/** The context of a request. */
export interface RequestContext {
  readonly cluster: Cluster;
  /** The id of the broker that received the request. */
  readonly broker: number;
  readonly connection: ConnectionFacts;
  readonly version: number;
  readonly clientId: string | undefined;
}

/** The properties of a request's connection. */
export interface ConnectionFacts {
  readonly id: number;
  readonly isOpen: boolean;
  /** Registers a callback for the end of the connection, from either side; returns a function that cancels it. */
  onClose(call: () => void): () => void;
}

/** Returned instead of an answer to send nothing (Produce with acks 0). */
export const noAnswer = Symbol('no answer');
/** Returned instead of an answer to close the connection. */
export const hangUp = Symbol('hang up');

/** The result of a handler; a promise of it blocks the connection until it resolves. */
export type Answer<Response> = Response | typeof noAnswer | typeof hangUp;

/** The broker side of one API. */
export interface Handler<Request = never, Response = unknown> {
  readonly layout: Layout;
  /** The versions that the broker serves. */
  readonly versions: Versions;
  handle(context: RequestContext, request: Request): Answer<Response> | Promise<Answer<Response>>;
  /** Builds an answer with this error code in every place that has one, without performing the request. */
  refuse(request: Request, code: number, version: number): Answer<Response>;
}

/** Answers each partition of each topic of a request, in the form that the request has. */
export function eachPartition<Topic extends { readonly partitions: readonly unknown[] }, Answer>(
  topics: readonly Topic[],
  answer: (partition: Topic['partitions'][number], topic: Topic) => Answer,
) {
  return {
    topics: topics.map((topic) => ({ ...topic, partitions: topic.partitions.map((one) => answer(one, topic)) })),
  };
}

/** Declares a handler; the types of request and response come from the layout. */
export function handler<Request extends Fields, Response extends Fields>(
  layout: Layout<Request, Response>,
  part: Omit<Handler<ReadRequestOf<typeof layout>, WrittenResponseOf<typeof layout>>, 'layout' | 'versions'>,
  versions = layout.versions,
): Handler {
  return { layout: layout as unknown as Layout, versions, ...part } as Handler;
}
