import type { Acl } from './acl-rows.ts';
import type { AccessQuestion, Miss, Reason } from './explanation-rows.ts';

/** The settings of the brokers that decide besides the ACLs. */
export interface AccessRules {
  /** Whether the brokers check anything at all. */
  readonly hasAuthorizer: boolean;
  readonly superUsers: readonly string[];
  /** `allow.everyone.if.no.acl.found` */
  readonly allowsUnlisted: boolean;
}

/** An ACL of the resource, and whether it applies. */
export interface JudgedAcl {
  readonly acl: Acl;
  /** Null if it applies. */
  readonly miss: Miss | null;
}

/** Whether access is allowed, and by which rule. */
export interface Decision {
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
 * Decides as Kafka's StandardAuthorizer does: super users may do everything, a denial wins over a permission, and
 * without any ACL for the resource `allow.everyone.if.no.acl.found` decides.
 */
export function decide(question: AccessQuestion, acls: readonly Acl[], rules: AccessRules): Decision {
  const judged = acls
    .filter((acl) => coversResource(acl, question))
    .map((acl) => ({ acl, miss: missOf(acl, question) }));
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

function missOf(acl: Acl, { principal, host, operation }: AccessQuestion): Miss | null {
  if (acl.principal !== principal && acl.principal !== everyUser) return 'OTHER_PRINCIPAL';
  if (acl.host !== wildcard && acl.host !== host) return 'OTHER_HOST';
  return namesOperation(acl, operation) ? null : 'OTHER_OPERATION';
}

function namesOperation(acl: Acl, operation: string): boolean {
  if (acl.operation === 'ALL' || acl.operation === operation) return true;
  return acl.permission === 'ALLOW' && (implying[operation]?.includes(acl.operation) ?? false);
}
