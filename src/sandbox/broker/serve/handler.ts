import type { Cluster } from '../cluster-parts.ts';
import type { Fields } from '../wire/fields.ts';
import type { Layout, RequestOf, ResponseOf } from '../wire/layout.ts';

/** What a handler knows besides the request. */
export interface RequestContext {
  readonly cluster: Cluster;
  /** The id of the broker that was asked. */
  readonly broker: number;
  readonly connection: ConnectionFacts;
  readonly version: number;
  readonly clientId: string | undefined;
}

/** What a handler may know of the connection that a request came from. */
export interface ConnectionFacts {
  readonly id: number;
  readonly isOpen: boolean;
  /** Calls back once when the connection ends, from either side; the function it returns cancels that. */
  onClose(call: () => void): () => void;
}

/** In place of an answer: nothing is sent (Produce with acks 0). */
export const noAnswer = Symbol('no answer');
/** In place of an answer: the broker closes the connection. */
export const hangUp = Symbol('hang up');

/** What a handler gives back; a promise holds the connection until it resolves. */
export type Answer<Response> = Response | typeof noAnswer | typeof hangUp;

/** How a broker answers one API. */
export interface Handler<Request = never, Response = unknown> {
  readonly layout: Layout;
  handle(context: RequestContext, request: Request): Answer<Response> | Promise<Answer<Response>>;
  /** The answer with this error code in every place that has one, nothing being done. */
  refuse(request: Request, code: number, version: number): Answer<Response>;
}

/** Declares a handler; the types of request and answer are those of the layout. */
export function handler<Request extends Fields, Response extends Fields>(
  layout: Layout<Request, Response>,
  part: Omit<Handler<RequestOf<typeof layout>, ResponseOf<typeof layout>>, 'layout'>,
): Handler {
  return { layout: layout as unknown as Layout, ...part } as Handler;
}
