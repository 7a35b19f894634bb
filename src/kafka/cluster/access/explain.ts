import { CliError } from '../../../errors.ts';
import type { Client } from '../../protocol/client/client.ts';
import { questionOf } from '../../protocol/client/question.ts';
import { type DescribedConfig, describeConfigs, resourceTypes } from '../../protocol/wire/apis/describe-configs.ts';
import type { Acl } from './acl-rows.ts';
import { listAcls } from './acls.ts';
import type { AccessQuestion, AccessSetting, ExplainCall, Explanation, Miss, Reason } from './explanation-rows.ts';

/** Says whether a principal may do something, with the ACLs of the resource and the settings that brokers show. */
export async function explainAccess(client: Client, call: ExplainCall): Promise<Explanation> {
  const { superUsers, allowsUnlisted, roles, principal, host, operation, resource_type, resource_name } = call;
  const question = { principal, host, operation, resource_type, resource_name };
  const [acls, reported] = await Promise.all([call.acls ?? aclsOf(client, question), readAccessSettings(client)]);
  const isRedpanda = (await client.isRedpanda()) === true;
  const settings = {
    hasAuthorizer: reported.hasAuthorizer && acls !== undefined,
    superUsers: superUsers.length === 0 ? reported.superUsers : superUsers,
    allowsUnlisted: allowsUnlisted ?? reported.allowsUnlisted,
  };
  const decision = decide(question, acls ?? [], {
    hasAuthorizer: settings.hasAuthorizer,
    superUsers: settings.superUsers ?? [],
    allowsUnlisted: settings.allowsUnlisted ?? false,
    roles: (roles ?? []).map((role) => `${rolePrefix}${role}`),
  });
  const hidden = decision.allowed ? [] : hiddenSettings(settings, decision.reason, isRedpanda);
  const prefixes = isRedpanda && !/^(RedpandaRole|Group):/.test(principal) ? unknownMemberships(roles) : [];
  const ofPrincipal = decision.judged.filter(({ miss }) => miss !== 'OTHER_PRINCIPAL');
  return {
    ...question,
    allowed: hidden.includes('allow.everyone.if.no.acl.found') ? null : decision.allowed,
    reason: decision.reason,
    rule: decision.rule,
    acls: ofPrincipal.map(({ acl, miss }) => ({ ...acl, miss })),
    other_acls: decision.judged.length - ofPrincipal.length,
    hidden_settings: hidden,
    possible_roles: rolesIn(acls ?? [], question, prefixes),
  };
}

const rolePrefix = 'RedpandaRole:';

/** How the principals begin of which the brokers may know whether someone is a member; groups are those of an OIDC token. */
function unknownMemberships(roles: readonly string[] | undefined): readonly string[] {
  return roles === undefined ? [rolePrefix, 'Group:'] : ['Group:'];
}

/** The roles and groups whose ACLs would decide about a member. */
function rolesIn(acls: readonly Acl[], question: AccessQuestion, prefixes: readonly string[]): readonly string[] {
  const roles = acls
    .map((acl) => acl.principal)
    .filter((principal) => prefixes.some((prefix) => principal.startsWith(prefix)));
  const rules = { hasAuthorizer: true, superUsers: [], allowsUnlisted: false };
  const decides = (role: string) => decide({ ...question, principal: role }, acls, rules).rule?.principal === role;
  return [...new Set(roles)].filter(decides);
}

/** All ACLs that cover the resource; undefined if the brokers have no authorizer. */
async function aclsOf(
  client: Client,
  { resource_type, resource_name }: AccessQuestion,
): Promise<readonly Acl[] | undefined> {
  const anything = { principal: null, host: null, operation: 'ANY', permission: 'ANY' };
  const filter = { ...anything, resource_type, resource_name, resource_pattern_type: 'MATCH' };
  try {
    return (await listAcls(client, [filter])).matches;
  } catch (error) {
    if (error instanceof CliError && error.code === 'SECURITY_DISABLED') return undefined;
    throw error;
  }
}

/** Redpanda's authorizer (`security/authorizer.cc`) denies what has no ACL, and may be turned off. */
function hiddenSettings(
  { superUsers, allowsUnlisted }: AccessSettings,
  reason: Reason,
  isRedpanda: boolean,
): AccessSetting[] {
  if (isRedpanda) return [...(superUsers === undefined ? (['superusers'] as const) : []), 'kafka_enable_authorization'];
  return [
    ...(superUsers === undefined ? (['super.users'] as const) : []),
    ...(reason === 'NO_ACL_FOR_RESOURCE' && allowsUnlisted === undefined
      ? (['allow.everyone.if.no.acl.found'] as const)
      : []),
  ];
}

/** The settings that decide besides the ACLs; undefined if the brokers do not show them. */
interface AccessSettings {
  readonly hasAuthorizer: boolean;
  readonly superUsers: readonly string[] | undefined;
  /** `allow.everyone.if.no.acl.found` */
  readonly allowsUnlisted: boolean | undefined;
}

const keys = {
  authorizer: 'authorizer.class.name',
  superUsers: 'super.users',
  allows: 'allow.everyone.if.no.acl.found',
};

const brokerConfigs = questionOf({
  api: describeConfigs,
  what: (node: number) => `read the configs of broker ${node}`,
  target: (node) => ({ node }),
  keyOf: String,
  request: (items) => ({
    resources: items.map((item) => ({
      resourceType: resourceTypes.broker,
      resourceName: String(item),
      configurationKeys: Object.values(keys),
    })),
  }),
  rows: ({ results }) => results.map((row) => [row.resourceName, row] as const),
});

/**
 * Reads the settings of the first broker. They are shown only to principals who may describe the configs of the cluster,
 * and Kafka hides the values of settings that belong to an authorizer: it reports only that they are set.
 */
async function readAccessSettings(client: Client): Promise<AccessSettings> {
  return settingsIn(await readAccessConfigs(client));
}

/** Judges access by the settings of the brokers, which were read once. */
export interface AccessJudge {
  /** Whether everybody may use what has no ACL, as far as the brokers say. */
  readonly mayAllowUnlisted: boolean;
  /** Whether a question is allowed with these ACLs. */
  isAllowed(question: AccessQuestion, acls: readonly Acl[]): boolean;
}

/** Reads the settings that decide besides the ACLs, as far as the brokers show them. */
export async function accessJudge(client: Client): Promise<AccessJudge> {
  const configs = await readAccessConfigs(client);
  const { hasAuthorizer, superUsers = [], allowsUnlisted } = settingsIn(configs);
  const rules = { hasAuthorizer, superUsers, allowsUnlisted: allowsUnlisted ?? false };
  return {
    mayAllowUnlisted: mayAllowIn(configs),
    isAllowed: (question, acls) => decide(question, acls, rules).allowed,
  };
}

/** Whether the brokers have `allow.everyone.if.no.acl.found`, and it is true or its value is hidden. Asks once. */
export async function mayAllowUnlisted(client: Client): Promise<boolean> {
  return mayAllowIn(await readAccessConfigs(client, 'once'));
}

function mayAllowIn(configs: ReadonlyMap<string, DescribedConfig>): boolean {
  const allows = configs.get(keys.allows);
  return allows !== undefined && isTrue(allows.value) !== false;
}

async function readAccessConfigs(client: Client, tries?: 'once'): Promise<ReadonlyMap<string, DescribedConfig>> {
  const { brokers } = await client.metadata([], tries);
  const [first] = brokers.map(({ id }) => id).sort((a, b) => a - b);
  const outcomes = first === undefined ? [] : await client.ask(brokerConfigs, [first], 'once');
  return new Map((outcomes[0]?.row?.configs ?? []).map((config) => [config.name, config]));
}

/** The settings in the configs of a broker, by key. */
export function settingsIn(configs: ReadonlyMap<string, DescribedConfig>): AccessSettings {
  const authorizer = configs.get(keys.authorizer);
  // Without this key, the broker is another implementation, or it refused to describe itself.
  if (authorizer === undefined) return { hasAuthorizer: true, superUsers: undefined, allowsUnlisted: undefined };
  const [superUsers, allows] = [configs.get(keys.superUsers), configs.get(keys.allows)];
  return {
    hasAuthorizer: authorizer.value !== '',
    superUsers: superUsers === undefined ? [] : superUsers.value?.split(';').map((user) => user.trim()),
    allowsUnlisted: allows === undefined ? false : isTrue(allows.value),
  };
}

function isTrue(value: string | undefined): boolean | undefined {
  return value === undefined ? undefined : value.trim().toLowerCase() === 'true';
}

/** The settings of the brokers that decide besides the ACLs. */
export interface AccessRules {
  /** Whether the brokers check anything at all. */
  readonly hasAuthorizer: boolean;
  readonly superUsers: readonly string[];
  /** `allow.everyone.if.no.acl.found` */
  readonly allowsUnlisted: boolean;
  /** The roles that the principal has, as principals. */
  readonly roles?: readonly string[];
}

/** An ACL of the resource, and whether it applies. */
interface JudgedAcl {
  readonly acl: Acl;
  /** Null if it applies. */
  readonly miss: Miss | null;
}

/** Whether access is allowed, and by which rule. */
interface Decision {
  readonly allowed: boolean;
  readonly reason: Reason;
  /** The ACL that decides. */
  readonly rule: Acl | null;
  /** All ACLs of the resource, in the order of the call. */
  readonly judged: readonly JudgedAcl[];
}

const wildcard = '*';
const everyUser = 'User:*';

/** Operations that include DESCRIBE, and those that include DESCRIBE_CONFIGS: only permissions, not denials. */
const implying: Readonly<Record<string, readonly string[]>> = {
  DESCRIBE: ['READ', 'WRITE', 'DELETE', 'ALTER'],
  DESCRIBE_CONFIGS: ['ALTER_CONFIGS'],
};

/**
 * Decides as Kafka's StandardAuthorizer does, and Redpanda's, where ACLs of roles count as those of their members: super users may do everything, a denial wins over a permission, and
 * without any ACL for the resource `allow.everyone.if.no.acl.found` decides.
 */
export function decide(question: AccessQuestion, acls: readonly Acl[], rules: AccessRules): Decision {
  const judged = acls
    .filter((acl) => coversResource(acl, question))
    .map((acl) => ({ acl, miss: missOf(acl, question, rules.roles ?? []) }));
  const deciding = (permission: string): Acl | undefined =>
    judged.find(({ acl, miss }) => miss === null && acl.permission === permission)?.acl;
  const decided = (allowed: boolean, reason: Reason, rule: Acl | null = null): Decision => {
    return { allowed, reason, rule, judged };
  };
  if (!rules.hasAuthorizer) return decided(true, 'NO_AUTHORIZER');
  if (rules.superUsers.includes(question.principal)) return decided(true, 'SUPER_USER');
  const denial = deciding('DENY');
  if (denial !== undefined) return decided(false, 'DENIED_BY_ACL', denial);
  const permission = deciding('ALLOW');
  if (permission !== undefined) return decided(true, 'ALLOWED_BY_ACL', permission);
  if (judged.length > 0) return decided(false, 'NO_ACL_APPLIES');
  return decided(rules.allowsUnlisted, 'NO_ACL_FOR_RESOURCE');
}

function coversResource(acl: Acl, { resource_type, resource_name }: AccessQuestion): boolean {
  if (acl.resource_type !== resource_type) return false;
  if (acl.resource_pattern_type === 'PREFIXED') return resource_name.startsWith(acl.resource_name);
  return acl.resource_name === resource_name || acl.resource_name === wildcard;
}

function missOf(acl: Acl, { principal, host, operation }: AccessQuestion, roles: readonly string[]): Miss | null {
  if (![principal, everyUser, ...roles].includes(acl.principal)) return 'OTHER_PRINCIPAL';
  if (acl.host !== wildcard && acl.host !== host) return 'OTHER_HOST';
  return namesOperation(acl, operation) ? null : 'OTHER_OPERATION';
}

function namesOperation(acl: Acl, operation: string): boolean {
  if (acl.operation === 'ALL' || acl.operation === operation) return true;
  return acl.permission === 'ALLOW' && (implying[operation]?.includes(acl.operation) ?? false);
}
