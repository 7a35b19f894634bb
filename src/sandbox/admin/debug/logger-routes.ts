import { param, type Reply } from '../../http/reply.ts';
import { badRequest } from '../admin-error.ts';
import { type AdminRequest, booleanQuery, by, numberQuery, ok, type Route, route } from '../request.ts';
import type { Node } from '../state.ts';
import { toSeconds, type World } from '../world.ts';

/** Some of the loggers of a node. Their names contain `/` and `-`, as real ones do. */
const loggers = [
  'abs_client',
  'admin_api_server',
  'cloud_storage',
  'cluster',
  'compaction_ctrl',
  'http',
  'kafka',
  'kafka/client',
  'main',
  'r/heartbeat',
  'raft',
  'rpc',
  'seastar_memory',
  'security',
  'storage',
  'storage-gc',
  'tx',
  'wasm',
];

/** From the least to the most verbose. */
const levels = ['error', 'warn', 'info', 'debug', 'trace'];
const defaultLevel = 'info';
const defaultSeconds = 600;
/** How long a verbose level lasts at most without `force`, in seconds. The documents do not tell the real limit. */
const longestVerbose = 3_600;

/** The routes of the loggers of one node. */
export const loggerRoutes: readonly Route[] = [
  route('loggers', 'GET /v1/loggers', by.superuser, list),
  route('loggers.level.get', 'GET /v1/config/log_level/{name}', by.superuser, get),
  route('loggers.level.set', 'PUT /v1/config/log_level/{name}', by.superuser, set),
];

function list(_: World, request: AdminRequest): Reply {
  const withLevels = booleanQuery(request, 'include-levels') ?? false;
  return ok(loggers.map((name) => ({ name, ...(withLevels ? { level: levelOf(request.node, name) } : {}) })));
}

function levelOf(node: Node, name: string): string {
  return node.loggers.get(name)?.level ?? defaultLevel;
}

function nameOf(request: AdminRequest): string {
  const name = param(request, 'name');
  if (!loggers.includes(name)) throw badRequest(`logger "${name}" does not exist`);
  return name;
}

function get(world: World, request: AdminRequest): Reply {
  const name = nameOf(request);
  const until = request.node.loggers.get(name)?.expiresAt ?? null;
  const expiration = until === null ? 0 : toSeconds(until - world.clock.now());
  return ok({ name, level: levelOf(request.node, name), expiration });
}

function set(world: World, request: AdminRequest): Reply {
  const name = nameOf(request);
  const level = request.query.get('level') ?? '';
  if (!levels.includes(level)) throw badRequest(`level "${level}" does not exist`);
  const asked = numberQuery(request, 'expires') ?? defaultSeconds;
  const isVerbose = levels.indexOf(level) > levels.indexOf(defaultLevel);
  const isLimited = isVerbose && booleanQuery(request, 'force') !== true;
  const expires = isLimited && (asked === 0 || asked > longestVerbose) ? longestVerbose : asked;
  const previous = levelOf(request.node, name);
  const expiresAt = expires === 0 ? null : world.clock.now() + expires * 1000;
  request.node.loggers.set(name, { level, expiresAt });
  return ok({ name, previous_level: previous, new_level: level, expiration: expires });
}

/** Puts the levels that have expired back to their default. */
export function expireLevels({ state }: World, at: number): void {
  for (const { loggers: changed } of state.nodes.values())
    for (const [name, { expiresAt }] of changed) if (expiresAt !== null && expiresAt <= at) changed.delete(name);
}
