import { type Answer, type Call, refusal } from '../../registry/scripted-registry.ts';

type Acl = Readonly<Record<string, string>>;

/** The fields of an ACL, which are also those of filters. */
const fields = ['principal', 'resource', 'resource_type', 'pattern_type', 'host', 'operation', 'permission'];

const words: Readonly<Record<string, readonly [name: string, words: readonly string[]]>> = {
  resource_type: ['resource type', ['SUBJECT', 'REGISTRY']],
  pattern_type: ['pattern type', ['LITERAL', 'PREFIXED']],
  permission: ['ACL permission', ['ALLOW', 'DENY']],
  operation: ['ACL operation', ['ALL', 'READ', 'WRITE', 'DELETE', 'DESCRIBE', 'DESCRIBE_CONFIGS', 'ALTER_CONFIGS']],
};

/** Why a field of an ACL or of a filter is refused; undefined if it is not. */
function faultOf(field: string, value: string): string | undefined {
  const [name, known] = words[field] ?? [];
  if (known !== undefined && !known.includes(value.toUpperCase())) return `Invalid ${name}: ${value}`;
  if (field === 'host' && value !== '*' && !/^[\d.]+$|^[\da-f:]+$/i.test(value)) return `Invalid ACL host: ${value}`;
  if (field === 'principal' && !/^(User|Group|RedpandaRole):./.test(value)) return `Invalid principal name: {${value}}`;
  return field === 'principal' && /^(Group|RedpandaRole):\*$/.test(value)
    ? `Illegal wildcard principal: only user principals support wildcards: {${value}}`
    : undefined;
}

/** Words in upper case. @throws Error for a field that is refused */
function checked(acl: Acl): Acl {
  return Object.fromEntries(
    Object.entries(acl).map(([field, value]) => {
      const fault = fields.includes(field) ? faultOf(field, value) : 'Invalid ACL';
      if (fault !== undefined) throw new Error(fault);
      return [field, field in words ? value.toUpperCase() : value];
    }),
  );
}

function selects(filter: Acl, acl: Acl): boolean {
  return Object.entries(filter).every(([field, value]) => acl[field] === value);
}

const keyOf = (acl: Acl) => JSON.stringify(fields.map((field) => acl[field]));

/** Answers as `/security/acls` of Redpanda's registry does, read from its source of July 2026. */
export function createRegistryAcls(): (call: Call) => Answer {
  const kept = new Map<string, Acl>();
  const answer = ({ method, path, body }: Call): Answer => {
    if (method === 'GET') {
      const filter = checked(Object.fromEntries(new URL(path, 'http://registry.example').searchParams));
      return [200, [...kept.values()].filter((acl) => selects(filter, acl))];
    }
    const acls = (JSON.parse(body) as readonly Acl[]).map(checked);
    if (method === 'POST') return create(acls);
    const deleted = acls.flatMap((filter) => [...kept.values()].filter((acl) => selects(filter, acl)));
    for (const acl of deleted) kept.delete(keyOf(acl));
    return [200, deleted];
  };
  function create(acls: readonly Acl[]): Answer {
    for (const acl of acls) {
      const missing = fields.find((field) => acl[field] === undefined);
      if (missing !== undefined) throw new Error(`Invalid ACL principal: ${missing}`);
      if (acl.pattern_type === 'PREFIXED' && acl.resource_type !== 'SUBJECT')
        throw new Error("Pattern type 'prefixed' can only be used with resource type 'subject'");
    }
    for (const acl of acls) kept.set(keyOf(acl), acl);
    return [201, ''];
  }
  return (call) => {
    try {
      return answer(call);
    } catch (error) {
      return refusal(400, error instanceof Error ? error.message : '');
    }
  };
}
