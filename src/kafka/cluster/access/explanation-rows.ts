import { listOf, maybe, type RowOf, row, type Shape, string, truth, whole, word } from '../../../shape/shape.ts';
import { acl } from './acl-rows.ts';

const question = row({
  /** With its type, for example `User:ana`. */
  principal: string,
  /** The IP address of the client; null for an address that no ACL names. */
  host: maybe(string),
  operation: string,
  resource_type: string,
  resource_name: string,
});

/** What a principal wants to do. */
export type AccessQuestion = RowOf<typeof question>;

/**
 * Why access is allowed or denied: an ACL, `super.users`, no ACL for the resource (`allow.everyone.if.no.acl.found`
 * decides), ACLs of which none applies, or brokers without an authorizer.
 */
const reason = word(
  'DENIED_BY_ACL',
  'ALLOWED_BY_ACL',
  'SUPER_USER',
  'NO_ACL_FOR_RESOURCE',
  'NO_ACL_APPLIES',
  'NO_AUTHORIZER',
);

/** Why access is allowed or denied. */
export type Reason = RowOf<typeof reason>;

/** Why an ACL of the resource does not apply. */
const miss = word('OTHER_PRINCIPAL', 'OTHER_HOST', 'OTHER_OPERATION');

/** Why an ACL of the resource does not apply. */
export type Miss = RowOf<typeof miss>;

/** A setting of the brokers that weir looks at. */
export type AccessSetting = 'super.users' | 'allow.everyone.if.no.acl.found';

/** An ACL of the resource that names the principal or every user. */
const explainedAcl = row({
  ...acl.fields,
  /** Why it does not apply; null if it applies. */
  miss: maybe(miss),
});

/** An ACL of the resource that names the principal or every user. */
export type ExplainedAcl = RowOf<typeof explainedAcl>;

/** Whether access is allowed, and why. */
export const explanation = row({
  ...question.fields,
  allowed: truth,
  reason,
  /** The ACL that decides. */
  rule: maybe(acl),
  acls: listOf(explainedAcl),
  /** The number of other ACLs of the resource. */
  other_acls: whole,
  /** Settings that could turn a denial into a permission, but that the brokers do not show. */
  hidden_settings: listOf(string as Shape<AccessSetting>),
});

/** Whether access is allowed, and why. */
export type ExplanationRow = RowOf<typeof explanation>;

/** A question about access, with settings of the brokers that the caller knows. */
export interface ExplainCall extends AccessQuestion {
  /** Empty: as the brokers report. */
  readonly superUsers: readonly string[];
  /** `allow.everyone.if.no.acl.found`; undefined: as the brokers report. */
  readonly allowsUnlisted: boolean | undefined;
}
