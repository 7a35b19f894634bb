import { randomUUID } from 'node:crypto';
import { anything, boolean, object, optional, text } from '../../http/readers.ts';
import { effective } from '../config/effective.ts';
import { lacksLicense } from '../config/license.ts';
import { type AdminRequest, by, type Route } from '../request.ts';
import { rpc, rpcError } from '../rpc.ts';
import type { World } from '../world.ts';
import { listIn, type Message, type ShadowLink, sectionOf } from './link.ts';
import { shownLink } from './link-answer.ts';
import { checkConfigurations, checkFilters, refusal } from './link-checks.ts';

const linkBody = object({ name: text, configurations: optional(anything) }, ['uid', 'status']);
const named = object({ name: text });
/** The states of topics that do not keep their link from being deleted (its src/v/cluster_link/manager.cc:577). */
const endStates: ReadonlySet<string> = new Set(['FAULTED', 'FAILED_OVER', 'PROMOTED']);
const common = { since: '25.3', who: by.forwarded } as const;

/**
 * The calls of version 2 about shadow links (redpanda commit 1b95a07c:
 * src/v/redpanda/admin/services/shadow_link/shadow_link.cc). A cluster takes one link.
 */
export const shadowRoutes: readonly Route[] = [
  rpc('v2.shadow.list', 'ShadowLinkService/ListShadowLinks', {
    ...common,
    body: object({}),
    handle(world, _, request) {
      checkEnabled(request);
      return { shadowLinks: [...world.state.shadowLinks.values()].map((link) => shownLink(world, link)) };
    },
  }),
  rpc('v2.shadow.get', 'ShadowLinkService/GetShadowLink', {
    ...common,
    body: named,
    handle: (world, { name }, request) => answer(world, linkOf(world, request, name)),
  }),
  rpc('v2.shadow.create', 'ShadowLinkService/CreateShadowLink', {
    ...common,
    body: object({ shadowLink: linkBody, validateOnly: optional(boolean) }),
    handle: (world, { shadowLink, validateOnly }, request) =>
      create(world, request, { ...shadowLink, isCheck: validateOnly === true }),
  }),
  rpc('v2.shadow.update', 'ShadowLinkService/UpdateShadowLink', {
    ...common,
    body: object({ shadowLink: linkBody, updateMask: optional(text) }),
    handle(world, { shadowLink: { name, configurations }, updateMask = '' }, request) {
      const link = linkOf(world, request, name);
      update(world, link, { configurations: (configurations ?? {}) as Message, mask: updateMask });
      return answer(world, link);
    },
  }),
  rpc('v2.shadow.delete', 'ShadowLinkService/DeleteShadowLink', {
    ...common,
    body: object({ name: text, force: optional(boolean) }),
    handle(world, { name, force = false }, request) {
      const link = linkOf(world, request, name);
      const isBusy = [...link.topics.values()].some(({ state }) => !endStates.has(state));
      if (isBusy && !force) {
        const message = `Failed to delete cluster link with name '${name}'. There are active/promoting shadow topics.`;
        throw rpcError('failed_precondition', message);
      }
      world.state.shadowLinks.delete(name);
      return {};
    },
  }),
  rpc('v2.shadow.fail-over', 'ShadowLinkService/FailOver', {
    ...common,
    body: object({ name: text, shadowTopicName: optional(text) }),
    handle(world, { name, shadowTopicName = '' }, request) {
      const link = linkOf(world, request, name);
      failOver(world, link, shadowTopicName);
      return answer(world, link);
    },
  }),
];

function answer(world: World, link: ShadowLink) {
  return { shadowLink: shownLink(world, link) };
}

/** Every call is refused without the feature (its src/v/cluster_link/service.h:204). */
function checkEnabled({ node }: AdminRequest): void {
  if (effective(node, 'enable_shadow_linking') !== true)
    throw rpcError('failed_precondition', 'Cluster link feature is disabled');
}

function linkOf({ state }: World, request: AdminRequest, name: string): ShadowLink {
  checkEnabled(request);
  const link = state.shadowLinks.get(name);
  if (link === undefined) throw rpcError('not_found', `Failed to find cluster link with name '${name}'`);
  return link;
}

interface NewLink {
  readonly name: string;
  readonly configurations: unknown;
  /** Whether the connection is only checked. */
  readonly isCheck: boolean;
}

function create(world: World, request: AdminRequest, { name, configurations: given, isCheck }: NewLink) {
  const { state } = world;
  const configurations = (given ?? {}) as Message;
  checkConfigurations(configurations, 'Invalid cluster link configuration');
  checkEnabled(request);
  if (state.shadowLinks.has(name)) throw rpcError('already_exists', `Shadow link with name ${name} already exists`);
  checkSource(name, configurations);
  if (isCheck) return {};
  const begins = 'Failed to create cluster link';
  const because = 'cluster::cluster_link::errc::';
  if (lacksLicense(world)) throw rpcError('failed_precondition', `${begins}: ${because}license_required`);
  if (!/^[\w.-]{1,128}$/.test(name)) throw refusal(begins, 'link_name_invalid');
  if (state.shadowLinks.size > 0) throw rpcError('resource_exhausted', `${begins}: ${because}limit_exceeded`);
  checkFilters(configurations, begins);
  const now = state.settledAt;
  const link = { name, uid: randomUUID(), configurations, passwordSetAt: now, topics: new Map() };
  state.shadowLinks.set(name, link);
  return answer(world, link);
}

/** A source below `.invalid`, which no name server knows, is not reached. */
function checkSource(name: string, configurations: Message): void {
  const servers = listIn(sectionOf(configurations, 'clientOptions'), 'bootstrapServers').map(String);
  if (!servers.every((one) => /\.invalid(:\d+)?$/.test(one))) return;
  const message = `Cluster link '${name}' unreachable, preflight check failed - unable to connect to any broker`;
  throw rpcError('failed_precondition', message);
}

/** What an update sends. */
interface Update {
  readonly configurations: Message;
  readonly mask: string;
}

function update(world: World, link: ShadowLink, { configurations, mask }: Update): void {
  const paths = mask === '' ? [] : mask.split(',').map((path) => path.split('.'));
  if (paths.some(([root, section]) => root !== 'configurations' || section === undefined || !sections.has(section)))
    throw rpcError('invalid_argument', `Invalid update mask for shadow_link: {paths: ${mask}}`);
  const current = withoutSecrets(link.configurations);
  const changed = paths.reduce((merged, path) => applied(merged, configurations, path.slice(1)), current);
  const updated = withKeptSecrets(paths.length === 0 ? configurations : changed, link.configurations);
  checkConfigurations(updated, 'Invalid shadow link update configuration');
  checkFilters(updated, `Failed to update cluster link ${link.name}`);
  if (passwordIn(updated) !== passwordIn(link.configurations)) link.passwordSetAt = world.state.settledAt;
  link.configurations = updated;
}

const sections: ReadonlySet<string> = new Set([
  'clientOptions',
  'topicMetadataSyncOptions',
  'consumerOffsetSyncOptions',
  'securitySyncOptions',
  'schemaRegistrySyncOptions',
  'roleSyncOptions',
]);

/** A message with the part of another one that a path names: it appends to lists (its bazel/pbgen/main.go:944). */
function applied(current: Message, update: Message, [name = '', ...path]: readonly string[]): Message {
  const [before, given] = [current[name], update[name]];
  if (path.length > 0) return { ...current, [name]: applied(sectionOf(current, name), sectionOf(update, name), path) };
  if (Array.isArray(before) || Array.isArray(given)) {
    return { ...current, [name]: [...listIn(current, name), ...listIn(update, name)] };
  }
  const { [name]: _, ...others } = current;
  return given === undefined ? others : { ...current, [name]: given };
}

/** What an update is merged with is what a read returns: it has no secrets. */
function withoutSecrets(configurations: Message): Message {
  const isSecret = (name: string) => name === 'password' || name === 'key';
  return JSON.parse(JSON.stringify(configurations, (name, value) => (isSecret(name) ? undefined : value)));
}

/** A secret that is kept beside what it belongs to, if an update has none (its converter.cc:1645). PLAIN has none. */
interface KeptSecret {
  readonly path: readonly string[];
  readonly name: 'password' | 'key';
  readonly beside: 'username' | 'cert';
}

const keptKey = { name: 'key', beside: 'cert' } as const;
const keptPassword = { name: 'password', beside: 'username' } as const;
const registryApi = ['schemaRegistrySyncOptions', 'shadowSchemaRegistryApi'] as const;
const keptSecrets: readonly KeptSecret[] = [
  { path: ['clientOptions', 'authenticationConfiguration', 'scramConfiguration'], ...keptPassword },
  { path: ['clientOptions', 'tlsSettings', 'tlsPemSettings'], ...keptKey },
  { path: [...registryApi, 'authOptions', 'basic'], ...keptPassword },
  { path: [...registryApi, 'tlsSettings', 'tlsPemSettings'], ...keptKey },
];

function withKeptSecrets(updated: Message, before: Message): Message {
  return keptSecrets.reduce((merged, { path, name, beside }) => {
    const now = path.reduce(sectionOf, merged);
    if (!now[beside] || now[name]) return merged;
    // The password of PLAIN becomes that of SCRAM.
    const value = path.includes('scramConfiguration') ? passwordIn(before) : path.reduce(sectionOf, before)[name];
    return withField(merged, [...path, name], value);
  }, updated);
}

function withField(message: Message, [name = '', ...path]: readonly string[], value: unknown): Message {
  return { ...message, [name]: path.length === 0 ? value : withField(sectionOf(message, name), path, value) };
}

function passwordIn(configurations: Message): unknown {
  const login = sectionOf(sectionOf(configurations, 'clientOptions'), 'authenticationConfiguration');
  return sectionOf(login, 'scramConfiguration').password ?? sectionOf(login, 'plainConfiguration').password;
}

function failOver({ state }: World, link: ShadowLink, only: string): void {
  if (only !== '') {
    const topic = link.topics.get(only);
    const begins = `Failed to update mirror topic '${only}' status on link '0'`;
    if (topic === undefined)
      throw rpcError('not_found', `${begins}: cluster::cluster_link::errc::topic_not_being_mirrored`);
    if (topic.state !== 'ACTIVE') throw refusal(begins, 'invalid_update');
  }
  // Those in other states are left as they are.
  for (const topic of link.topics.values()) {
    if (topic.state !== 'ACTIVE' || (only !== '' && topic.name !== only)) continue;
    topic.state = 'FAILING_OVER';
    topic.since = state.settledAt;
  }
}
