import { pathOf } from '../../net/json-api/call.ts';
import { hasStatus } from '../../net/json-api/error.ts';
import { anything, inside, listOf, mapped, read, sorted, whole } from '../../shape/shape.ts';
import { mustExist } from '../client/answer-error.ts';
import { type Api, calls } from '../client/api.ts';
import {
  type Migration,
  MountableTopic,
  Migration as migrationRow,
  type NewMigration,
  type TopicReference,
} from './storage-rows.ts';
import { isAbout, isCanceled, referenceName } from './storage-words.ts';

const readMigrations = calls.get(
  'read the mounts and unmounts',
  pathOf`/v1/migrations`,
  sorted(listOf(migrationRow), (a, b) => a.id - b.id),
  // Other nodes learn of a change later.
  { to: 'leader', form: 'list of migrations' },
);

const readMountable = calls.get(
  'read which topics can be mounted',
  pathOf`/v1/topics/mountable`,
  inside(
    'topics',
    sorted(listOf(MountableTopic), (a, b) => compare(keyOf(a), keyOf(b))),
  ),
  { form: 'topics' },
);

/** The calls about mounts and unmounts, without the waits. */
export function createMountCalls(api: Api) {
  const migrations = () => mustExist(api.call(readMigrations), 'mounting topics');
  const migration = (id: number) =>
    api.call(calls.get(`read migration ${id}`, pathOf`/v1/migrations/${id}`, migrationRow, { to: 'leader' }));
  return {
    /** The topics in object storage that can be mounted, sorted by namespace, name and location. */
    mountableTopics: () => mustExist(api.call(readMountable), 'mounting topics'),
    /** The mounts and unmounts that the cluster knows of, sorted by id. */
    migrations,
    /** A mount or unmount. @throws ApiError (404, exit 3) for an unknown id */
    migration,
    /**
     * Mounts or unmounts a topic.
     * @param before the migrations that there were before, so that the new one is found even if the answer with its id is
     * lost
     * @returns the id of the migration
     */
    startMigration: (request: NewMigration, before: readonly Migration[]) =>
      startMigration(api, { request, before, migrations }),
    /** Cancels a mount or unmount. */
    cancelMigration: (id: number) =>
      api.call(
        calls.post(`cancel migration ${id}`, pathOf`/v1/migrations/${id}`, {
          query: { action: 'cancel' },
          // A repeated one is refused: the migration is being canceled already.
          repeats: true,
          isDone: async () => isCanceled(await migration(id)),
        }),
      ),
    /** How many partitions a topic has; undefined if it does not exist. */
    partitionCount: (topic: TopicReference) => partitionCount(api, topic),
  };
}

interface Start {
  readonly request: NewMigration;
  readonly before: readonly Migration[];
  migrations(): Promise<readonly Migration[]>;
}

function startMigration(api: Api, { request, before, migrations }: Start): Promise<number> {
  const { type, source, alias } = request;
  const isMount = type === 'inbound';
  const topic = isMount ? { source_topic_reference: source, ...(alias === null ? {} : { alias }) } : source;
  let migration: Migration | undefined;
  const doing = `${isMount ? 'mount' : 'unmount'} topic "${referenceName(source)}"`;
  const call = calls.post<number>(doing, isMount ? pathOf`/v1/topics/mount` : pathOf`/v1/topics/unmount`, {
    body: { topics: [topic] },
    // A repeated one is refused: the topic is in a migration already, or the migration is over and has changed the topic.
    repeats: true,
    async isDone() {
      const ids = new Set(before.map(({ id }) => id));
      migration = (await migrations()).find((one) => !ids.has(one.id) && isAbout(one, request));
      return migration !== undefined;
    },
  });
  return api.call({ ...call, read: (body) => (body === undefined && migration ? migration.id : read(newId, body)) });
}

const newId = inside('id', whole);

const itemCount = mapped(listOf(anything), ({ length }) => length);

async function partitionCount(api: Api, { ns, topic }: TopicReference): Promise<number | undefined> {
  try {
    const doing = `read the partitions of topic "${referenceName({ ns, topic })}"`;
    return await api.call(
      calls.get(doing, pathOf`/v1/partitions/${ns}/${topic}`, itemCount, { form: 'list of partitions' }),
    );
  } catch (error) {
    if (hasStatus(error, 404)) return undefined;
    throw error;
  }
}

function keyOf({ namespace, topic, topic_location: location }: MountableTopic): string {
  return [namespace, topic, location].join('\0');
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
