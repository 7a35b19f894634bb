import { describe, expect, it } from 'vitest';
import { type CreationValues, doubtsAbout, plannedAcls } from '../../../../src/commands/security/acl/creation-plan.ts';

const none: CreationValues = {
  ...{ topic: [], group: [], transactionalId: [], cluster: false, delegationToken: [], userPrincipal: [] },
  ...{ registryGlobal: false, registrySubject: [] },
  ...{ resource: undefined, resourceName: [] },
  ...{ allowPrincipal: [], denyPrincipal: [], allowRole: [], denyRole: [], allowHost: [], denyHost: [] },
  ...{ operation: ['READ'], resourcePatternType: 'LITERAL' },
};

function shown(values: Partial<CreationValues>): readonly string[] {
  return plannedAcls({ ...none, ...values }).map((acl) => Object.values(acl).join(' '));
}

describe('the ACLs that flags describe', () => {
  it('are all combinations, each once', () => {
    const values = {
      allowPrincipal: ['User:a', 'User:a'],
      allowRole: ['RedpandaRole:r'],
      denyPrincipal: ['User:b'],
      denyHost: ['h1', 'h2'],
      topic: ['t', 't'],
      cluster: true,
      operation: ['READ', 'WRITE', 'READ'],
    };
    expect(shown(values)).toEqual([
      'User:a * TOPIC t LITERAL READ ALLOW',
      'User:a * TOPIC t LITERAL WRITE ALLOW',
      'User:a * CLUSTER kafka-cluster LITERAL READ ALLOW',
      'User:a * CLUSTER kafka-cluster LITERAL WRITE ALLOW',
      'RedpandaRole:r * TOPIC t LITERAL READ ALLOW',
      'RedpandaRole:r * TOPIC t LITERAL WRITE ALLOW',
      'RedpandaRole:r * CLUSTER kafka-cluster LITERAL READ ALLOW',
      'RedpandaRole:r * CLUSTER kafka-cluster LITERAL WRITE ALLOW',
      'User:b h1 TOPIC t LITERAL READ DENY',
      'User:b h1 TOPIC t LITERAL WRITE DENY',
      'User:b h1 CLUSTER kafka-cluster LITERAL READ DENY',
      'User:b h1 CLUSTER kafka-cluster LITERAL WRITE DENY',
      'User:b h2 TOPIC t LITERAL READ DENY',
      'User:b h2 TOPIC t LITERAL WRITE DENY',
      'User:b h2 CLUSTER kafka-cluster LITERAL READ DENY',
      'User:b h2 CLUSTER kafka-cluster LITERAL WRITE DENY',
    ]);
  });

  it('apply the pattern to every resource but the cluster, which has one name', () => {
    const values = { allowPrincipal: ['User:a'], topic: ['t'], cluster: true, resourcePatternType: 'PREFIXED' };
    expect(shown(values)).toEqual([
      'User:a * TOPIC t PREFIXED READ ALLOW',
      'User:a * CLUSTER kafka-cluster LITERAL READ ALLOW',
    ]);
  });

  it('come from the deprecated flags, too', () => {
    const values = { allowPrincipal: ['User:a'], resource: 'GROUP', resourceName: ['g', 'h'] };
    expect(shown(values)).toEqual(['User:a * GROUP g LITERAL READ ALLOW', 'User:a * GROUP h LITERAL READ ALLOW']);
    expect(shown({ allowPrincipal: ['User:a'], resource: 'CLUSTER' })).toEqual([
      'User:a * CLUSTER kafka-cluster LITERAL READ ALLOW',
    ]);
  });
});

describe('a doubt', () => {
  const acl = {
    ...{ principal: 'User:a', host: '*', resource_type: 'TOPIC', resource_name: 't' },
    ...{ resource_pattern_type: 'LITERAL', operation: 'READ', permission: 'ALLOW' },
  };
  it.each([
    [{}, undefined],
    [{ operation: 'ALL' }, undefined],
    [{ resource_name: '*' }, undefined],
    [{ host: '10.0.0.1' }, undefined],
    [{ host: '2001:db8::1' }, undefined],
    [{ operation: 'IDEMPOTENT_WRITE' }, 'brokers never check IDEMPOTENT_WRITE on a TOPIC resource'],
    [{ operation: 'READ', resource_type: 'CLUSTER' }, 'brokers never check READ on a CLUSTER resource'],
    [{ resource_type: 'UNKNOWN_100' }, undefined],
    [{ resource_name: 'app-*' }, 'for all names that begin with "app-"'],
    [{ resource_name: '*', resource_pattern_type: 'PREFIXED' }, 'the prefix "*" matches only names'],
    [{ host: 'client.example' }, 'is not an IP address'],
  ])('about %j: %s', (change, expected) => {
    const doubts = doubtsAbout([{ ...acl, ...change }]);
    expect(doubts).toEqual(expected === undefined ? [] : [expect.stringContaining(expected)]);
  });
});
