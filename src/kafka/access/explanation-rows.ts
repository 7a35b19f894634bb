import type { AclRow } from './acl-rows.ts';
import type { AccessQuestion, Miss, Reason } from './decision.ts';

/** A question about access, with settings of the brokers that the caller knows. */
export interface ExplainCall extends AccessQuestion {
  /** Empty: as the brokers report. */
  readonly superUsers: readonly string[];
  /** `allow.everyone.if.no.acl.found`; undefined: as the brokers report. */
  readonly allowsUnlisted: boolean | undefined;
}

/** A setting of the brokers that weir looks at. */
export type AccessSetting = 'super.users' | 'allow.everyone.if.no.acl.found';

/** An ACL of the resource that names the principal or every user. */
export interface ExplainedAcl extends AclRow {
  /** Why it does not apply; null if it applies. */
  readonly miss: Miss | null;
}

/** Whether access is allowed, and why. */
export interface ExplanationRow extends AccessQuestion {
  readonly allowed: boolean;
  readonly reason: Reason;
  /** The ACL that decides. */
  readonly rule: AclRow | null;
  readonly acls: readonly ExplainedAcl[];
  /** The number of other ACLs of the resource. */
  readonly other_acls: number;
  /** Settings that could turn a denial into a permission, but that the brokers do not show. */
  readonly hidden_settings: readonly AccessSetting[];
}

/** The call of the broker data API that explains access. */
export interface ExplainCalls {
  /** Says whether a principal may do something, and by which rule. */
  explainAccess(call: ExplainCall): Promise<ExplanationRow>;
}
