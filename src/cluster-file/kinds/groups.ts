import type { ItemError } from '../../errors.ts';
import { filled, type RowOf, Unfit } from '../../shape/shape.ts';
import { byName, emptyIfNull, fields } from '../file/fields.ts';
import { compareConfigs, configChangesIn, configsField } from './configs.ts';
import { type Change, type Kind, kind, type Round } from './kind.ts';

const groupShape = emptyIfNull(fields({ configs: configsField }));

const groupsShape = byName(groupShape, (name) => (filled.take(name) instanceof Unfit ? 'it is empty' : undefined));

interface WantedGroup extends RowOf<typeof groupShape> {
  readonly name: string;
  readonly way: readonly string[];
}

/** What was set on groups. */
type ExistingGroups = ReadonlyMap<
  string,
  { readonly set: ReadonlyMap<string, string>; readonly error: ItemError | null }
>;

/** The configs of groups, which a group can have before its first member; never its offsets. */
export const groups: Kind = kind<WantedGroup, ExistingGroups>({
  noun: 'group',
  sections: { groups: groupsShape },
  ownedBy: ['groups'],

  wanted: ({ groups: given = {} }) =>
    Object.entries(given as RowOf<typeof groupsShape>).map(([name, entry]) => ({
      ...entry,
      name,
      way: ['groups', name],
    })),

  async read(context, { wanted, owns }) {
    const kafka = await context.kafka();
    // Redpanda has no configs of groups: only what a file names is asked for, and its answer is the error.
    const listed =
      owns === undefined || (await kafka.isRedpanda()) === true
        ? []
        : await kafka.listGroups({ states: [], types: [] });
    const owned = listed.flatMap(({ group }) => (group !== null && owns?.(group) === true ? [group] : []));
    const names = [...new Set([...wanted.keys(), ...owned])];
    const rows = names.length === 0 ? [] : await kafka.describeGroupConfigs(names);
    return new Map(rows.map(({ group, ...one }) => [group, one] as const).sort(([a], [b]) => (a < b ? -1 : 1)));
  },

  compare({ wanted, owns }, existing, { strict, prune }) {
    const named = [...wanted.values()].flatMap(({ name, configs = {} }): Change[] => {
      const { set = new Map<string, string>(), error = null } = existing.get(name) ?? {};
      const row = { kind: 'group', name, risk: 'none' } as const;
      if (error !== null)
        return [{ ...row, action: 'blocked', changes: [], why: error.message, error, isUnread: true }];
      const changes = compareConfigs(configs, set, strict);
      return changes.length === 0 ? [] : [{ ...row, action: set.size === 0 ? 'create' : 'update', changes, why: null }];
    });
    const unnamed = [...existing].filter(
      ([name, { set }]) => !wanted.has(name) && set.size > 0 && owns?.(name) === true,
    );
    return [
      ...named,
      ...unnamed.map(([name, { set }]): Change => {
        const why = 'the files own it and do not name its configs';
        const changes = compareConfigs({}, set, true);
        const row = { kind: 'group', name, changes, risk: 'none' } as const;
        return prune
          ? { ...row, action: 'delete', why }
          : { ...row, action: 'blocked', why: `${why}; --prune unsets them` };
      }),
    ];
  },

  order: () => 30,

  async apply(context, round, { send }) {
    const kafka = await context.kafka();
    await send(alterationsOf(round), ({ group }) => group, kafka.alterGroupConfigs);
  },

  export(existing) {
    const set = [...existing].filter(([, one]) => one.set.size > 0);
    if (set.length === 0) return {};
    const entries = set.map(([name, one]) => [name, { configs: Object.fromEntries([...one.set].sort()) }] as const);
    return { groups: Object.fromEntries(entries) };
  },

  async check(context, round, { send }) {
    const kafka = await context.kafka();
    await send(alterationsOf(round), ({ group }) => group, kafka.checkGroupConfigs);
  },
});

function alterationsOf({ changes }: Round<WantedGroup, ExistingGroups>) {
  return changes.map(({ name: group, changes: differences }) => ({ group, changes: configChangesIn(differences) }));
}
