import type { Context } from '../../context.ts';
import type { ItemError } from '../../errors.ts';
import { compareText } from '../../format/order.ts';
import { filled, type RowOf, type Shape, Unfit } from '../../shape/shape.ts';
import { byName, checked, emptyIfNull, fields } from '../file/fields.ts';
import { removalFault, removalFields } from '../file/removal.ts';
import { type Configs, compareConfigs, configChangesIn, configFacts, configsField } from './configs.ts';
import { type Change, type Kind, kind, nameOf, type PlanOptions, type Round, type Wanted } from './kind.ts';
import { refused, unnamed } from './refusal.ts';

/** What the files want of something that is a name with configs. */
interface WantedConfigs extends Wanted {
  readonly configs?: Configs;
  readonly absent?: boolean;
  readonly because?: string;
}

interface ExistingConfigs {
  /** What was set, by name. */
  readonly names: ReadonlyMap<string, { readonly set: ReadonlyMap<string, string>; readonly error: ItemError | null }>;
  /** Redpanda has none of them: it answers that nothing is set, and takes a change for one of a broker. */
  readonly isRedpanda: boolean;
}

/** A kind of resources that are nothing but names with configs, as far as the files are concerned. */
interface NamedConfigsParts {
  readonly noun: string;
  readonly section: string;
  /** What the broker API calls them. */
  readonly type: 'group' | 'clientMetrics';
  readonly shape: Shape<unknown>;
  /** Lists those that the files may own, if the brokers do not list resources with configs. */
  list(context: Context): Promise<readonly string[]>;
}

function emptyName(name: string): string | undefined {
  return filled.take(name) instanceof Unfit ? 'it is empty' : undefined;
}

const namedShape = byName(
  checked(emptyIfNull(fields({ configs: configsField, ...removalFields })), removalFault),
  emptyName,
);

/** The configs of groups, which a group can have before its first member; never its offsets. */
export const groups: Kind = kindOfConfigs({
  noun: 'group',
  section: 'groups',
  type: 'group',
  shape: namedShape,
  async list(context) {
    const rows = await (await context.kafka()).listGroups({ states: [], types: [] });
    return rows.flatMap(({ group }) => group ?? []);
  },
});

/** What clients are asked to report about themselves: `interval.ms`, `metrics`, and `match` for which clients. */
export const clientMetrics: Kind = kindOfConfigs({
  noun: 'client_metrics',
  section: 'client_metrics',
  type: 'clientMetrics',
  shape: namedShape,
  list: async () => [],
});

function kindOfConfigs({ noun, section, type, shape, list }: NamedConfigsParts): Kind {
  return kind<WantedConfigs, ExistingConfigs>({
    noun,
    sections: { [section]: shape },
    ownedBy: [section],

    wanted: ({ [section]: given = {} }) =>
      Object.entries(given as RowOf<Shape<Readonly<Record<string, Omit<WantedConfigs, keyof Wanted>>>>>).map(
        ([name, entry]) => ({ ...entry, name, way: [section, name] }),
      ),

    ruled: {
      fields: ['name', 'configs'],
      things: ({ name, way, configs, absent }) =>
        absent === true ? [] : [{ way, fields: { name, configs: configFacts(configs) } }],
    },

    async read(context, { wanted, owns }) {
      const kafka = await context.kafka();
      if ((await kafka.isRedpanda()) === true) return { names: new Map(), isRedpanda: true };
      const listed = owns === undefined ? [] : ((await kafka.namesWithConfigs(type)) ?? (await list(context)));
      const names = [...new Set([...wanted.keys(), ...listed.filter((name) => owns?.(name) === true)])];
      const rows = names.length === 0 ? [] : await kafka.describeNamedConfigs(type, names);
      const found = rows.map(({ name, ...one }) => [name, one] as const);
      return { names: new Map(found.sort(([a], [b]) => compareText(a, b))), isRedpanda: false };
    },

    compare({ wanted, owns }, existing, options) {
      const named = [...wanted.values()].flatMap((one) => compareNamed(noun, one, existing, options));
      const others = [...existing.names].filter(
        ([name, { set }]) => !wanted.has(name) && set.size > 0 && owns?.(name) === true,
      );
      return [
        ...named,
        ...others.map(([name, { set }]) => {
          const changes = compareConfigs({}, set, true);
          return unnamed(options, (why) => ({ kind: noun, name, action: 'delete', changes, risk: 'none', why }));
        }),
      ];
    },

    order: () => 30,

    async apply(context, round, { send }) {
      const kafka = await context.kafka();
      await send(alterationsOf(round), nameOf, (items) => kafka.alterNamedConfigs(type, items));
    },

    export({ names }) {
      const set = [...names].filter(([, one]) => one.set.size > 0);
      if (set.length === 0) return {};
      const entries = set.map(([name, one]) => [name, { configs: Object.fromEntries([...one.set].sort()) }] as const);
      return { [section]: Object.fromEntries(entries) };
    },

    async check(context, round, { send }) {
      const kafka = await context.kafka();
      await send(alterationsOf(round), nameOf, (items) => kafka.checkNamedConfigs(type, items));
    },
  });
}

function compareNamed(
  noun: string,
  { name, configs = {}, absent = false, because }: WantedConfigs,
  existing: ExistingConfigs,
  { strict }: PlanOptions,
): Change[] {
  const { set = new Map<string, string>(), error = null } = existing.names.get(name) ?? {};
  const row = { kind: noun, name, risk: 'none' } as const;
  if (error !== null) return [{ ...row, action: 'blocked', changes: [], why: error.message, error, isUnread: true }];
  const changes = compareConfigs(configs, set, strict || absent);
  if (changes.length === 0) return [];
  const why = `Redpanda has no configs of ${noun === 'group' ? 'groups' : 'client metrics'}`;
  if (existing.isRedpanda) return [refused({ ...row, action: 'blocked', changes, why })];
  const action = absent ? 'delete' : set.size === 0 ? 'create' : 'update';
  return [{ ...row, action, changes, why: because ?? null }];
}

function alterationsOf({ changes }: Round<WantedConfigs, ExistingConfigs>) {
  return changes.map(({ name, changes: differences }) => ({ name, changes: configChangesIn(differences) }));
}
