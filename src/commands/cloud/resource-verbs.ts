import { type Command, type Flags, one, type ValuesOf } from '../../cli/command.ts';
import { getCommand, listCommand } from '../../cli/forms/read.ts';
import type { Filters } from '../../cloud/api/api.ts';
import { pathOfOne, type Resource } from '../../cloud/cloud-rows.ts';
import type { Cloud } from '../../cloud/open.ts';
import type { Context } from '../../context.ts';
import type { Kind } from '../../kinds.ts';
import type { Fields } from '../../shape/object.ts';
import { cloudChange, gone } from './change.ts';
import { confirmDeletion, type Findable, findDoomed, type Named, readOne } from './find-id.ts';
import { byName } from './list-filters.ts';
import { detail, type ResourceView, viewColumns } from './views.ts';

type Examples = Command['examples'];

/** What the verbs of a type of resource have in common. */
interface ResourceVerbs<R extends Fields & Named> {
  readonly resource: Resource<R>;
  readonly findable: Findable<R>;
  /** The word that means one of them, and its help. */
  readonly word: readonly [kind: Kind<string>, help: string];
}

/** `get`: one resource, by its id or name. */
export function getResource<R extends Fields & Named>(
  { resource, findable, word: [kind, help] }: ResourceVerbs<R>,
  texts: { readonly summary?: string; readonly examples: Examples },
): Command {
  return getCommand({
    summary: `Show a ${resource.noun}`,
    ...texts,
    apis: ['cloud'],
    args: { id: one(kind, 'ID', help) },
    row: resource.row,
    read: (context, { id }) => readOne(context, findable, id),
    text: detail,
  });
}

/** `list`: all resources of a type, or those that flags select, sorted by name. */
export function listResources<R extends Fields & Named, F extends Flags>(
  view: ResourceView<R>,
  spec: {
    readonly summary: string;
    readonly examples: Examples;
    readonly flags?: F;
    read(cloud: Cloud, filters: Filters): Promise<readonly R[]>;
    filters?(context: Context, values: ValuesOf<F>): Promise<Filters>;
  },
): Command {
  const { read, filters, ...texts } = spec;
  return listCommand({
    ...texts,
    aliases: ['ls'],
    apis: ['cloud'],
    row: view.row,
    async read(context, values) {
      const selected = (await filters?.(context, values as ValuesOf<F>)) ?? {};
      return byName(await read(await context.cloud(), selected));
    },
    ...viewColumns(view),
  });
}

/** `delete`: one resource that is gone when the control plane has answered. */
export function deleteResource<R extends Fields & Named>(
  { resource, findable, word: [kind, help] }: ResourceVerbs<R>,
  texts: { readonly description: string; readonly examples: Examples },
  remove: (cloud: Cloud, id: string) => Promise<unknown>,
): Command {
  return cloudChange({
    summary: `Delete a ${resource.noun}`,
    ...texts,
    args: { id: one(kind, 'ID', help) },
    changes: 'destroys',
    resource,
    plan: (context, { id }) => findDoomed(context, findable, id),
    asks: (doomed) => confirmDeletion(resource.noun, doomed),
    request: ({ id, name }) => ({ method: 'DELETE', path: pathOfOne(resource, id), target: name || id }),
    async apply(context, { id, name }) {
      await remove(await context.cloud(), id);
      return gone(id, name);
    },
  });
}
