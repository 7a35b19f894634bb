import type { IncomingHttpHeaders } from 'node:http';
import type { World } from '../world.ts';

/** Who calls, as the token says. */
export interface Principal {
  readonly accountId: string;
  readonly clientId: string;
  /** The token's `jti`: what a journal may show of it. */
  readonly tokenId: string;
}

/** One request that was read and found its route. */
export interface Call {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The parsed JSON or form; undefined when the request had none. */
  readonly body: unknown;
  readonly headers: IncomingHttpHeaders;
  /** The caller; undefined on open routes. */
  readonly principal: Principal | undefined;
  /** How install packs are to be falsified in this answer. */
  readonly artifactChange: ArtifactChange | undefined;
}

/** A falsification of an install pack. */
export type ArtifactChange = 'sha-altered' | 'name-without-sha' | 'missing' | 'checksum-altered';

/** What is answered: JSON, bytes, or nothing. */
export interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly bytes?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Who may call a route: anyone, anyone with a token, or who holds at least that role somewhere. */
export type Access = 'open' | 'token' | 'Reader' | 'Writer' | 'Admin';

/** One line of the API. */
export interface Route {
  /** A stable word for faults and the journal, for example `clusters.get`. */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** A path whose `{name}` segments become `params`. */
  readonly path: string;
  readonly access: Access;
  handle(world: World, call: Call): Reply;
}

/** 200 with a body. */
export function ok(body: unknown): Reply {
  return { status: 200, body };
}

/** 201 with a body. */
export function created(body: unknown): Reply {
  return { status: 201, body };
}

/** 202 with a body: the work goes on. */
export function accepted(body: unknown): Reply {
  return { status: 202, body };
}

/** 204: done, nothing to say. */
export const noContent: Reply = { status: 204 };

/** The path parameter of that name. */
export function param(call: Call, name: string): string {
  return call.params[name] ?? '';
}
