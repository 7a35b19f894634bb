import { type Fields, fieldsOf } from '../../net/json.ts';
import { pathOf } from '../../net/json-api/call.ts';
import { hasStatus } from '../../net/json-api/error.ts';
import { mustExist } from '../client/answer-error.ts';
import type { Api } from '../client/api.ts';
import { itemsOf, listIn, needNumber, needText, numberOr } from '../client/read.ts';
import { isAbout, isCanceled, referenceName } from './migration.ts';
import type {
  MigratedTopic,
  Migration,
  MountableTopic,
  NewMigration,
  StorageCalls,
  TopicReference,
} from './storage-rows.ts';

type Calls = Omit<
  StorageCalls,
  'waitForMigration' | 'waitForCancel' | 'startRestore' | 'restoreState' | 'waitForRestore'
>;

/** The calls about mounts and unmounts, without the waits. */
export function openMountCalls(api: Api): Calls {
  const migrations = () =>
    mustExist(
      api.call({ doing: 'read the mounts and unmounts', method: 'GET', path: '/v1/migrations', read: readMigrations }),
      'mounting topics',
    );
  const migration = (id: number) =>
    api.call({
      ...{ doing: `read migration ${id}`, method: 'GET', path: pathOf`/v1/migrations/${id}` },
      read: (body, what) => migrationOf(fieldsOf(body), what),
    });
  return {
    mountableTopics: () =>
      mustExist(
        api.call({
          ...{ doing: 'read which topics can be mounted', method: 'GET', path: '/v1/topics/mountable' },
          read: readMountable,
        }),
        'mounting topics',
      ),
    migrations,
    migration,
    startMigration: (wanted, before) => startMigration(api, { wanted, before, migrations }),
    cancelMigration: (id) =>
      api.call({
        ...{ doing: `cancel migration ${id}`, method: 'POST', path: pathOf`/v1/migrations/${id}` },
        query: { action: 'cancel' },
        // A repeated one is refused: the migration is being canceled already.
        repeats: true,
        isDone: async () => isCanceled(await migration(id)),
        read: () => undefined,
      }),
    partitionCount: (topic) => partitionCount(api, topic),
  };
}

interface Start {
  readonly wanted: NewMigration;
  readonly before: readonly Migration[];
  migrations(): Promise<readonly Migration[]>;
}

function startMigration(api: Api, { wanted, before, migrations }: Start): Promise<number> {
  const { type, source, alias } = wanted;
  const isMount = type === 'inbound';
  const topic = isMount ? { source_topic_reference: source, ...(alias === null ? {} : { alias }) } : source;
  let found: Migration | undefined;
  return api.call({
    doing: `${isMount ? 'mount' : 'unmount'} topic "${referenceName(source)}"`,
    method: 'POST',
    path: isMount ? '/v1/topics/mount' : '/v1/topics/unmount',
    body: { topics: [topic] },
    // A repeated one is refused: the topic is in a migration already, or the migration is over and has changed the topic.
    repeats: true,
    async isDone() {
      const ids = new Set(before.map(({ id }) => id));
      found = (await migrations()).find((one) => !ids.has(one.id) && isAbout(one, wanted));
      return found !== undefined;
    },
    read: (body, what) => (body === undefined && found ? found.id : needNumber(fieldsOf(body), 'id', what)),
  });
}

async function partitionCount(api: Api, { ns, topic }: TopicReference): Promise<number | undefined> {
  try {
    return await api.call({
      doing: `read the partitions of topic "${referenceName({ ns, topic })}"`,
      method: 'GET',
      path: pathOf`/v1/partitions/${ns}/${topic}`,
      read: (body, what) => itemsOf(body, what, 'list of partitions').length,
    });
  } catch (error) {
    if (hasStatus(error, 404)) return undefined;
    throw error;
  }
}

function readMountable(body: unknown, what: string): readonly MountableTopic[] {
  return listIn(body, 'topics', what)
    .map((one) => ({
      topic: needText(one, 'topic', what),
      namespace: typeof one.ns === 'string' ? one.ns : 'kafka',
      topic_location: needText(one, 'topic_location', what),
    }))
    .sort((a, b) => compare(keyOf(a), keyOf(b)));
}

const keyOf = ({ namespace, topic, topic_location: location }: MountableTopic) =>
  [namespace, topic, location].join('\0');

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function readMigrations(body: unknown, what: string): readonly Migration[] {
  return itemsOf(body, what, 'list of migrations')
    .map((one) => migrationOf(one, what))
    .sort((a, b) => a.id - b.id);
}

function migrationOf(fields: Fields, what: string): Migration {
  const migration = fieldsOf(fields.migration);
  return {
    id: needNumber(fields, 'id', what),
    state: needText(fields, 'state', what),
    type: needText(migration, 'migration_type', what),
    // A migration can be about consumer groups only.
    topics: listIn(migration, 'topics', what).map((one) => topicOf(one, what)),
    advances: typeof migration.auto_advance === 'boolean' ? migration.auto_advance : null,
    created: numberOr(fields.created_timestamp, null),
    completed: numberOr(fields.completed_timestamp, null),
  };
}

/** Topics of a mount have a source; those of an unmount are plain references. */
function topicOf(fields: Fields, what: string): MigratedTopic {
  const { source_topic_reference: source, alias } = fields;
  return {
    source: referenceOf(source === undefined ? fields : fieldsOf(source), what),
    alias: alias === undefined || alias === null ? null : referenceOf(fieldsOf(alias), what),
  };
}

function referenceOf(fields: Fields, what: string): TopicReference {
  return { ns: typeof fields.ns === 'string' ? fields.ns : 'kafka', topic: needText(fields, 'topic', what) };
}
