import { listOf, maybe, type RowOf, row, type Shape, string, truth, whole, word } from '../../../shape/shape.ts';
import { Acl } from './acl-rows.ts';

const AccessQuestion = row({
  /** With its type, for example `User:ana`. */
  principal: string,
  /** The IP address of the client; null for an address that no ACL names. */
  host: maybe(string),
  operation: string,
  resource_type: string,
  resource_name: string,
});
export type AccessQuestion = RowOf<typeof AccessQuestion>;

/**
 * Why access is allowed or denied: an ACL, `super.users`, no ACL for the resource (`allow.everyone.if.no.acl.found`
 * decides), ACLs of which none applies, or brokers without an authorizer.
 */
const Reason = word(
  'DENIED_BY_ACL',
  'ALLOWED_BY_ACL',
  'SUPER_USER',
  'NO_ACL_FOR_RESOURCE',
  'NO_ACL_APPLIES',
  'NO_AUTHORIZER',
);
export type Reason = RowOf<typeof Reason>;

/** Why an ACL of the resource does not apply. */
const Miss = word('OTHER_PRINCIPAL', 'OTHER_HOST', 'OTHER_OPERATION');
export type Miss = RowOf<typeof Miss>;

/** A setting of the brokers that decides: Kafka's two, and those of Redpanda. */
export type AccessSetting =
  | 'super.users'
  | 'allow.everyone.if.no.acl.found'
  | 'superusers'
  | 'kafka_enable_authorization';

/** An ACL of the resource that names the principal or every user. */
const ExplainedAcl = row({
  ...Acl.fields,
  /** Why it does not apply; null if it applies. */
  miss: maybe(Miss),
});
export type ExplainedAcl = RowOf<typeof ExplainedAcl>;

/** Whether access is allowed, and why. */
export const Explanation = row({
  ...AccessQuestion.fields,
  /** Null if only `allow.everyone.if.no.acl.found` decides and the brokers do not show it. */
  allowed: maybe(truth),
  reason: Reason,
  /** The ACL that decides. */
  rule: maybe(Acl),
  acls: listOf(ExplainedAcl),
  /** The number of other ACLs of the resource. */
  other_acls: whole,
  /** Settings that could allow it, but that the brokers do not show. */
  hidden_settings: listOf(string as Shape<AccessSetting>),
  /** Principals of roles and groups that have ACLs for this, if it is not known whether the principal is a member. */
  possible_roles: listOf(string),
});
export type Explanation = RowOf<typeof Explanation>;

/** A question about access, with settings of the brokers that the caller knows. */
export interface ExplainCall extends AccessQuestion {
  /** The names of the roles of Redpanda that the principal has; undefined: not known. */
  readonly roles?: readonly string[] | undefined;
  /** Empty: as the brokers report. */
  readonly superUsers: readonly string[];
  /** `allow.everyone.if.no.acl.found`; undefined: as the brokers report. */
  readonly allowsUnlisted: boolean | undefined;
  /** The ACLs of a resource that brokers do not keep; undefined: as the brokers list them. */
  readonly acls?: readonly Acl[] | undefined;
}
