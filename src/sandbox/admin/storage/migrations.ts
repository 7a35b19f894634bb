import { isObject } from '../../../shape/object.ts';
import { boolean, list, object, oneOf, optional, type Reader, text } from '../../http/readers.ts';
import type { Reply } from '../../http/reply.ts';
import { type AdminError, badRequest, featureDisabled, notFound } from '../admin-error.ts';
import { effective } from '../config/effective.ts';
import { lacksLicense } from '../config/license.ts';
import { type AdminRequest, by, done, numberParam, ok, type Route, readJson, route } from '../request.ts';
import { type MigratedTopic, type Migration, nextNumber, type TopicName } from '../state.ts';
import type { World } from '../world.ts';
import { act } from './migration.ts';

const read = { level: 'superuser', duty: 'forward' } as const;

/** The routes that mount and unmount topics, and those of the migrations behind them. */
export const migrationRoutes: readonly Route[] = [
  route('topics.mountable', 'GET /v1/topics/mountable', read, mountable),
  route('topics.mount', 'POST /v1/topics/mount', by.forwarded, mount),
  route('topics.unmount', 'POST /v1/topics/unmount', by.forwarded, unmount),
  route('migrations.list', 'GET /v1/migrations', read, listAll),
  route('migrations.add', 'PUT /v1/migrations', by.forwarded, add),
  route('migrations.get', 'GET /v1/migrations/{id}', read, get),
  route('migrations.act', 'POST /v1/migrations/{id}', by.forwarded, perform),
  route('migrations.delete', 'DELETE /v1/migrations/{id}', by.forwarded, remove),
];

const rawName = object({ topic: text, ns: optional(text) });
const topicName: Reader<TopicName> = (value, at) => {
  const { topic, ns } = rawName(value, at);
  return { topic, ns: ns ?? 'kafka' };
};
const rawInbound = object({ source_topic_reference: topicName, alias: optional(topicName) });
const inboundTopic: Reader<MigratedTopic> = (value, at) => {
  const { source_topic_reference: source, alias } = rawInbound(value, at);
  return { source, alias: alias ?? null };
};
const outboundTopic: Reader<MigratedTopic> = (value, at) => ({ source: topicName(value, at), alias: null });

const mountBody = object({ topics: list(inboundTopic) });
const unmountBody = object({ topics: list(outboundTopic) });
const common = { consumer_groups: optional(list(text)), auto_advance: optional(boolean) };
const inboundBody = object({ migration_type: oneOf('inbound'), topics: list(inboundTopic), ...common });
const outboundBody = object({ migration_type: oneOf('outbound'), topics: list(outboundTopic), ...common });

function mountable(world: World, request: AdminRequest): Reply {
  checkStorage(request);
  const topics = world.state.mountable.map(({ ns, topic, location }) => ({ topic_location: location, topic, ns }));
  return ok({ topics }, ['topics']);
}

function mount(world: World, request: AdminRequest): Reply {
  const { topics } = readJson(request, mountBody);
  return create(world, request, { type: 'inbound', topics, consumerGroups: [], advances: true });
}

function unmount(world: World, request: AdminRequest): Reply {
  const { topics } = readJson(request, unmountBody);
  return create(world, request, { type: 'outbound', topics, consumerGroups: [], advances: true });
}

function add(world: World, request: AdminRequest): Reply {
  const sent = readJson(request, (value, at) =>
    isObject(value) && value.migration_type === 'inbound' ? inboundBody(value, at) : outboundBody(value, at),
  );
  const { migration_type: type, topics, consumer_groups: consumerGroups = [], auto_advance: advances = false } = sent;
  return create(world, request, { type, topics, consumerGroups, advances });
}

function create(
  world: World,
  request: AdminRequest,
  fields: Pick<Migration, 'type' | 'topics' | 'consumerGroups' | 'advances'>,
): Reply {
  checkStorage(request);
  checkFeature(world);
  if (lacksLicense(world)) throw featureDisabled();
  const { state } = world;
  if (fields.topics.length === 0) throw badRequest('the migration names no topics');
  for (const topic of fields.topics) checkTopic(world, fields.type, topic);
  const id = nextNumber(state);
  const now = state.settledAt;
  const times = { createdAt: now, completedAt: null, changedAt: now };
  state.migrations.set(id, { ...fields, ...times, id, state: 'planned' });
  return ok({ id });
}

function checkStorage({ node }: AdminRequest): void {
  if (effective(node, 'cloud_storage_enabled') !== true) throw featureDisabled();
}

function checkFeature({ state }: World): void {
  if (state.features.get('data_migrations')?.state !== 'active') throw featureDisabled();
}

/** What is wrong with a topic is not told. */
function notEligible(): AdminError {
  return badRequest('Data migration contains resources that are not eligible');
}

const isEqual = (a: TopicName, b: TopicName) => a.ns === b.ns && a.topic === b.topic;

function checkTopic({ state }: World, type: Migration['type'], { source, alias }: MigratedTopic): void {
  const running = [...state.migrations.values()].filter(({ state: now }) => now !== 'finished' && now !== 'cancelled');
  if (running.some(({ topics }) => topics.some((one) => isEqual(one.source, source)))) throw notEligible();
  const exists = (name: TopicName) => [...state.partitions.values()].some((one) => isEqual(one, name));
  if (type === 'outbound') {
    if (!exists(source) || source.ns !== 'kafka') throw notEligible();
    return;
  }
  // The documents do not tell what happens to a topic that is not in object storage; here it is refused at once.
  if (exists(alias ?? source) || !state.mountable.some((one) => isEqual(one, source))) throw notEligible();
}

function show({ id, state, type, topics, consumerGroups, advances, createdAt, completedAt }: Migration) {
  const inbound = topics.map(({ source, alias }) => ({
    source_topic_reference: source,
    ...(alias === null ? {} : { alias }),
  }));
  return {
    id,
    state,
    migration: {
      migration_type: type,
      topics: type === 'inbound' ? inbound : topics.map(({ source }) => source),
      consumer_groups: consumerGroups,
      auto_advance: advances,
    },
    created_timestamp: createdAt,
    ...(completedAt === null ? {} : { completed_timestamp: completedAt }),
  };
}

function listAll({ state }: World): Reply {
  return ok([...state.migrations.values()].map(show));
}

function migrationOf({ state }: World, request: AdminRequest): Migration {
  const migration = state.migrations.get(numberParam(request, 'id'));
  if (migration === undefined) throw notFound(`migration ${numberParam(request, 'id')} does not exist`);
  return migration;
}

function get(world: World, request: AdminRequest): Reply {
  return ok(show(migrationOf(world, request)));
}

function perform(world: World, request: AdminRequest): Reply {
  act(world, migrationOf(world, request), request.query.get('action') ?? '');
  return done;
}

function remove(world: World, request: AdminRequest): Reply {
  const migration = migrationOf(world, request);
  if (!['planned', 'finished', 'cancelled'].includes(migration.state))
    throw badRequest(`migration ${migration.id} is ${migration.state}: unable to delete it`);
  world.state.migrations.delete(migration.id);
  return done;
}
