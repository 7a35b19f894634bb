import { CliError } from '../../../errors.ts';
import type { Client } from '../../protocol/client/client.ts';
import type { AclRow } from './acl-rows.ts';
import { listAcls } from './acls.ts';
import { decide, type JudgedAcl } from './decision.ts';
import type { AccessQuestion, AccessSetting, ExplainCall, ExplainedAcl, ExplanationRow } from './explanation-rows.ts';
import { type AccessSettings, readAccessSettings } from './settings.ts';

/** Says whether a principal may do something, with the ACLs of the resource and the settings that brokers show. */
export async function explainAccess(client: Client, call: ExplainCall): Promise<ExplanationRow> {
  const { superUsers, allowsUnlisted, principal, host, operation, resource_type, resource_name } = call;
  const question = { principal, host, operation, resource_type, resource_name };
  const [acls, reported] = await Promise.all([aclsOf(client, question), readAccessSettings(client)]);
  const settings = {
    hasAuthorizer: reported.hasAuthorizer && acls !== undefined,
    superUsers: superUsers.length === 0 ? reported.superUsers : superUsers,
    allowsUnlisted: allowsUnlisted ?? reported.allowsUnlisted,
  };
  const decision = decide(question, acls ?? [], {
    hasAuthorizer: settings.hasAuthorizer,
    superUsers: settings.superUsers ?? [],
    allowsUnlisted: settings.allowsUnlisted ?? false,
  });
  const own = decision.judged.filter(({ miss }) => miss !== 'OTHER_PRINCIPAL').map(explainedAcl);
  return {
    ...question,
    allowed: decision.allowed,
    reason: decision.reason,
    rule: decision.rule,
    acls: own,
    other_acls: decision.judged.length - own.length,
    hidden_settings: decision.allowed ? [] : hiddenSettings(settings, decision.reason === 'NO_ACL_FOR_RESOURCE'),
  };
}

/** All ACLs that cover the resource; undefined if the brokers have no authorizer. */
async function aclsOf(
  client: Client,
  { resource_type, resource_name }: AccessQuestion,
): Promise<readonly AclRow[] | undefined> {
  const anything = { principal: null, host: null, operation: 'ANY', permission: 'ANY' };
  const filter = { ...anything, resource_type, resource_name, resource_pattern_type: 'MATCH' };
  try {
    return (await listAcls(client, [filter])).matches;
  } catch (error) {
    if (error instanceof CliError && error.code === 'SECURITY_DISABLED') return undefined;
    throw error;
  }
}

function explainedAcl({ acl, miss }: JudgedAcl): ExplainedAcl {
  return { ...acl, miss };
}

function hiddenSettings({ superUsers, allowsUnlisted }: AccessSettings, isUnlisted: boolean): AccessSetting[] {
  return [
    ...(superUsers === undefined ? (['super.users'] as const) : []),
    ...(isUnlisted && allowsUnlisted === undefined ? (['allow.everyone.if.no.acl.found'] as const) : []),
  ];
}
