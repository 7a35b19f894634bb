import type { ReadRequestOf } from '../../../kafka/protocol/wire/api.ts';
import { alterClientQuotas } from '../../../kafka/protocol/wire/apis/alter-client-quotas.ts';
import { describeClientQuotas } from '../../../kafka/protocol/wire/apis/describe-client-quotas.ts';
import { codes } from '../../../kafka/protocol/wire/error-codes.ts';
import type { Problem } from '../cluster-parts.ts';
import { type Handler, handler } from '../serve/handler.ts';

type Entry = ReadRequestOf<typeof alterClientQuotas>['entries'][number];
type Entity = Entry['entity'];
type Filter = ReadRequestOf<typeof describeClientQuotas>['components'][number];

/** The quotas of an entity, by key. */
interface Quota {
  readonly entity: Entity;
  readonly values: Map<string, number>;
}

type Quotas = Map<string, Quota>;

const keys = ['producer_byte_rate', 'consumer_byte_rate', 'controller_mutation_rate'];
const clientTypes = ['client-id', 'client-id-prefix'];
const matchTypes = { exact: 0, default: 1 } as const;

/** The handlers of quotas as Redpanda 26.1 has them: handlers/client_quotas.cc. They limit nothing. */
export function createQuotaHandlers(): readonly Handler[] {
  const quotas: Quotas = new Map();
  return [describeHandler(quotas), alterHandler(quotas)];
}

function describeHandler(quotas: Quotas): Handler {
  return handler(describeClientQuotas, {
    handle(_context, { components, strict }) {
      const problem = components.map(problemWithType).find((one) => one !== undefined);
      if (problem !== undefined) return { errorCode: problem.code, errorMessage: problem.message, entries: undefined };
      const found = [...quotas.values()].filter(({ entity }) => isChosen(entity, components, strict));
      const entries = found.map(({ entity, values }) => ({
        entity,
        values: [...values].map(([key, value]) => ({ key, value })),
      }));
      return { errorCode: codes.NONE, errorMessage: undefined, entries };
    },
    refuse: (_request, errorCode) => ({ errorCode, errorMessage: undefined, entries: undefined }),
  });
}

function isChosen(entity: Entity, filters: readonly Filter[], isStrict: boolean): boolean {
  const matches = ({ entityType, matchType, match }: Filter) =>
    entity.some(({ entityType: type, entityName: name }) => {
      if (type !== entityType) return false;
      if (matchType === matchTypes.exact) return name === match;
      return matchType !== matchTypes.default || name === undefined;
    });
  return filters.every(matches) && (!isStrict || entity.length === filters.length);
}

function alterHandler(quotas: Quotas): Handler {
  return handler(alterClientQuotas, {
    handle: (_context, { entries, validateOnly }) => ({
      entries: entries.map((entry) => {
        const problem = problemWith(entry);
        if (problem === undefined && !validateOnly) alter(quotas, entry);
        return { errorCode: problem?.code ?? codes.NONE, errorMessage: problem?.message, entity: entry.entity };
      }),
    }),
    refuse: ({ entries }, errorCode) => ({
      entries: entries.map(({ entity }) => ({ errorCode, errorMessage: undefined, entity })),
    }),
  });
}

function problemWith({ entity, ops }: Entry): Problem | undefined {
  const invalid = (message: string): Problem => ({ code: codes.INVALID_REQUEST, message });
  const types = entity.map(({ entityType }) => entityType);
  const isPair = types.includes('user') && types.some((type) => clientTypes.includes(type));
  if (entity.length === 0 || entity.length > 2) return invalid('Invalid client quota entity');
  const problem = entity.map(problemWithType).find((one) => one !== undefined);
  if (problem !== undefined) return problem;
  if (entity.length === 2 && !isPair) return invalid(`${types.join(' and ')} do not go together`);
  if (entity.some(({ entityType, entityName = '' }) => entityType === 'client-id-prefix' && entityName === ''))
    return invalid('client-id-prefix has no default, client-id has');
  const unknown = ops.find(({ key }) => !keys.includes(key));
  return unknown && invalid(`Invalid configuration key ${unknown.key}`);
}

function problemWithType({ entityType: type }: { readonly entityType: string }): Problem | undefined {
  if (type === 'user' || clientTypes.includes(type)) return undefined;
  return { code: codes.UNSUPPORTED_VERSION, message: `Entity type '${type}' not yet supported` };
}

/** Changes the quotas of an entity; the last one that is removed takes the entity with it. */
function alter(quotas: Quotas, { entity: given, ops }: Entry): void {
  const entity = given.map((part) => ({ ...part, entityName: part.entityName === '' ? undefined : part.entityName }));
  const id = JSON.stringify(entity.map(({ entityType, entityName }) => [entityType, entityName]).sort());
  const quota = quotas.get(id) ?? { entity, values: new Map<string, number>() };
  for (const { key, value, remove } of ops) {
    if (remove) quota.values.delete(key);
    else quota.values.set(key, value);
  }
  if (quota.values.size === 0) quotas.delete(id);
  else quotas.set(id, quota);
}
