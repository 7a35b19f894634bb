import { param, type Reply } from '../../http/reply.ts';
import { demand, may } from '../auth/authorize.ts';
import { notFound } from '../http/api-error.ts';
import { type Filter, page } from '../http/page.ts';
import { type CloudRequest, ok, type Route } from '../http/request.ts';
import type { Role, Stored } from '../state.ts';
import type { World } from '../world.ts';

/** A kind of stored resource: where it is, who may see it and how the API shows it. */
export interface Kind<T extends Stored> {
  /** Its name in messages. */
  readonly what: string;
  /** The reason in the error for an unknown one. */
  readonly unknown?: string;
  /** The key of one, and of a list, in a response. */
  readonly keys: readonly [one: string, list: string];
  readonly filters: readonly Filter<T>[];
  stored(world: World): ReadonlyMap<string, T>;
  /** The scopes in which a role covers one. */
  scopes(world: World, one: T): readonly string[];
  show(world: World, one: T, where: 'single' | 'list'): unknown;
}

/** Returns the resource that the path names. @throws ApiError NOT_FOUND */
export function storedResource<T extends Stored>(world: World, request: CloudRequest, kind: Kind<T>): T {
  const one = kind.stored(world).get(param(request, 'id'));
  if (one === undefined) throw notFound(kind.what, param(request, 'id'), kind.unknown);
  return one;
}

/** Returns the resource that the path names, for a caller whose role covers it. @throws ApiError */
export function permitted<T extends Stored>(world: World, request: CloudRequest, kind: Kind<T>, role: Role): T {
  const one = storedResource(world, request, kind);
  demand(world, request, role, kind.scopes(world, one));
  return one;
}

/** Returns the resources that the caller may read. */
export function readable<T extends Stored>(world: World, request: CloudRequest, kind: Kind<T>): readonly T[] {
  return [...kind.stored(world).values()].filter((one) => may(world, request, 'Reader', kind.scopes(world, one)));
}

/** The handler that answers with one resource. */
export function getOne<T extends Stored>(kind: Kind<T>): Route['handle'] {
  return (world, request): Reply =>
    ok({ [kind.keys[0]]: kind.show(world, permitted(world, request, kind, 'Reader'), 'single') });
}

/** The handler that answers with a page of the resources that the caller may read. */
export function getPage<T extends Stored>(kind: Kind<T>): Route['handle'] {
  return (world, request) =>
    page(world, request, {
      key: kind.keys[1],
      items: readable(world, request, kind),
      filters: kind.filters,
      show: (one) => kind.show(world, one, 'list'),
    });
}
