import type { QuotaAlteration, QuotaPart } from '../../kafka/cluster/quotas/quota-rows.ts';
import { defaultName, entityOf, entityText, parseQuota } from '../../kafka/cluster/quotas/quota-words.ts';
import {
  described,
  either,
  filled,
  leftOut,
  measure,
  nothing,
  type RowOf,
  type Shape,
  string,
} from '../../shape/shape.ts';
import { checked, fields, items, parsed } from '../file/fields.ts';
import { removalFault, removalFields } from '../file/removal.ts';
import type { Difference } from '../plan/plan-rows.ts';
import { type Change, type Kind, kind, nameOf, type Owns, type Round } from './kind.ts';
import { unnamed } from './refusal.ts';

/** The parts of an entity, by the field that names one. `*` is the default of its type. */
const partFields = { user: 'user', client_id: 'client-id', client_id_prefix: 'client-id-prefix', ip: 'ip' } as const;
type PartField = keyof typeof partFields;

const quotaKeys = [
  'producer_byte_rate',
  'consumer_byte_rate',
  'request_percentage',
  'controller_mutation_rate',
  'connection_creation_rate',
] as const;

/** The value of a quota: a number, or a size; null removes it. */
function quotaValue(key: string): Shape<number | null> {
  return parsed(either(measure, nothing, string), (given) => (given === null ? null : parseQuota(key, String(given))));
}

const part = described(filled, 'a name, or * for the default of all that have none of their own');

const quotaShape = checked(
  fields({
    user: leftOut(part),
    client_id: leftOut(part),
    client_id_prefix: leftOut(described(filled, 'the beginning of client ids (Redpanda)')),
    ip: leftOut(part),
    producer_byte_rate: leftOut(described(quotaValue('producer_byte_rate'), 'bytes per second, or a size (10MB)')),
    consumer_byte_rate: leftOut(described(quotaValue('consumer_byte_rate'), 'bytes per second, or a size (10MB)')),
    request_percentage: leftOut(described(quotaValue('request_percentage'), 'percentage of the time of one thread')),
    controller_mutation_rate: leftOut(described(quotaValue('controller_mutation_rate'), 'partitions per second')),
    connection_creation_rate: leftOut(described(quotaValue('connection_creation_rate'), 'connections per second')),
    ...removalFields,
  }),
  (entry) => {
    if (!partNames.some((name) => entry[name] !== undefined)) return `name whose quota it is: ${partNames.join(', ')}`;
    const others = Object.entries(entry).filter(([name]) => !partNames.some((one) => one === name));
    const fault = removalFault(Object.fromEntries(others));
    if (fault !== undefined || entry.absent === true) return fault;
    return quotaKeys.some((key) => entry[key] !== undefined) ? undefined : `name a quota: ${quotaKeys.join(', ')}`;
  },
);

const partNames = Object.keys(partFields) as PartField[];

const quotasShape = described(items(quotaShape), 'limits of clients; null removes one');

interface WantedQuota {
  readonly name: string;
  readonly way: readonly (string | number)[];
  readonly entity: readonly QuotaPart[];
  /** Null: removed. */
  readonly values: ReadonlyMap<string, number | null>;
  /** All its quotas are removed. */
  readonly absent: boolean;
  readonly because: string | null;
}

/** The quotas of a cluster, by the text of their entity. */
type ExistingQuotas = ReadonlyMap<
  string,
  { readonly entity: readonly QuotaPart[]; readonly values: ReadonlyMap<string, string> }
>;

/** Quotas of clients, users and addresses. */
export const quotas: Kind = kind<WantedQuota, ExistingQuotas>({
  noun: 'quota',
  sections: { quotas: quotasShape },
  ownedBy: ['users'],

  wanted({ quotas: given = [] }) {
    return (given as RowOf<typeof quotasShape>).map((entry, at) => {
      const entity = entityIn(entry);
      const values = quotaKeys.flatMap((key) => (entry[key] === undefined ? [] : [[key, entry[key]] as const]));
      const { absent = false, because = null } = entry;
      return { name: entityText(entity), way: ['quotas', at], entity, values: new Map(values), absent, because };
    });
  },

  ruled: {
    fields: [...partNames, ...quotaKeys],
    things({ way, entity, values, absent }) {
      if (absent) return [];
      const parts = entity.map((one) => [fieldOf(one.type), one.name === defaultName ? '*' : one.name] as const);
      return [{ way, fields: Object.fromEntries([...parts, ...values]) }];
    },
  },

  contradictions({ quotas: given = [] }) {
    const first = new Map<string, number>();
    return (given as RowOf<typeof quotasShape>).flatMap((entry, at) => {
      const name = entityText(entityIn(entry));
      const earlier = first.get(name);
      if (earlier === undefined) first.set(name, at);
      return earlier === undefined
        ? []
        : [{ way: ['quotas', at], first: ['quotas', earlier], why: `has quotas of ${name} as well` } as const];
    });
  },

  async read(context) {
    const rows = await (await context.kafka()).describeQuotas({ filters: [], strict: false });
    return new Map(
      rows.map(({ entity, values }) => [
        entityText(entity),
        { entity, values: new Map(values.map(({ key, value }) => [key, value] as const)) },
      ]),
    );
  },

  compare({ wanted, owns }, existing, options) {
    const named = [...wanted.values()].flatMap(({ name, entity, values, absent, because }): Change[] => {
      const now = existing.get(name)?.values ?? new Map<string, string>();
      const next = absent ? new Map([...now.keys()].map((key) => [key, null] as const)) : values;
      const changes = [...next].flatMap(([key, to]): Difference[] => {
        const from = now.get(key) ?? null;
        if (from === null ? to === null : to !== null && Number(from) === to) return [];
        return [{ path: key, from, to: to === null ? null : String(to) }];
      });
      if (changes.length === 0) return [];
      const isNew = now.size === 0;
      const isEnd = changes.every(({ to }) => to === null) && changes.length === now.size;
      const needs = entity.filter(({ type }) => type === 'user').map((one) => `user ${one.name}`);
      const action = isNew ? 'create' : isEnd ? 'delete' : 'update';
      return [{ kind: 'quota', name, action, changes, risk: 'none', why: because, needs }];
    });
    const others = [...existing].filter(([name, one]) => !wanted.has(name) && owns && isOwnedEntity(owns, one.entity));
    const extra = others.map(([name, { values }]) => {
      const changes = [...values].map(([path, from]) => ({ path, from, to: null }));
      return unnamed(options, (why) => ({ kind: 'quota', name, action: 'delete', changes, risk: 'none', why }));
    });
    return [...named, ...extra];
  },

  order: () => 50,

  async apply(context, round, { send }) {
    const kafka = await context.kafka();
    await send(round.changes, nameOf, (changes) => kafka.alterQuotas(alterationsOf({ ...round, changes })));
  },

  export(existing, owns) {
    const owned = [...existing.values()].filter(({ entity }) => isOwnedEntity(owns, entity));
    if (owned.length === 0) return {};
    return {
      quotas: owned.map(({ entity, values }) => ({
        ...Object.fromEntries(entity.map(({ type, name }) => [fieldOf(type), name === defaultName ? '*' : name])),
        ...Object.fromEntries([...values].map(([key, value]) => [key, Number(value)])),
      })),
    };
  },

  async check(context, round, { send }) {
    const kafka = await context.kafka();
    await send(round.changes, nameOf, (changes) => kafka.checkQuotas(alterationsOf({ ...round, changes })));
  },
});

/** A quota belongs to the owner of its user. One without a user, or of the default of users, belongs to who owns everything. */
export function isOwnedEntity(owns: Owns, entity: readonly QuotaPart[]): boolean {
  const user = entity.find(({ type, name }) => type === 'user' && name !== defaultName);
  return user === undefined ? owns('') : owns(user.name, 'users');
}

function alterationsOf({ changes, scope, existing }: Round<WantedQuota, ExistingQuotas>): readonly QuotaAlteration[] {
  return changes.map(({ name, changes: differences }) => ({
    entity: entityOf((scope.wanted.get(name) ?? existing.get(name))?.entity ?? []),
    changes: differences.map(({ path: key, to }) => ({ key, value: to === null ? undefined : Number(to) })),
  }));
}

/** The parts of the entity of an entry. */
export function entityIn(entry: Partial<Readonly<Record<PartField, string | undefined>>>): readonly QuotaPart[] {
  const parts = partNames.flatMap((field): QuotaPart[] => {
    const name = entry[field];
    return name === undefined ? [] : [{ type: partFields[field], name: name === '*' ? defaultName : name }];
  });
  return parts.sort((a, b) => (a.type < b.type ? -1 : 1));
}

function fieldOf(type: string): string {
  return partNames.find((field) => partFields[field] === type) ?? type;
}
