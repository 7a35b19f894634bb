import { createHash } from 'node:crypto';
import { isObject } from '../../../shape/object.ts';
import type { Reply } from '../../http/reply.ts';
import { badRequest } from '../admin-error.ts';
import { type AdminRequest, by, done, ok, type Route, route } from '../request.ts';
import type { License, State } from '../state.ts';
import type { World } from '../world.ts';
import { effective } from './effective.ts';

/** The routes of licenses. */
export const licenseRoutes: readonly Route[] = [
  route('license.get', 'GET /v1/features/license', by.user, get),
  { ...route('license.set', 'PUT /v1/features/license', by.controller, set), answersItself: isLoaded },
  route('license.enterprise', 'GET /v1/features/enterprise', by.user, enterprise),
];

const formatVersion = 0;

/**
 * Writes a license that the simulator accepts. It has the form of a real one, two texts in base64 with a period between
 * them, but its signature is a checksum that only the simulator takes for valid.
 */
export function writeLicense({ organization, type, expires }: Omit<License, 'sha256'>): string {
  const fields = { version: formatVersion, org: organization, type, expiry: expires };
  const body = Buffer.from(JSON.stringify(fields)).toString('base64');
  return `${body}.${sign(body)}`;
}

function sign(body: string): string {
  return createHash('sha256').update(`weir sandbox license ${body}`).digest('base64');
}

/** Reads the text of a license. @throws AdminError 400 when it is empty, malformed, not signed or expired */
export function readLicense(text: string, nowMs: number): License {
  const trimmed = text.trim();
  if (trimmed === '') throw badRequest('the license is empty');
  const [body = '', signature] = trimmed.split('.');
  const fields = parse(body);
  if (fields === undefined) throw badRequest('the license is malformed');
  if (signature !== sign(body)) throw badRequest('the signature of the license is invalid');
  if (fields.expires * 1000 <= nowMs) throw badRequest('the license has expired');
  return { ...fields, sha256: createHash('sha256').update(trimmed).digest('hex') };
}

function parse(body: string): Omit<License, 'sha256'> | undefined {
  let fields: unknown;
  try {
    fields = JSON.parse(Buffer.from(body, 'base64').toString('utf8'));
  } catch {
    return undefined;
  }
  if (!isObject(fields)) return undefined;
  const { org, type, expiry } = fields;
  if (typeof org !== 'string' || typeof expiry !== 'number') return undefined;
  return type === 'free_trial' || type === 'enterprise' ? { organization: org, type, expires: expiry } : undefined;
}

/** The state of the license now. */
export function licenseStatus({ state, clock }: World): 'valid' | 'expired' | 'not_present' {
  if (state.license === null) return 'not_present';
  return state.license.expires * 1000 > clock.now() ? 'valid' : 'expired';
}

/** Whether what needs a license is refused, as after the trial of a new cluster. */
export function lacksLicense(world: World): boolean {
  const status = licenseStatus(world);
  return status === 'expired' || (world.settings.licenseNeeded && status === 'not_present');
}

function get({ state, settings }: World, { user }: AdminRequest): Reply {
  if (state.license === null) return ok({ loaded: false });
  const { organization: org, type, expires, sha256 } = state.license;
  const license = { format_version: formatVersion, org, type, expires, sha256 };
  if (settings.release === '24.3') return ok({ loaded: true, license });
  // Since then the route is public, and tells strangers less (redpanda 26: src/v/redpanda/admin/server.cc:2815).
  const shown = user === null ? { type, expires, sha256 } : license;
  return ok({ loaded: true, license: { ...shown, products: ['streaming'] } });
}

/** Every node checks the license, and takes the one that is loaded (redpanda src/v/redpanda/admin/server.cc:2271). */
function isLoaded({ state, clock }: World, { bytes }: AdminRequest): boolean {
  return readLicense(bytes.toString('utf8'), clock.now()).sha256 === state.license?.sha256;
}

function set(world: World, request: AdminRequest): Reply {
  world.state.license = readLicense(request.bytes.toString('utf8'), world.clock.now());
  return done;
}

function enterprise(world: World, { node }: AdminRequest): Reply {
  const features = enterpriseFeatures(world.state, (name) => effective(node, name));
  const status = licenseStatus(world);
  const isUsed = features.some(({ enabled }) => enabled);
  return ok({ license_status: status, violation: status !== 'valid' && isUsed, features });
}

function enterpriseFeatures({ roles }: State, setting: (name: string) => unknown) {
  const used: Readonly<Record<string, boolean>> = {
    audit_logging: setting('audit_enabled') === true,
    cloud_storage: setting('cloud_storage_enabled') === true,
    core_balancing_continuous: setting('core_balancing_continuous') === true,
    partition_auto_balancing_continuous: setting('partition_autobalancing_mode') === 'continuous',
    rbac: roles.size > 0,
    schema_id_validation: setting('enable_schema_id_validation') !== 'none',
  };
  return Object.entries(used).map(([name, enabled]) => ({ name, enabled }));
}
