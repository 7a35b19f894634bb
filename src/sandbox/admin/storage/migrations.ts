import { isObject } from '../../../shape/object.ts';
import { boolean, list, object, oneOf, optional, type Reader, text } from '../../http/readers.ts';
import type { Reply } from '../../http/reply.ts';
import { type AdminError, badRequest, featureDisabled, notFound, unexpected } from '../admin-error.ts';
import { effective } from '../config/effective.ts';
import { lacksLicense } from '../config/license.ts';
import { type AdminRequest, by, done, numberParam, ok, type Route, readJson, route } from '../request.ts';
import { type MigratedTopic, type Migration, nextNumber, type TopicName } from '../state.ts';
import type { World } from '../world.ts';
import { act, seenBy, wrongState } from './migration.ts';

/** The routes that mount and unmount topics, and those of the migrations behind them. */
export const migrationRoutes: readonly Route[] = [
  route('topics.mountable', 'GET /v1/topics/mountable', by.superuser, mountable),
  route('topics.mount', 'POST /v1/topics/mount', by.forwarded, mount),
  route('topics.unmount', 'POST /v1/topics/unmount', by.forwarded, unmount),
  route('migrations.list', 'GET /v1/migrations', by.superuser, listAll),
  route('migrations.add', 'PUT /v1/migrations', by.forwarded, add),
  route('migrations.get', 'GET /v1/migrations/{id}', by.superuser, get),
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
  const { source_topic_reference: named, alias = null } = rawInbound(value, at);
  const [topic = '', ...hint] = named.topic.split('/');
  return { source: { ns: named.ns, topic }, hint: hint.length === 0 ? null : hint.join('/'), alias };
};
const outboundTopic: Reader<MigratedTopic> = (value, at) => ({
  source: topicName(value, at),
  hint: null,
  alias: null,
});

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
  if (fields.topics.length === 0) throw badRequest('Data migration definition contains errors');
  for (const topic of fields.topics) checkTopic(world, fields.type, topic);
  const id = nextNumber(state);
  const now = state.settledAt;
  const times = { createdAt: now, completedAt: null, changedAt: now };
  state.migrations.set(id, { ...fields, ...times, id, state: 'planned', before: null });
  return ok({ id });
}

function checkStorage({ node }: AdminRequest): void {
  if (effective(node, 'cloud_storage_enabled') !== true) throw featureDisabled();
}

function checkFeature({ state }: World): void {
  if (state.features.get('data_migrations')?.state !== 'active') throw featureDisabled();
}

const isEqual = (a: TopicName, b: TopicName) => a.ns === b.ns && a.topic === b.topic;

/** The name of a topic in this cluster. */
const nameHere = ({ source, alias }: MigratedTopic): TopicName => alias ?? source;

/**
 * Refuses a topic in the words of redpanda src/v/cluster/data_migration_table.cc:237-305, which does not look into object
 * storage.
 */
function checkTopic(world: World, type: Migration['type'], topic: MigratedTopic): void {
  const { state } = world;
  const name = nameHere(topic);
  const isHere = [...state.partitions.values()].some((one) => isEqual(one, name));
  if (type === 'inbound' && isHere) throw refusal(world, 'The topic has already been created');
  if (type === 'outbound' && name.ns !== 'kafka')
    throw badRequest('Data migration contains resources that are not eligible');
  if (type === 'outbound' && !isHere) throw badRequest('Topic does not exists');
  const running = [...state.migrations.values()].filter(({ state: now }) => now !== 'finished' && now !== 'cancelled');
  if (running.some(({ topics }) => topics.some((one) => isEqual(nameHere(one), name))))
    throw refusal(world, 'Requested operation can not be executed as the resource is undergoing data migration');
}

/** 400 since a release that names the two, 500 before (redpanda src/v/redpanda/admin/server.cc:1112, 26: 1334 and 1365). */
function refusal({ settings }: World, message: string): AdminError {
  return settings.release === '24.3' ? unexpected(message) : badRequest(message);
}

function show({ id, state, type, topics, consumerGroups, advances, createdAt, completedAt }: Migration) {
  const inbound = topics.map(({ source, hint, alias }) => ({
    source_topic_reference: hint === null ? source : { ...source, topic: `${source.topic}/${hint}` },
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

function listAll(world: World, { node }: AdminRequest): Reply {
  const seen = [...world.state.migrations.values()].map((one) => seenBy(world, node, one));
  return ok(seen.filter((one) => one !== undefined).map(show));
}

function notThere(): AdminError {
  return notFound('Data migration does not exist: Requested data migration does not exist');
}

function migrationOf({ state }: World, request: AdminRequest): Migration {
  const migration = state.migrations.get(numberParam(request, 'id'));
  if (migration === undefined) throw notThere();
  return migration;
}

function get(world: World, request: AdminRequest): Reply {
  const seen = seenBy(world, request.node, migrationOf(world, request));
  if (seen === undefined) throw notThere();
  return ok(show(seen));
}

function perform(world: World, request: AdminRequest): Reply {
  act(world, migrationOf(world, request), request.query.get('action') ?? '');
  return done;
}

function remove(world: World, request: AdminRequest): Reply {
  const migration = migrationOf(world, request);
  if (!['planned', 'finished', 'cancelled'].includes(migration.state)) throw wrongState();
  world.state.migrations.delete(migration.id);
  return done;
}
